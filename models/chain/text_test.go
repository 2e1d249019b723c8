package chain_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets/real"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestChainDefaultTemplates checks that each default template has one feature at each token.
func TestChainDefaultTemplates(t *testing.T) {
	s := examples.Sentences([]string{"word", "pos", "chunk"}, "the/DT old/JJ man/NN sleeps/VBZ", "go/VB")
	for _, c := range []struct {
		label string
		want  float64
	}{{"", 22}, {"pos", 22}, {"chunk", 19}} {
		if c.label == "chunk" {
			s = examples.Sentences([]string{"word", "pos", "chunk"}, "the/DT/B-NP old/JJ/I-NP man/NN/I-NP sleeps/VBZ/B-VP",
				"go/VB/B-VP")
		} else {
			s.Columns = s.Columns[:2]
		}
		task := examples.Build(t, chain.Model{Label: c.label}, s, nil)
		for i, e := range task.Train {
			l := s.Start[i+1] - s.Start[i]
			mu := make([]float64, e.Features.Parts())
			k := len(e.Cost) / l
			for at := range l {
				mu[at*k] = 1
			}
			var sparse models.Sparse
			e.Features.(models.SparseMap).Adjoint(&sparse, mu)
			var fired float64
			for _, v := range sparse.Value {
				fired += v
			}
			if fired != c.want*float64(l) {
				t.Errorf("label %q: %v features at %d tokens, want %v per token", c.label, fired, l, c.want)
			}
		}
	}
}

// TestChainAttributes builds each template on a sentence of two words. There must be one feature if the attribute has
// the same value for both words, otherwise two.
func TestChainAttributes(t *testing.T) {
	for _, c := range []struct {
		template, first, second string
		same                    bool
	}{
		{"word[0]", "The", "the", false},
		{"lower[0]", "The", "the", true},
		{"prefix2[0]", "walk", "wall", true},
		{"prefix3[0]", "walk", "wall", true},
		{"prefix4[0]", "walk", "wall", false},
		{"prefix9[0]", "walk", "walk", true},
		{"prefix1[0]", "äb", "äc", true},
		{"prefix1[0]", "äb", "öb", false},
		{"prefix3[0]", "ab", "abc", false},
		{"suffix3[0]", "bring", "sing", true},
		{"suffix4[0]", "bring", "sing", false},
		{"suffix1[0]", "né", "mé", true},
		{"suffix1[0]", "né", "ne", false},
		{"length[0]", "été", "ice", true},
		{"length[0]", "ice", "icy!", false},
		{"shape[0]", "McDonald-97", "DeVito-3", true},
		{"shape[0]", "Paris", "PARIS", false},
		{"shape[0]", "i.e.", "i.e", false},
		{"shape[0]", "5,000", "12,1", true},
		{"bias", "a", "b", true},
	} {
		task := examples.Build(t, chain.Model{Features: c.template},
			examples.Sentences([]string{"word", "pos"}, c.first+"/A "+c.second+"/B"), nil)
		if n := features(task, 2); n != 1 && c.same || n != 2 && !c.same {
			t.Errorf("%s: number of features of %s and %s = %d, same value = %v; want 1 feature for the same value, else 2",
				c.template, c.first, c.second, n, c.same)
		}
	}
}

// features returns the number of features of a task with k labels.
func features(task *models.Task, k int) int { return (task.Dim() - k*k) / k }

// TestChainPlaces checks the number of features of templates with offsets and conjunctions. Tokens outside the sentence
// at different distances have different features.
func TestChainPlaces(t *testing.T) {
	s := examples.Sentences([]string{"word", "pos"}, "a/A b/B a/A b/A", "a/A")
	for template, want := range map[string]int{
		"word[0]":                         2,
		"word[-1]":                        3, // the previous token: outside, a, b
		"word[-2]":                        4, // outside at distance 2, outside at distance 1, a, b
		"word[+1]":                        3,
		"word[9]":                         4, // at the ends, 6, 7, 8 or 9 tokens outside
		"word[0]|word[1]":                 4, // a b, b a, b outside, a outside
		"word[-1]|word[0]|word[1]":        5, // -ab, aba, bab, ab-, -a-, where - is outside
		"word[0]|word[0]":                 2,
		"word[0] word[1] bias":            6,
		"word[0]|word[1] word[1]|word[0]": 8,
	} {
		if n := features(examples.Build(t, chain.Model{Features: template}, s, nil), 2); n != want {
			t.Errorf("%s: number of features = %d, want %d", template, n, want)
		}
	}
}

