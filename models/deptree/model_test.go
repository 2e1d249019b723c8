package deptree_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// plain is the model with the settings of most tests.
var plain = deptree.Model{Arcs: "all", Cutoff: 1, Between: "count", Roots: "single"}

// changed returns a copy of plain that change has modified.
func changed(change func(*deptree.Model)) deptree.Model {
	m := plain
	change(&m)
	return m
}

// sample returns four sentences with trees.
func sample() *datasets.Sentences {
	return examples.Dependencies(
		"the/D/2 dog/N/3 barks/V/0",
		"dogs/N/2 bark/V/0 at/P/2 the/D/5 cat/N/3",
		"go/V/0",
		"a/D/2 cat/N/3 sees/V/0 dogs/N/3",
	)
}

func TestDepTree(t *testing.T) {
	for _, roots := range []string{"single", "multi"} {
		t.Run(roots, func(t *testing.T) {
			m := changed(func(m *deptree.Model) { m.Roots = roots })
			task := examples.Build(t, m, sample(), sample())
			modeltest.Check(t, task, func(e *models.Example) []models.Vertex {
				return examples.ProjectiveTrees(len(e.Truth), roots == "multi")
			}, modeltest.Examples(4), modeltest.AnyTies(), modeltest.CountCosts())
		})
	}
}

// TestDepTreeParts checks that the parts of the truth are the arcs of the data, numbered as the comment of Model
// states, and that a wrong arc costs 1.
func TestDepTreeParts(t *testing.T) {
	task := examples.Build(t, plain, sample(), nil)
	// The arcs are 2 → 1, 3 → 2, and root → 3. Their parts are (m−1)·3 + h − [h > m].
	if got, want := task.Train[0].Truth, (models.Vertex{0*3 + 1, 1*3 + 2, 2*3 + 0}); !got.Equal(want) {
		t.Errorf("truth of the first sentence = %v, want %v", got, want)
	}
	e := &task.Train[1]
	var cost float64
	for _, c := range e.Cost {
		cost += c
	}
	if cost != 20 || e.Truth.Dot(e.Cost) != 0 {
		t.Errorf("sum of the costs = %v, cost of the truth = %v, want 20 wrong arcs with cost 1, and 0", cost,
			e.Truth.Dot(e.Cost))
	}
}

// TestDepTreeFeatures checks the number of features of an arc for several cutoffs. Equal arcs of two equal sentences
// share all features, so a cutoff of 2 keeps them. A cutoff above every count keeps none.
func TestDepTreeFeatures(t *testing.T) {
	twice := examples.Dependencies("the/D/2 dog/N/3 barks/V/0", "the/D/2 dog/N/3 barks/V/0")
	norms := func(cutoff int) (dim int, squares []float64) {
		task := examples.Build(t, changed(func(m *deptree.Model) { m.Cutoff = cutoff }), twice, nil)
		for i := range task.Train {
			w := make([]float64, task.Dim())
			f := task.Train[i].Features.(models.SparseMap)
			f.Add(w, 1, models.Vertex{0*3 + 1}) // the arc dog → the
			var sum float64
			for _, x := range w {
				sum += x * x
			}
			squares = append(squares, sum)
		}
		return task.Dim(), squares
	}
	// Each of the 21 templates gives one feature without and one with the length of the arc. There are no tags between the
	// ends.
	if _, n := norms(1); n[0] != 42 || n[1] != 42 {
		t.Errorf("features of the arc dog → the = %v, want 42", n)
	}
	dim2, n := norms(2)
	if dim1, _ := norms(1); dim1 != dim2 || n[0] != 42 {
		t.Errorf("all features occur twice, but cutoff 2 keeps %d of %d; features of one arc = %v, want 42", dim2, dim1, n)
	}
	if dim, n := norms(100); dim != 1 || n[0] != 0 {
		t.Errorf("cutoff 100: Dim = %d, features of one arc = %v, want 1 and none", dim, n)
	}
}

// TestDepTreeAlphabet checks that gold arcs give fewer features than all arcs, and that coarse tags add 18 templates.
func TestDepTreeAlphabet(t *testing.T) {
	data := examples.Dependencies("a/A/2 b/B/0 c/C/2")
	dim := func(arcs string, cutoff int) int {
		return examples.Build(t, changed(func(m *deptree.Model) { m.Arcs, m.Cutoff = arcs, cutoff }), data, nil).Dim()
	}
	gold, all := dim("gold", 1), dim("all", 1)
	if gold >= all || gold > 3*42+2 {
		t.Errorf("features with gold arcs = %d, with all arcs = %d, want fewer with gold arcs, at most 42 per arc and 2 for "+
			"tags in between", gold, all)
	}
	without := gold
	cpos := datasets.Column{Name: "cpos", ID: []int32{0, 1, 2}, Text: []string{"X", "Y", "Z"}}
	data.Columns = append(data.Columns, cpos)
	if got, want := dim("gold", 1), without+3*36; got > want || got < want-20 {
		t.Errorf("features with coarse tags = %d, want about %d, with 36 more per arc", got, want)
	}
}

