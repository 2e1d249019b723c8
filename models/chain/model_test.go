package chain_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

func TestChainConformance(t *testing.T) {
	text := examples.Sentences([]string{"word", "pos"},
		"the/D old/J man/N", "dogs/N bark/V", "run/V", "the/D dogs/N run/V fast/R", "a/D man/N runs/V")
	trainText, heldText := examples.Split(text, 4)
	for _, c := range []struct {
		name              string
		chain             chain.Model
		train, validation datasets.Data
		labels            int
	}{
		{"dense", chain.Model{}, examples.Sequences(1, "dense", 3, 2, 1, 4, 3), examples.Sequences(2, "dense", 3, 2, 2), 3},
		{"sparse", chain.Model{Bias: true}, examples.Sequences(3, "sparse", 4, 5, 4, 1, 2),
			examples.Sequences(4, "sparse", 4, 5, 5), 4},
		{"ones", chain.Model{}, examples.Sequences(5, "ones", 2, 6, 8, 3, 1), nil, 2},
		{"nine labels", chain.Model{}, examples.Sequences(6, "ones", 9, 3, 3, 2, 1), nil, 9},
		{"words", chain.Model{Features: "word[0] word[-1]|word[1] suffix1[0] bias"}, trainText, heldText, 5},
	} {
		for _, edges := range []string{"tied", "untied"} {
			t.Run(c.name+"/"+edges, func(t *testing.T) {
				c.chain.Edges = edges
				task := examples.Build(t, c.chain, c.train, c.validation)
				modeltest.Check(t, task, examples.Chains(c.labels, edges == "untied"), modeltest.CountCosts())
				for i, e := range task.Train { // no Polytope for tied transitions and more than 2 positions
					if known := edges == "untied" || len(e.Truth) < 5; known != (e.Polytope != nil) {
						t.Errorf("sequence %d: has a polytope = %v, want %v", i, e.Polytope != nil, known)
					}
				}
			})
		}
	}
}

// TestChainCost checks that the cost of a labelling is its number of wrong labels (the Hamming loss), and that the
// metrics count the same wrong labels.
func TestChainCost(t *testing.T) {
	d := examples.Sequences(7, "dense", 3, 2, 4)
	task := examples.Build(t, chain.Model{}, d, d)
	e := &task.Validation[0]
	for _, y := range examples.Chains(3, false)(e) {
		wrong := 0.0
		for i, r := range y[:4] {
			if r != i*3+d.Y[i] {
				wrong++
			}
		}
		var cost float64
		for _, r := range y[:4] {
			cost += e.Cost[r]
		}
		num, den := task.Metrics[0].Of(y, e)
		whole, one := task.Metrics[1].Of(y, e)
		if cost != wrong || num != wrong || den != 4 || one != 1 || whole != min(wrong, 1) {
			t.Fatalf("labelling %v with %v wrong labels: cost = %v, metrics = %v/%v and %v/%v", y, wrong, cost, num, den,
				whole, one)
		}
	}
	if len(task.Metrics) != 2 || task.Metrics[0].Name != "validation_error" ||
		task.Metrics[1].Name != "validation_sequence_error" {
		t.Errorf("metrics = %v, want validation_error and validation_sequence_error", task.Metrics)
	}
}