// TestChainCutoff checks the number of features that each cutoff keeps, and the warning if it keeps none.
func TestChainCutoff(t *testing.T) {
	s := examples.Sentences([]string{"word", "pos"}, "a/A b/B a/A", "a/A c/A b/B")
	for cutoff, want := range []int{3, 3, 2, 1, 0} { // a occurs 3 times, b twice, c once
		task := examples.Build(t, chain.Model{Features: "word[0]", Cutoff: cutoff}, s, nil)
		if n := features(task, 2); n != want {
			t.Errorf("cutoff %d: number of features = %d, want %d", cutoff, n, want)
		}
		const warning = "model chain: cutoff is 4, but the most frequent feature of the tokens occurs 3 times, so no " +
			"feature is kept: reduce cutoff"
		if warned := slices.Contains(task.Warnings, warning); warned != (want == 0) {
			t.Errorf("cutoff %d, which keeps %d features: warnings = %q, want the warning exactly if none is kept", cutoff,
				want, task.Warnings)
		}
		modelsRun(t, task)
	}
}

// modelsRun checks that the objective can be evaluated, even if a task has no features.
func modelsRun(t *testing.T, task *models.Task) {
	t.Helper()
	g := make([]float64, task.Dim())
	if v := examples.RiskOf(t, task, models.LogLoss(), 1).Gradient(g, make([]float64, task.Dim())); !(v > 0) ||
		math.IsInf(v, 0) {
		t.Errorf("primal at w = 0 is %v, want a positive finite number", v)
	}
}

// TestChainValidationFeatures checks that validation sentences have only features of the training sentences.
func TestChainValidationFeatures(t *testing.T) {
	train, held := examples.Split(examples.Sentences([]string{"word", "pos"}, "a/A b/B", "b/B a/A c/A", "b/B"), 1)
	task := examples.Build(t, chain.Model{Features: "word[0] word[-1]|word[0]"}, train, held)
	if n := features(task, 2); n != 4 { // word[0]: a, b; word[-1]|word[0]: outside a, a b
		t.Fatalf("%d features, want 4", n)
	}
	w := []float64{1, 0, 10, 0, 100, 0, 1000, 0, 0, 0, 0, 0}
	for i, want := range [][]float64{{10, 0, 1, 0, 0, 0}, {10, 0}} {
		e := &task.Validation[i]
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, w)
		if got := theta[:len(want)]; !slices.Equal(got, want) {
			t.Errorf("scores of validation sentence %d = %v, want %v", i, got, want)
		}
	}
}

// TestChainUnknownLabel checks a label that occurs only in validation: it is not a label of the model, every prediction
// at its positions is wrong, and there is a warning.
func TestChainUnknownLabel(t *testing.T) {
	train, held := examples.Split(examples.Sentences([]string{"word", "chunk"}, "a/B-X b/O", "a/B-X b/I-Y a/I-Y b/O"), 1)
	task := examples.Build(t, chain.Model{Label: "chunk", Features: "word[0]"}, train, held)
	e := &task.Validation[0]
	if got := len(e.Cost); got != 4*2 {
		t.Fatalf("%d costs, want 8 for 4 positions with 2 labels", got)
	}
	right := models.Vertex{0, 2, 4, 7, 8, 8, 9} // B-X B-X B-X O
	for m, want := range [][2]float64{{2, 4}, {1, 1}, {2, 5}} {
		if num, den := task.Metrics[m].Of(right, e); num != want[0] || den != want[1] {
			t.Errorf("%s of the best possible labelling = %v/%v, want %v/%v", task.Metrics[m].Name, num, den, want[0], want[1])
		}
	}
	if want := "2 validation tokens have labels that no training token has, and count as errors: I-Y"; !slices.Equal(
		task.Warnings, []string{want}) {
		t.Errorf("warnings = %q, want %q", task.Warnings, want)
	}
}

