"""What the contestants are called: methods of other libraries, and of ours beside them (family "contestants").

A row apart from `method_names`, which has the words of "all" and looks here for the others.
"""

from collections.abc import Mapping

SWITCHED = "Words are switched off and on in copies of the text; "

# name -> title, line, formula
CONTESTANTS: Mapping[str, tuple[str, str, str]] = {
    "captum:IntegratedGradients": (
        "integrated gradients of Captum",
        "As grad_int_s_dot, with Captum's own points on the way from zero vectors to the text.",
        "e_t · Σ_m w_m ∂s_k(X·x_m)/∂e_t, x_m: Gauss-Legendre",
    ),
    "captum:DeepLift": (
        "DeepLift of Captum",
        "Captum's rules for activations that are modules; whatever is none takes its ordinary gradient.",
        "Σ_d R(e_t,d), by Captum's DeepLift rules",
    ),
    "captum:LRP": (
        "LRP of Captum",
        "Captum's rules for linear layers and activations; a layer without a rule is an error.",
        "Σ_d R(e_t,d), by Captum's LRP rules",
    ),
    "captum:FeatureAblation": (
        "feature ablation of Captum",
        f"{SWITCHED}a word is worth what the score loses without it.",
        "s_k(X) − s_k(X, t off)",
    ),
    "captum:ShapleyValueSampling": (
        "Shapley value sampling of Captum",
        f"{SWITCHED}a word is worth what it adds to the words before it, over random orders.",
        "mean over orders of s_k(before ∪ t) − s_k(before)",
    ),
    "captum:KernelShap": (
        "Kernel SHAP of Captum",
        f"{SWITCHED}Shapley values are the weights of a linear model fitted to them.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − s_k(z_n))², π: Shapley kernel",
    ),
    "captum:Lime": (
        "LIME of Captum",
        f"{SWITCHED}a sparse linear model is fitted to them, the nearer copies weighing more.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − s_k(z_n))² + α Σ|v_t|",
    ),
    "shap:partition": (
        "Partition explainer of shap",
        f"{SWITCHED}a word is worth what it adds within larger and larger groups of neighbours.",
        "Owen value of t on shap's tree of the words",
    ),
    "shap:permutation": (
        "Permutation explainer of shap",
        f"{SWITCHED}Shapley values by random orders of the words, forth and back.",
        "mean over orders, forth and back, of s_k(before ∪ t) − s_k(before)",
    ),
    "lime": (
        "LIME, the library",
        f"{SWITCHED}lime fits a ridge regression to them, the nearer copies weighing more.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − p_k(z_n))² + Σ v_t²",
    ),
    "attention_last": (
        "attention of the last layer",
        "How much the piece that the classifier reads attends to the word in the last layer, mean over heads.",
        "Σ_(pieces of t) A_L[read, piece]",
    ),
    "attention_rollout": (
        "attention rollout",
        "Attention followed from layer to layer, half of each layer's weight staying where it is.",
        "Σ_(pieces of t) Π_l ½(A_l + 1) [read, piece]",
    ),
    "smoothgrad": (
        "SmoothGrad × input",
        "Gradient × input, the gradient averaged over copies of the word vectors with noise.",
        "e_t · mean_n ∂s_k(X + noise_n)/∂e_t",
    ),
    "gradient_shap": (
        "expected gradients (Gradient SHAP)",
        "Gradient × input, the gradient averaged over random points between zero vectors and the noisy text.",
        "e_t · mean_n ∂s_k(a_n (X + noise_n))/∂e_t, a_n in 0..1",
    ),
    "sentence_omit": (
        "omission of words and sentences",
        "Half of what the score loses without the word, half of its share in what is lost without its sentence.",
        "½ (D(S)/|S| + D(t)), D: what s_k loses without it",
    ),
}