// TestChainErrors checks the errors of wrong settings and data.
func TestChainErrors(t *testing.T) {
	seq := func(change func(*datasets.Sequences)) *datasets.Sequences {
		s := examples.Sequences(8, "sparse", 3, 2, 2, 2)
		change(s)
		return s
	}
	text := func(lines ...string) *datasets.Sentences {
		return examples.Sentences([]string{"word", "pos"}, lines...)
	}
	good := text("a/D b/N", "c/V")
	for _, c := range []struct {
		name              string
		chain             chain.Model
		train, validation datasets.Data
		want              string
	}{
		{"rows", chain.Model{}, examples.Rows(3, 2, 2, false), nil,
			"needs labelled sequences or sentences; the data set has labelled rows"},
		{"mixed", chain.Model{}, good, seq(func(*datasets.Sequences) {}),
			"the training data have sentences, but the validation data have labelled sequences"},
		{"edges", chain.Model{Edges: "both"}, good, nil, `edges is "both"; accepted: tied, untied`},
		{"cutoff", chain.Model{Cutoff: -1}, good, nil, "cutoff is -1: want at least 1"},
		{"bias of sentences", chain.Model{Bias: true}, good, nil, `add the template "bias"`},
		{"features of rows", chain.Model{Features: "word[0]"}, seq(func(*datasets.Sequences) {}), nil,
			`"patterns" and "lexicon" are for sentences`},
		{"one label", chain.Model{}, seq(func(s *datasets.Sequences) { s.Labels = s.Labels[:1] }), nil,
			"at least 2 labels; the training data have 1"},
		{"label out of range", chain.Model{}, seq(func(s *datasets.Sequences) { s.Y[3] = 7 }), nil,
			"position 4 of the training sequences has label 7: want 0 to 2"},
		{"no sequences", chain.Model{}, seq(func(s *datasets.Sequences) { s.Start = s.Start[:1] }), nil,
			"there are no training sequences"},
		{"empty sequence", chain.Model{}, seq(func(s *datasets.Sequences) { s.Start = []int{0, 2, 2, 4} }), nil,
			"training sequence 2 is empty"},
		{"positions", chain.Model{}, seq(func(s *datasets.Sequences) { s.Y = s.Y[:3] }), nil,
			"4 positions, 4 rows and 3 labels"},
		{"wide validation", chain.Model{}, seq(func(*datasets.Sequences) {}), examples.Sequences(9, "sparse", 3, 5, 2),
			"5 features and 3 labels: want at most 2 and 3"},
		{"no sentences", chain.Model{}, text(), nil, "there are no training sentences"},
		{"empty sentence", chain.Model{}, text("a/D b/N", "", "c/V"), nil, "training sentence 2 is empty"},
		{"no label column", chain.Model{Label: "chunk"}, good, nil,
			`label: the sentences have no column "chunk"; they have only word, pos`},
		{"one label in text", chain.Model{}, text("a/D b/D"), nil,
			"at least 2 labels; the training sentences have 1 in column pos"},
		{"texts in another order", chain.Model{}, good, text("b/N a/D"),
			"column word: the validation sentences number its texts in another order"},
		{"no label in validation", chain.Model{}, good, examples.Sentences([]string{"word"}, "a"),
			`validation data: the sentences have no column "pos"`},
		{"no template", chain.Model{Features: " "}, good, nil, "has no template"},
		{"no offset", chain.Model{Features: "bias word"}, good, nil,
			`template "word": "word" is not of the form name[offset]: want for example word[-1]`},
		{"bad offset", chain.Model{Features: "word[x]"}, good, nil, `"word[x]" is not of the form`},
		{"far offset", chain.Model{Features: "word[-100]"}, good, nil, "offset -100: want -99 to 99"},
		{"text after the offset", chain.Model{Features: "word[0]x"}, good, nil, `"word[0]x" is not of the form`},
		{"empty place", chain.Model{Features: "word[0]|"}, good, nil, `"" is not of the form`},
		{"joined bias", chain.Model{Features: "bias|word[0]"}, good, nil, `"bias" is not of the form`},
		{"unknown name", chain.Model{Features: "lemma[0]"}, good, nil,
			`there is no attribute "lemma"; accepted: a column (word, pos), ` +
				`or a function of the column "word" (lower, length, shape, and prefixN and suffixN for N = 1 to 9)`},
		{"prefix of 0", chain.Model{Features: "prefix0[0]"}, good, nil, `there is no attribute "prefix0"`},
		{"prefix of 10", chain.Model{Features: "prefix10[0]"}, good, nil, `there is no attribute "prefix10"`},
		{"looks at the label", chain.Model{Features: "pos[-1]"}, good, nil, `the column "pos" is the label`},
		{"made of the label", chain.Model{Features: "suffix1[0]", Label: "word"}, good, nil,
			`"suffix1" is a function of the column "word", the label`},
		{"twice", chain.Model{Features: "word[0] bias word[0]"}, good, nil, `template "word[0]" occurs twice`},
		{"no words", chain.Model{Label: "y"}, examples.Sentences([]string{"x", "y"}, "a/b c/d"), nil,
			`template "word[0]": there is no attribute "word"; accepted: a column (x, y); if a column has the name "word", ` +
				"also lower"},
		{"no columns", chain.Model{}, &datasets.Sentences{Start: []int{0, 1}}, nil, "the sentences have no columns"},
		{"no default label", chain.Model{}, treebank("word", "tag"), nil,
			`the setting "label" is not set, and ` +
				`its default for sentences with heads is "pos": the sentences have no column "pos"; ` +
				`they have only word, tag; set it to one of these`},
		{"suffix without words", chain.Model{Label: "y", Features: "suffix2[0]"},
			examples.Sentences([]string{"x", "y"}, "a/b c/d"),
			nil, `"suffix2" is a function of the column "word"`},
	} {
		_, err := c.chain.Build(c.train, c.validation)
		examples.Refused(t, c.name, err, c.want, "model chain")
	}
}