// TestDepTreeInBetween checks the value of the feature of a tag between the ends of an arc: its number of occurrences,
// or 1. Such a tag has two features, one of which includes the length of the arc.
func TestDepTreeInBetween(t *testing.T) {
	for _, c := range []struct {
		between string
		want    float64
	}{{"count", 42 + 2*2*2}, {"once", 42 + 2}} {
		task := examples.Build(t, changed(func(m *deptree.Model) { m.Between = c.between }),
			examples.Dependencies("a/A/0 b/B/1 b/B/1 c/C/1"), nil)
		w := make([]float64, task.Dim())
		f := task.Train[0].Features.(models.SparseMap)
		f.Add(w, 1, models.Vertex{3*4 + 1})
		var squares float64
		for _, x := range w {
			squares += x * x
		}
		if squares != c.want {
			t.Errorf("%s: |φ|² of the long arc = %v, want %v", c.between, squares, c.want)
		}
	}
}

// TestDepTreeAccuracy checks that validation_accuracy counts all tokens, and validation_accuracy_words ignores
// punctuation.
func TestDepTreeAccuracy(t *testing.T) {
	held := examples.Dependencies("a/A/2 b/B/0 ,/F/2 ¿/F/2 5,3/Z/2")
	task := examples.Build(t, plain, held, held)
	e := &task.Validation[0]
	y := append(models.Vertex{}, e.Truth...)
	y[0], y[2] = 0*5+2, 2*5+3 // wrong heads for tokens 0 and 2, a word and the comma
	want := map[string][2]float64{"validation_error": {2, 5}, "validation_accuracy": {3, 5},
		"validation_accuracy_words": {2, 3}}
	for _, m := range task.Metrics {
		num, den := m.Of(y, e)
		if got := ([2]float64{num, den}); got != want[m.Name] {
			t.Errorf("%s = %v, want %v", m.Name, got, want[m.Name])
		}
	}
}

// TestDepTreeRefuses checks the errors of wrong data, and that validation trees need not be projective.
func TestDepTreeRefuses(t *testing.T) {
	none := sample()
	none.Heads = nil
	untagged := sample()
	untagged.Columns = untagged.Columns[:1]
	formed := sample()
	formed.Columns = []datasets.Column{{Name: "form", ID: formed.Columns[0].ID, Text: formed.Columns[0].Text}}
	for _, c := range []struct {
		name, says string
		train      datasets.Data
	}{
		{"rows", "needs sentences with heads; the training data have labelled rows", &datasets.Labelled{}},
		{"no heads", "needs sentences with heads; the training data have sentences without a column named head", none},
		{"no words", `no column "word"; they have only form; name the column of the words "word"`, formed},
		{"no tags", `needs a column of tags named pos, xpos, upos or cpos: the sentences have no column "pos"; they ` +
			`have only word`, untagged},
		{"crossing arcs", "the tree of training sentence 1 is not projective",
			examples.Dependencies("a/X/3 b/X/0 c/X/4 d/X/2")},
		{"two roots", "sentence 2 has 2 words with head 0", examples.Dependencies("a/X/0", "a/X/0 b/X/0")},
	} {
		_, err := plain.Build(c.train, nil)
		examples.Refused(t, c.name, err, c.says)
	}
	examples.Build(t, changed(func(m *deptree.Model) { m.Roots = "multi" }), examples.Dependencies("a/X/0 b/X/0"), nil)
	// a validation tree need not be projective
	examples.Build(t, plain, sample(), examples.Dependencies("a/X/3 b/X/0 c/X/4 d/X/2"))
}

// TestDepTreeWarnsOfNoFeatures checks that there is a warning exactly if the cutoff keeps no feature.
func TestDepTreeWarnsOfNoFeatures(t *testing.T) {
	for cutoff, warns := range map[int]bool{1: false, 100: true} {
		task := examples.Build(t, changed(func(m *deptree.Model) { m.Cutoff = cutoff }), sample(), nil)
		if told := strings.Contains(strings.Join(task.Warnings, "\n"), "leaves no feature"); told != warns {
			t.Errorf("cutoff %d: warnings = %q; want a warning that no feature is left: %v", cutoff, task.Warnings, warns)
		}
	}
}
