package chain_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// ownModel returns a model with two patterns, a word list and numbers.
func ownModel(t *testing.T, features string) chain.Model {
	t.Helper()
	m := chain.Model{Label: "tag", Features: features, Lexicon: "words.txt",
		Patterns: map[string]string{"year": `^(19|20)\d\d$`, "dots": `\.`}}
	if err := m.Read("words.txt", strings.NewReader("the DET\nhas AUX\n\nhas VERB\nhas AUX\nIn PREP\n")); err != nil {
		t.Fatal(err)
	}
	return m
}

// ownSentences returns sentences with a column of numbers; data is its last text.
func ownSentences(last string) *datasets.Sentences {
	return examples.Sentences([]string{"word", "size", "tag"}, "The/2/D year/-1.5/N 1987/_/Y has/0/V u.s./1e1/N",
		"in/3/P the/2/D 3000/"+last+"/N")
}

// TestOwnAttributes checks how many features the user's attributes have, and the values of numbers.
func TestOwnAttributes(t *testing.T) {
	for _, c := range []struct {
		template string
		features int
	}{
		{"year[0]", 2},                   // yes and no
		{"dots[0]|year[0]", 3},           // no combination of both
		{"lexicon[0]", 4},                // DET, AUX+VERB, no; "in" is not "In", and neither is its lower case
		{"number:size[0]", 1},            // one weight per label
		{"lexicon[0]|number:size[0]", 2}, // 1987 and has have the number 0
		{"number:size[-1]|number:size[0]", 1},
	} {
		if c.template == "lexicon[0]" {
			c.features = 3
		}
		task := examples.Build(t, ownModel(t, c.template), ownSentences("4"), nil)
		if n := features(task, 5); n != c.features {
			t.Errorf("%s: %d features, want %d", c.template, n, c.features)
		}
	}
	task := examples.Build(t, ownModel(t, "number:size[-1]|number:size[0]"), ownSentences("4"), nil)
	w := make([]float64, task.Dim())
	w[0] = 1 // the weight of the first label
	for i, want := range [][]float64{{0, -3, 0, 0, 0}, {0, 6, 8}} {
		e := task.Train[i]
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, w)
		for at, v := range want {
			if theta[at*5] != v {
				t.Errorf("sentence %d, token %d: score = %v, want %v", i, at, theta[at*5], v)
			}
		}
	}
}

// TestOwnAttributesInPredictions checks that a decoder with the vocabulary of a task, but without its patterns and word
// list, gives the scores of the task's validation examples.
func TestOwnAttributesInPredictions(t *testing.T) {
	m := ownModel(t, "word[0] year[0]|lexicon[1] lexicon[-1]|lexicon[0] number:size[0] dots[0]|number:size[1] bias")
	held := ownSentences("2.5")
	train := ownSentences("4")
	for i := range train.Columns { // both number their texts in the same way
		text := slices.Clone(train.Columns[i].Text)
		for _, s := range held.Columns[i].Text {
			if !slices.Contains(text, s) {
				text = append(text, s)
			}
		}
		for at, id := range held.Columns[i].ID {
			held.Columns[i].ID[at] = int32(slices.Index(text, held.Columns[i].Text[id]))
		}
		held.Columns[i].Text = text
	}
	task := examples.Build(t, m, train, held)
	vocabulary, err := json.Marshal(task.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := chain.Model{Features: m.Features, Lexicon: "words.txt"}.Restore(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	w := examples.Normals(rand.New(rand.NewPCG(1, 2)), task.Dim(), 1)
	if decoder.Dim() != len(w) {
		t.Fatalf("decoder has %d weights, the task %d", decoder.Dim(), len(w))
	}
	scores := func(e models.Example) []float64 {
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, w)
		return theta
	}
	for i := range held.Len() {
		one := &datasets.Sentences{Start: []int{0, held.Start[i+1] - held.Start[i]}}
		for _, c := range held.Columns {
			one.Columns = append(one.Columns, datasets.Column{Name: c.Name, ID: c.ID[held.Start[i]:held.Start[i+1]],
				Text: c.Text})
		}
		e, err := decoder.Example(one)
		if err != nil {
			t.Fatal(err)
		}
		want, got := scores(task.Validation[i]), scores(e)
		for r, v := range want {
			if !(math.Abs(v-got[r]) <= 1e-12) {
				t.Fatalf("sentence %d: score of part %d = %v, want %v", i, r, got[r], v)
			}
		}
	}
	if _, err := decoder.Example(ownSentences("x").Pick([]int{1})); err == nil ||
		!strings.Contains(err.Error(), `column "size": "x" is not a finite decimal number`) {
		t.Errorf("error of a text that is no number: %v", err)
	}
}

// TestOwnAttributesWrong checks the errors of wrong patterns, word lists and numbers.
func TestOwnAttributesWrong(t *testing.T) {
	for _, c := range []struct {
		model chain.Model
		last  string
		want  string
	}{
		{chain.Model{Features: "year[0]", Patterns: map[string]string{"year": "("}}, "1",
			"patterns: year: error parsing regexp"},
		{chain.Model{Features: "bias", Patterns: map[string]string{"lower": "x"}}, "1", `"lower" is the name of another`},
		{chain.Model{Features: "bias", Patterns: map[string]string{"a|b": "x"}}, "1", "want a word"},
		{chain.Model{Features: "lexicon[0]"}, "1", `want the setting "lexicon"`},
		{chain.Model{Features: "number:size[0]"}, "x", `"x" is not a finite decimal number`},
		{chain.Model{Features: "number:size[0]"}, "0x10", "not a finite decimal number"},
		{chain.Model{Features: "number:size[0]"}, "inf", "not a finite decimal number"},
		{chain.Model{Features: "number:tag[0]"}, "1", "the label to predict"},
		{chain.Model{Features: "number:price[0]"}, "1", "price"},
		{chain.Model{Features: "yaer[0]", Patterns: map[string]string{"year": "x"}}, "1",
			"accepted: a column (word, size, tag, year)"},
	} {
		c.model.Label = "tag"
		if _, err := c.model.Build(ownSentences(c.last), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("features %q: error = %v, want %q", c.model.Features, err, c.want)
		}
	}
	for text, want := range map[string]string{"": "no words", "a b c\n": "l:1:1: 3 texts", "a\n\nb x y": "l:3:1"} {
		m := chain.New()
		if err := m.Read("l", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("word list %q: error = %v, want %q", text, err, want)
		}
	}
}