// treebank returns a sentence of two tokens with heads.
func treebank(columns ...string) *datasets.Sentences {
	s := examples.Sentences(columns, "a/b c/d")
	s.Heads = []int32{0, 1}
	return s
}

// TestDefaultLabel checks that a chain predicts the last column, or the column pos of a treebank. The task's About must
// describe what is predicted from what.
func TestDefaultLabel(t *testing.T) {
	three := []string{"word", "pos", "chunk"}
	heads := examples.Sentences(three, "a/D/B-NP b/N/I-NP", "c/V/O")
	heads.Heads = []int32{2, 0, 0}
	for _, c := range []struct {
		name  string
		chain chain.Model
		data  *datasets.Sentences
		want  string
	}{
		{"last of two", chain.Model{}, examples.Sentences([]string{"word", "tag"}, "a/D b/N"), "tag from word: 2 labels"},
		{"last of three", chain.Model{}, examples.Sentences(three, "a/D/B-NP b/N/I-NP", "c/V/O"),
			"chunk from pos, word: 3 labels, F1 of spans"},
		{"chunks without tags", chain.Model{}, examples.Sentences([]string{"word", "chunk"}, "a/B-NP b/O"),
			"chunk from word: 2 labels, F1 of spans"},
		{"set", chain.Model{Label: "pos"}, examples.Sentences(three, "a/D/B-NP b/N/O"), "pos from word: 2 labels"},
		{"treebank", chain.Model{}, heads, "pos from word: 3 labels"},
		{"bias", chain.Model{Features: "bias"}, examples.Sentences([]string{"word", "tag"}, "a/D b/N"),
			"tag from no column: 2 labels"},
	} {
		task, err := c.chain.Build(c.data, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if task.About != c.want {
			t.Errorf("%s: the task is about %q; want %q", c.name, task.About, c.want)
		}
	}
}

// TestChainWeightsOfRows checks the layout of the weights for rows of numbers: features, bias, transitions.
func TestChainWeightsOfRows(t *testing.T) {
	d := &datasets.Sequences{
		X:     datasets.Rows{N: 2, Dim: 2, Value: []float64{2, 0, -1, 3}},
		Start: []int{0, 2}, Y: []int{0, 1}, Labels: []string{"a", "b"},
	}
	task := examples.Build(t, chain.Model{Bias: true}, d, nil)
	if task.Dim() != 3*2+4 {
		t.Fatalf("Dim = %d, want 10", task.Dim())
	}
	theta := make([]float64, 8)
	task.Train[0].Features.Score(theta, []float64{1, 10, 100, 1000, 0.5, 0.25, 7, 8, 9, 6})
	if want := []float64{2.5, 20.25, 299.5, 2990.25, 7, 8, 9, 6}; !slices.Equal(theta, want) {
		t.Errorf("scores = %v, want %v", theta, want)
	}
	if got, want := fmt.Sprint(task.Train[0].Truth), "[0 3 5]"; got != want {
		t.Errorf("truth = %s, want %s", got, want)
	}
}