// TestChainF1OfSingleTokens checks that F1 supports IOBES and BILOU labels, including spans of a single token.
func TestChainF1OfSingleTokens(t *testing.T) {
	for _, c := range []struct{ train, held string }{
		{"a/B-X b/I-X c/E-X d/S-X e/S-Y f/O", "a/B-X b/E-X c/B-X d/I-X e/E-X f/S-Y"},
		{"a/B-X b/I-X c/L-X d/U-X e/U-Y f/O", "a/B-X b/L-X c/B-X d/I-X e/L-X f/U-Y"},
	} {
		train, held := examples.Split(examples.Sentences([]string{"word", "ner"}, c.train, c.held), 1)
		task := examples.Build(t, chain.Model{Label: "ner", Features: "word[0]"}, train, held)
		if len(task.Metrics) != 3 {
			t.Fatalf("%s: %d metrics, want 3 with validation_f1", c.train, len(task.Metrics))
		}
		e := &task.Validation[0]
		if num, den := task.Metrics[2].Of(e.Truth, e); num != 6 || den != 6 {
			t.Errorf("%s: F1 of the truth = %v/%v, want 6/6 for three spans", c.held, num, den)
		}
	}
}

// TestChainF1 checks that spans are counted as by conlleval: a span is correct if its begin, end and type are.
func TestChainF1(t *testing.T) {
	names := strings.Fields("O B-X I-X B-Y I-Y")
	for _, c := range []struct {
		truth, prediction string
		num, den          float64
	}{
		{"O O", "O O", 0, 0},
		{"B-X I-X", "B-X I-X", 2, 2},
		{"B-X I-X O", "B-X O O", 0, 2},
		{"B-X O O", "B-X I-X O", 0, 2},
		{"B-X B-X", "B-X I-X", 0, 3},
		{"B-X I-X", "B-X B-X", 0, 3},
		{"B-X B-Y", "B-X B-Y", 4, 4},
		{"B-X B-Y", "B-Y B-Y", 2, 4},
		{"O I-X", "O B-X", 2, 2},           // an I after O begins a span
		{"B-X I-Y I-Y", "O B-Y I-Y", 2, 3}, // an I after another type begins a span, too
		{"B-X I-X B-Y", "B-X I-X I-X", 0, 3},
		{"B-X O B-Y I-Y", "B-X O O B-Y", 2, 4},
		{"I-X O B-X", "B-X O I-X", 4, 4},
	} {
		truth := strings.Fields(c.truth)
		train := examples.Sentences([]string{"word", "chunk"}, "w/"+strings.Join(names, " w/"),
			"w/"+strings.Join(truth, " w/"))
		task := examples.Build(t, chain.Model{Label: "chunk", Features: "bias"}, train, nil)
		prediction := make(models.Vertex, 2*len(truth)-1)
		for i, label := range strings.Fields(c.prediction) {
			prediction[i] = i*len(names) + slices.Index(names, label)
		}
		if num, den := task.Metrics[2].Of(prediction, &task.Train[1]); num != c.num || den != c.den {
			t.Errorf("truth %s, prediction %s: F1 = %v/%v, want %v/%v", c.truth, c.prediction, num, den, c.num, c.den)
		}
	}
}

// TestChainCoNLL2000 checks the sizes of two tasks: chunking with features that occur at least three times, and
// tagging.
func TestChainCoNLL2000(t *testing.T) {
	set := realSet(t, &real.CoNLL2000{Train: 8936, Validation: 2012})
	for _, c := range []struct {
		chain  chain.Model
		labels int
		dim    int
	}{
		{chain.Model{Label: "chunk", Cutoff: 3}, 22, 76328*22 + 22*22},
		{chain.Model{Label: "pos"}, 44, 84482*44 + 44*44},
	} {
		task := examples.Build(t, c.chain, set.Train, set.Validation)
		if task.Dim() != c.dim || len(task.Train) != 8936 || len(task.Validation) != 2012 {
			t.Errorf("label %q: %d weights, %d training and %d validation sentences, want %d, 8936 and 2012", c.chain.Label,
				task.Dim(),
				len(task.Train), len(task.Validation), c.dim)
		}
		if e := &task.Train[0]; len(e.Cost) != 37*c.labels {
			t.Errorf("label %q: %d costs of the first sentence, want 37 tokens with %d labels", c.chain.Label, len(e.Cost),
				c.labels)
		}
	}
}
