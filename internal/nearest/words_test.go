package nearest

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// edits returns the distance of two words by its recursive definition.
func edits(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	x, y := a[:len(a)-1], b[:len(b)-1]
	same := 1
	if a[len(a)-1] == b[len(b)-1] {
		same = 0
	}
	d := min(edits(x, b)+1, edits(a, y)+1, edits(x, y)+same)
	if len(a) > 1 && len(b) > 1 && a[len(a)-1] == b[len(b)-2] && a[len(a)-2] == b[len(b)-1] {
		d = min(d, edits(a[:len(a)-2], b[:len(b)-2])+1)
	}
	return d
}

// TestDistance compares the distance of random words with its recursive definition.
func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	word := func() string {
		b := make([]byte, r.IntN(6))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 1500 {
		a, b := word(), word()
		if got, want := distance(a, b), edits(a, b); got != want {
			t.Fatalf("distance(%q, %q) = %d, want %d", a, b, got, want)
		}
	}
}

// TestWord checks which candidate is the nearest: a word of the same meaning before one of similar spelling, the first
// accepted meaning, the closest spelling and of those the first, and none that differs in too many letters.
func TestWord(t *testing.T) {
	for _, c := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"time", []string{"times", "seconds", "cpu_seconds"}, "cpu_seconds"},
		{"time", []string{"times", "seconds"}, "seconds"},
		{"time", []string{"times", "passes"}, "times"}, {"Duality Gap", []string{"gap"}, "gap"},
		{"duality_gap", []string{"gap"}, "gap"}, {"perceptron", []string{"sgd", "hinge"}, "hinge"},
		{"perceptron", []string{"sgd"}, "sgd"}, {"ssvm", []string{"bcfw"}, "bcfw"},
		{"ssvm", []string{"bcfw", "hinge", "chain"}, "chain"},
		{"abcdef", []string{"abcxyz", "abcdxy", "abcdxx"}, "abcdxy"}, {"abcdef", []string{"abcdxy", "abcdex"}, "abcdex"},
		{"abcdef", []string{"abcxyz"}, ""}, {"abc", []string{"axy"}, ""}, {"abc", []string{"abx"}, "abx"},
		{"ab", []string{"xb"}, "xb"}, {"ab", []string{"xy"}, ""}, {"a", []string{"b"}, ""}, {"a", []string{"A"}, "A"},
		{"abcd", []string{"abxy"}, "abxy"}, {"ABCDEF", []string{"abcdxY"}, "abcdxY"}, {"abc", nil, ""},
	} {
		if got := Word(c.word, c.candidates); got != c.want {
			t.Errorf("nearest to %q in %q: %q, want %q", c.word, c.candidates, got, c.want)
		}
	}
}

// TestAskTexts checks the texts of questions and of lists of accepted words.
func TestAskTexts(t *testing.T) {
	for want, words := range map[string][]string{
		"": {"", ""}, `, did you mean "a"?`: {"", "a", ""}, `, did you mean "a" or "b"?`: {"a", "", "b"},
		`, did you mean "a", "b" or "c \"d\""?`: {"a", "b", `c "d"`},
	} {
		if got := Ask(words...); got != want {
			t.Errorf("Ask(%q) = %q, want %q", words, got, want)
		}
	}
	for word, want := range map[string]string{"pases": `, did you mean "passes"?; accepted: gap, passes`,
		"zzz": "; accepted: gap, passes"} {
		if got := Accepted(word, []string{"gap", "passes"}); got != want {
			t.Errorf("Accepted(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Names("my_data", []string{"a-data", "data_b", "mydatabase", "d", "data"}); got !=
		`, did you mean "a-data", "data_b" or "mydatabase"?` {
		t.Errorf("names like my_data: %q", got)
	}
}

// TestSynonymsAreWords checks that each other word of the field has a meaning that differs from it, in the form of
// words that are accepted, and that the forms of models are for words of the list only.
func TestSynonymsAreWords(t *testing.T) {
	for _, word := range []string{"crf", "ssvm", "svm", "perceptron", "logistic", "parser", "pcfg", "margin", "nll",
		"rbf", "pegasos", "fw", "time", "iters", "f1", "bio", "ud", "tol", "seed"} {
		list := synonyms(word)
		if len(list) == 0 || list[0] == word || strings.ContainsAny(strings.Join(list, ""), "- ") {
			t.Errorf("%s means %q", word, list)
		}
		if _, ok := learner(word); !ok && Model(word, []string{"chain"}) != "" {
			t.Errorf("%s is no model, but has the form %q", word, Model(word, []string{"chain"}))
		}
	}
	if synonyms("unknown") != nil {
		t.Errorf("an unknown word means %q", synonyms("unknown"))
	}
	for _, c := range []struct {
		word   string
		models []string
		want   string
	}{
		{"crf", []string{"multiclass"}, ""}, {"crf", nil, "{name: chain, loss: log}"}, {"own", nil, "{name: own, loss: ...}"},
		{"own", []string{"own"}, "{name: own, loss: ...}"}, {"Linear CRF", []string{"chain"}, ""},
		{"linear_chain crf", []string{"chain"}, "{name: chain, loss: log}"},
		{"linear", []string{"linear"}, "{name: linear, loss: ...}"}, {"m3n", []string{"chain"}, "{name: chain, loss: hinge}"},
	} {
		if got := Model(c.word, c.models); got != c.want {
			t.Errorf("the form of %q with the models %q is %q, want %q", c.word, c.models, got, c.want)
		}
	}
}
