package nearest_test

import (
	"testing"

	"github.com/gaplab/gaplab/internal/nearest"
)

// TestDidYouMean checks that words with one or two wrong letters are recognised in upper and lower case, and that a
// word unlike all candidates is not recognised.
func TestDidYouMean(t *testing.T) {
	words := []string{"passes", "gap", "epochs", "eg/fig06"}
	for word, want := range map[string]string{
		"pases": `, did you mean "passes"?`, "PASSES": `, did you mean "passes"?`, "psases": `, did you mean "passes"?`,
		"gpa": `, did you mean "gap"?`, "eg/fig6": `, did you mean "eg/fig06"?`, "g": "", "": "", "seconds": "",
	} {
		if got := nearest.DidYouMean(word, words); got != want {
			t.Errorf("DidYouMean(%q) = %q, want %q", word, got, want)
		}
	}
}

// TestNames checks that words unlike all candidates in spelling lead to the candidates with a common part, at most
// three.
func TestNames(t *testing.T) {
	words := []string{"words", "ocr-letters", "letter", "letter-a", "letter-b", "conll2000"}
	for word, want := range map[string]string{
		"wrods": `, did you mean "words"?`, "ocr": `, did you mean "ocr-letters"?`, "my-words": `, did you mean "words"?`,
		"big-letters": `, did you mean "ocr-letters", "letter" or "letter-a"?`, "conll": `, did you mean "conll2000"?`,
		"zzz": "", "b": "", "": "",
	} {
		if got := nearest.Names(word, words); got != want {
			t.Errorf("Names(%q) = %q, want %q", word, got, want)
		}
	}
}

// TestSynonyms checks that, for another word of machine learning, DidYouMean suggests the word of gaplab that is
// accepted.
func TestSynonyms(t *testing.T) {
	losses, models := []string{"log", "hinge", "slack"}, []string{"binary", "multiclass", "chain"}
	for _, c := range []struct {
		word     string
		accepted []string
		want     string
	}{
		{"logistic", losses, `, did you mean "log"?`},
		{"Logistic", models, `, did you mean "multiclass"?`},
		{"CRF", models, `, did you mean "chain"?`},
		{"svm", losses, `, did you mean "hinge"?`},
		{"crf", []string{"passes"}, ""},
	} {
		if got := nearest.DidYouMean(c.word, c.accepted); got != c.want {
			t.Errorf("DidYouMean(%q, %q) = %q, want %q", c.word, c.accepted, got, c.want)
		}
	}
}

// TestModel checks the forms of models for words of the field.
func TestModel(t *testing.T) {
	models := []string{"binary", "multiclass", "chain"}
	for word, want := range map[string]string{
		"crf": "{name: chain, loss: log}", "Logistic Regression": "{name: multiclass, loss: log}",
		"SVM": "{name: multiclass, loss: hinge}", "chain": "{name: chain, loss: ...}", "pcfg": "", "tree": "",
	} {
		if got := nearest.Model(word, models); got != want {
			t.Errorf("Model(%q) = %q, want %q", word, got, want)
		}
	}
	if got := nearest.Model("pcfg", nil); got != "{name: cfg, loss: log}" {
		t.Errorf("Model(pcfg) = %q without a list of models", got)
	}
}
