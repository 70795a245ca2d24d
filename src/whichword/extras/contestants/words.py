"""What the contestants are called: methods of other libraries, and of ours beside them."""

from whichword.extras.contestants.peer import FAMILY
from whichword.method_names import WORDS, MethodWords

SWITCHED = "Words are switched off and on in copies of the text; "

CONTESTANT_WORDS = {
    "captum:IntegratedGradients": MethodWords(
        "integrated gradients of Captum",
        "As grad_int_s_dot, with Captum's own points on the way from zero vectors to the text.",
        "e_t · Σ_m w_m ∂s_k(X·x_m)/∂e_t, x_m: Gauss-Legendre",
    ),
    "captum:DeepLift": MethodWords(
        "DeepLift of Captum",
        "Captum's rules for activations that are modules; whatever is none takes its ordinary gradient.",
        "Σ_d R(e_t,d), by Captum's DeepLift rules",
    ),
    "captum:LRP": MethodWords(
        "LRP of Captum",
        "Captum's rules for linear layers and activations; a layer without a rule is an error.",
        "Σ_d R(e_t,d), by Captum's LRP rules",
    ),
    "captum:FeatureAblation": MethodWords(
        "feature ablation of Captum",
        f"{SWITCHED}a word is worth what the score loses without it.",
        "s_k(X) − s_k(X, t off)",
    ),
    "captum:ShapleyValueSampling": MethodWords(
        "Shapley value sampling of Captum",
        f"{SWITCHED}a word is worth what it adds to the words before it, over random orders.",
        "mean over orders of s_k(before ∪ t) − s_k(before)",
    ),
    "captum:KernelShap": MethodWords(
        "Kernel SHAP of Captum",
        f"{SWITCHED}Shapley values are the weights of a linear model fitted to them.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − s_k(z_n))², π: Shapley kernel",
    ),
    "captum:Lime": MethodWords(
        "LIME of Captum",
        f"{SWITCHED}a sparse linear model is fitted to them, the nearer copies weighing more.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − s_k(z_n))² + α Σ|v_t|",
    ),
    "shap:partition": MethodWords(
        "Partition explainer of shap",
        f"{SWITCHED}a word is worth what it adds within larger and larger groups of neighbours.",
        "Owen value of t on shap's tree of the words",
    ),
    "shap:permutation": MethodWords(
        "Permutation explainer of shap",
        f"{SWITCHED}Shapley values by random orders of the words, forth and back.",
        "mean over orders, forth and back, of s_k(before ∪ t) − s_k(before)",
    ),
    "lime": MethodWords(
        "LIME, the library",
        f"{SWITCHED}lime fits a ridge regression to them, the nearer copies weighing more.",
        "v_t of argmin_v Σ_n π(z_n) (z_n·v − p_k(z_n))² + Σ v_t²",
    ),
    "attention_last": MethodWords(
        "attention of the last layer",
        "How much the piece that the classifier reads attends to the word in the last layer, mean over heads.",
        "Σ_(pieces of t) A_L[read, piece]",
    ),
    "attention_rollout": MethodWords(
        "attention rollout",
        "Attention followed from layer to layer, half of each layer's weight staying where it is.",
        "Σ_(pieces of t) Π_l ½(A_l + 1) [read, piece]",
    ),
    "smoothgrad": MethodWords(
        "SmoothGrad × input",
        "Gradient × input, the gradient averaged over copies of the word vectors with noise.",
        "e_t · mean_n ∂s_k(X + noise_n)/∂e_t",
    ),
    "gradient_shap": MethodWords(
        "expected gradients (Gradient SHAP)",
        "Gradient × input, the gradient averaged over random points between zero vectors and the noisy text.",
        "e_t · mean_n ∂s_k(a_n (X + noise_n))/∂e_t, a_n in 0..1",
    ),
    "sentence_omit": MethodWords(
        "omission of words and sentences",
        "Half of what the score loses without the word, half of its share in what is lost without its sentence.",
        "½ (D(S)/|S| + D(t)), D: what s_k loses without it",
    ),
}
for _name, _words in CONTESTANT_WORDS.items():
    WORDS.register(_name, _words, family=FAMILY)
