package generated

import "strings"

// wordClass holds the words of one preterminal symbol.
type wordClass struct {
	symbol, tag string
	words       string // base forms, the most frequent first
	inflected   bool   // if true, the words get the ending s, as plural nouns or as verbs with a singular subject
}

// sentenceLexicon lists the preterminal symbols of sentenceRules. Some words are in several classes and hence
// ambiguous. For example, "report" is a noun and a verb, "after" is a preposition and a conjunction, and "official" is
// an adjective and a noun.
func sentenceLexicon() []wordClass {
	return []wordClass{
		{symbol: "N-s", tag: "NN", words: nouns},
		{symbol: "N-p", tag: "NNS", words: nouns, inflected: true},
		{symbol: "N-time", tag: "NN", words: "year week month quarter morning summer night"},
		{symbol: "NNP", tag: "NNP", words: names},
		{symbol: "NNP-day", tag: "NNP", words: "Monday Friday Tuesday Thursday Wednesday Sunday Saturday"},
		{symbol: "PRP-s", tag: "PRP", words: "it he she"},
		{symbol: "PRP-p", tag: "PRP", words: "they we you"},
		{symbol: "DT-s", tag: "DT", words: "the a this its every that another each"},
		{symbol: "DT-p", tag: "DT", words: "the some these all many its those few"},
		{symbol: "DT-time", tag: "DT", words: "this every that each"},
		{symbol: "JJ", tag: "JJ", words: adjectives},
		{symbol: "JJ-time", tag: "JJ", words: "last next past early late"},
		{symbol: "V0-s", tag: "VBZ", words: verbsAlone, inflected: true},
		{symbol: "V0-p", tag: "VBP", words: verbsAlone},
		{symbol: "V0-i", tag: "VB", words: verbsAlone},
		{symbol: "V1-s", tag: "VBZ", words: verbsOfObject, inflected: true},
		{symbol: "V1-p", tag: "VBP", words: verbsOfObject},
		{symbol: "V1-i", tag: "VB", words: verbsOfObject},
		{symbol: "V2-s", tag: "VBZ", words: verbsOfGift, inflected: true},
		{symbol: "V2-p", tag: "VBP", words: verbsOfGift},
		{symbol: "V2-i", tag: "VB", words: verbsOfGift},
		{symbol: "VS-s", tag: "VBZ", words: verbsOfSpeech, inflected: true},
		{symbol: "VS-p", tag: "VBP", words: verbsOfSpeech},
		{symbol: "VS-i", tag: "VB", words: verbsOfSpeech},
		{symbol: "VH-s", tag: "VBZ", words: verbsOfHelp, inflected: true},
		{symbol: "VH-p", tag: "VBP", words: verbsOfHelp},
		{symbol: "VH-i", tag: "VB", words: verbsOfHelp},
		{symbol: "VB-s", tag: "VBZ", words: "is seems remains becomes looks"},
		{symbol: "VB-p", tag: "VBP", words: "are seem remain become look"},
		{symbol: "VB-i", tag: "VB", words: "be seem remain become look"},
		{symbol: "MD", tag: "MD", words: "will would can could may should might must"},
		{symbol: "IN-noun", tag: "IN", words: "in for with of on from at to by about over after between against under"},
		{
			symbol: "IN-verb", tag: "IN",
			words: "in for with on to at from by after over under before into about through against without since until",
		},
		{symbol: "IN-that", tag: "IN", words: "that whether if"},
		{symbol: "IN-which", tag: "IN", words: "that"},
		{symbol: "IN-when", tag: "IN", words: "after because before if since while until although as"},
		{symbol: "RB", tag: "RB", words: adverbs},
		{symbol: "RB-not", tag: "RB", words: "not still also never soon"},
		{symbol: "RB-very", tag: "RB", words: "very more still too now already rather almost"},
		{symbol: "CC", tag: "CC", words: "and or but"},
		{symbol: ",", tag: ",", words: ","},
		{symbol: ".", tag: ".", words: ". ? !"},
	}
}

// coarseTags maps each tag to a coarse tag, which does not distinguish forms of a word.
func coarseTags() map[string]string {
	return map[string]string{
		"NN": "N", "NNS": "N", "NNP": "N", "PRP": "P", "DT": "D", "JJ": "A", "RB": "R", "IN": "I", "CC": "C",
		"VBZ": "V", "VBP": "V", "VB": "V", "MD": "V", ",": "F", ".": "F",
	}
}

// ended appends the ending s to a base form.
func ended(word string) string {
	switch stem, y := strings.CutSuffix(word, "y"); {
	case y && !strings.ContainsAny(stem[len(stem)-1:], "aeou"):
		return stem + "ies"
	case strings.HasSuffix(word, "s"), strings.HasSuffix(word, "x"), strings.HasSuffix(word, "ch"),
		strings.HasSuffix(word, "sh"):
		return word + "es"
	}
	return word + "s"
}

const nouns = `
company market share price year plan bank sale report group rate stock government official trader unit offer loan profit
cost fund issue product court state country change interest deal bond business result office index investor program
increase deficit contract worker analyst manager industry customer executive bill drug case decline rise account city
school house job tax order problem rule system agency car computer dollar chip factory farmer engine ship plant bid
credit union member lawyer judge doctor teacher student island town river bridge road train station
airport plane pilot passenger ticket hotel guest room table window door wall roof garden tree flower field crop harvest
storm cloud ocean valley beach mountain forest animal horse bird dog cat letter book author reader editor paper page
picture painter museum song singer concert theatre film actor camera game player coach team goal match race record
prize award debate vote election minister party leader candidate voter campaign budget treaty border soldier army
weapon attack crisis strike demand supply delay risk claim call cut drop gain move need purchase visit study test`

const names = `
Alma Berlin Carter Delta Evans Falcon Geneva Harper Iris Jordan Keller Lisbon Mercer Norway Orion Porter Quentin Rhodes
Stella Turner Ulrich Vienna Walker Xavier Yorke Zurich Adler Boston Cairo Dalton Elster Foster Grant Holland Irving
Joyce Kenya Lambert Milan Newton Oslo Parker Quebec Ramsay Salem Tucker Utrecht Vernon Weston Yale Zeller Austin Baxter
Corinth Denver Egmont Flora Gibson Hudson Ithaca Jasper Kingston Logan Madrid Nelson`

const adjectives = `
new big other major large financial late good high public foreign early common strong low recent national small long
industrial annual federal executive official local free current senior main likely legal higher economic final
private military special poor huge rapid careful serious modern heavy cheap safe bright quiet wooden golden northern
rural urban famous young old ancient empty broken bitter gentle honest humble loyal narrow rare rough sharp smooth
solid steep sudden tender tiny vast vivid weak wild wise individual daily fast hard`

const adverbs = `
now still already soon often early sharply quickly late again here there well slowly recently yesterday today
together widely fast hard heavily quietly rarely gladly abroad once twice daily perhaps finally certainly directly`

const verbsAlone = `
rise fall work end decline wait begin continue grow meet travel arrive leave agree change stop sleep sing vote strike
move talk laugh appear return drop wander gain march shout`

const verbsOfObject = `
buy sell make take hold raise cut pay offer build report plan cover use want lose order need win see find issue open
test run study drive move change call keep reach reject support attack visit follow watch carry check demand supply
claim purchase repair paint praise join help answer delay record trade produce damage fund market house`

const verbsOfGift = `give offer send sell pay show lend teach promise owe award`

const verbsOfSpeech = `say think expect believe know report claim hope see add fear agree argue suggest plan deny`

const verbsOfHelp = `help make let see dare watch hear need`
