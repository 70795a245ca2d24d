"""The words of the generated sentences: several hundred common English words, each with its tag."""

from whichword.corpora.agreement import with_s

_NOUNS = """
actor artist author baker banker barber builder butcher captain carpenter client coach colleague composer cook
cousin critic customer dancer dentist designer doctor driver editor engineer expert farmer father fisherman friend
gardener guard guest guide hunter inspector judge king lawyer leader librarian manager mayor mechanic minister
mother musician neighbour nurse officer owner painter parent partner passenger patient pilot player poet policeman
priest prince prisoner professor queen reporter sailor scientist singer sister soldier student surgeon tailor
teacher tenant thief tourist trader uncle visitor waiter widow winner witness worker writer animal bear bird cat
cow dog duck eagle elephant fox frog goat goose hawk horse lion monkey mouse owl rabbit rat snake spider tiger
turtle whale wolf bag barn basket bell bench bicycle boat book bottle box bridge brush bus cabin camera candle car
castle chair church city clock cloud coat coin computer cup curtain desk door engine factory fence field flag
flower forest fountain garden gate glass hammer harbour hat hill hotel house island jacket kettle key kitchen
knife ladder lake lamp leaf letter library map market mirror mountain museum newspaper office painting palace pen
picture piano plane plate pond radio river road roof room school shelf ship shirt shop spoon statue stone store
story street table telephone tent theatre ticket tower town train tree truck umbrella valley village wall watch
wheel window wire yard
"""
_IRREGULAR = {
    "fisherman": "fishermen", "policeman": "policemen", "goose": "geese", "mouse": "mice", "thief": "thieves",
    "wolf": "wolves", "knife": "knives", "leaf": "leaves", "shelf": "shelves", "piano": "pianos", "radio": "radios",
}  # fmt: skip
_VERBS = """
accept admire annoy answer appreciate approach avoid block carry catch chase choose collect confuse consider copy
cover cross defend describe destroy discover doubt draw enjoy examine expect fear find follow forget greet guard
hate hear help hide hold ignore impress inspect invite know leave like lose love mention miss move need notice
obey observe offer own paint praise prefer protect pull push reach recognize recommend remember repair replace
require respect reward scare see sell serve surprise surround touch trust understand use visit want warn watch
welcome
"""
_ADJECTIVES = """
active ancient angry bitter brave bright broken brown busy calm careful cheap clean clever cold common cruel
curious dark deep dirty dry eager early elegant empty expensive faithful famous fast foreign fresh friendly gentle
gloomy golden great green happy heavy honest huge hungry kind large lazy little lonely long loud lucky modern
narrow noisy old pale patient plain polite poor popular pretty proud quiet rare red rich rude sad serious sharp
short shy silent silver simple slow small smart soft strange strong tall thin tired ugly warm weak wet white wide
wild wise wooden yellow young
"""
_PARTICIPLES = (
    "admired avoided covered damaged described discovered followed guarded loved owned praised protected seen"
)
_ADVERBS = """
actually always apparently certainly clearly commonly definitely finally frequently generally hardly indeed never
normally obviously often probably rarely really seldom simply sometimes still suddenly surely usually
"""
_PREPOSITIONS = "above across against around behind below beside by in inside near of on opposite outside under with"
_CONJUNCTIONS = "after although because before if since unless until when whenever while"

DETERMINERS = (*[("the", "DT")] * 5, ("my", "PRP$"), ("your", "PRP$"), ("our", "PRP$"), ("their", "PRP$"), ("no", "DT"))
NUMBERED = {  # determiners that give the number away
    "singular": (("a", "DT"), ("this", "DT"), ("that", "DT"), ("every", "DT"), ("each", "DT"), ("one", "CD")),
    "plural": (("some", "DT"), ("these", "DT"), ("those", "DT"), ("many", "JJ"), ("several", "JJ"), ("two", "CD")),
}


# (singular, plural)
NOUNS = [(noun, _IRREGULAR.get(noun, with_s(noun))) for noun in _NOUNS.split()]
VERBS = [(with_s(verb), verb) for verb in _VERBS.split()]
ADJECTIVES = _ADJECTIVES.split()
ADVERBS = _ADVERBS.split()
PREPOSITIONS = _PREPOSITIONS.split()
CONJUNCTIONS = _CONJUNCTIONS.split()
PARTICIPLES = _PARTICIPLES.split()
