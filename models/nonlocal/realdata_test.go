package nonlocal

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/real"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
)

// realSet loads a real data set. It skips the test if the data set is not available.
func realSet(t *testing.T, e datasets.Entry, change func(datasets.Loader)) *datasets.Set {
	t.Helper()
	dir := os.Getenv("GAPLAB_DATA")
	if dir == "" || testing.Short() {
		t.Skip("the real data sets need GAPLAB_DATA, and a run without -short")
	}
	loader := e.New()
	change(loader)
	set, err := loader.Load(context.Background(), datasets.Source{Data: dir, Offline: true})
	if err != nil {
		t.Skip(err)
	}
	return set
}

// perceptron trains a base quickly: it returns the mean of the weights of a perceptron over a few passes.
func perceptron(t *models.Task, passes int) []float64 {
	w, mean := make([]float64, t.Dim()), make([]float64, t.Dim())
	var theta, mu []float64
	var y models.Vertex
	for range passes {
		for i := range t.Train {
			e := &t.Train[i]
			theta = models.Resize(theta, e.Features.Parts())
			e.Features.Score(theta, w)
			y, _ = e.Max.Max(y, theta)
			mu = models.Resize(mu, len(theta))
			clear(mu)
			for _, r := range e.Truth {
				mu[r]++
			}
			for _, r := range y {
				mu[r]--
			}
			e.Features.AddAdjoint(w, 1, mu)
		}
		for j, v := range w {
			mean[j] += v / float64(passes)
		}
	}
	return mean
}

// TestVocabularyReadsHandwriting checks on handwritten words that a vocabulary reduces the error: the counts of its
// letters reduce it, and its words reduce it more (table 3 of Vilnis et al. 2015).
func TestVocabularyReadsHandwriting(t *testing.T) {
	set := realSet(t, real.OCRLettersEntry(), func(l datasets.Loader) {
		l.(*real.OCRLetters).TrainOn, l.(*real.OCRLetters).ValidationWords = "fold", 300
	})
	base, err := chain.Model{}.Build(set.Train, set.Validation)
	if err != nil {
		t.Fatal(err)
	}
	w := perceptron(base, 10)
	for j := range w {
		w[j] *= 0.1 // the perceptron's predictions do not depend on the scale of w, but those with an energy do
	}
	last := base.Evaluate(w, 2)["validation_error"]
	if last > 0.45 {
		t.Fatalf("error of the chain = %v of the letters, want at most 0.45", last)
	}
	for _, name := range []string{energyCounts, energyWords} {
		m := New()
		m.Energy, m.Initial = name, 1
		task, err := m.Extend(base, w, set.Train, set.Validation)
		if err != nil {
			t.Fatal(err)
		}
		e := task.Evaluate(weightsOf(task).Start, 2)["validation_error"]
		if e > last-0.02 {
			t.Errorf("%s: error = %v of the letters, want at least 0.02 less than %v", name, e, last)
		}
		last = e
	}
}

// TestMeasurementsOfCitations checks that the templates give hundreds of measurements for citations, and that these
// include obvious measurements, such as "at most one title".
func TestMeasurementsOfCitations(t *testing.T) {
	set := realSet(t, real.UMassNestedEntry(), func(l datasets.Loader) { l.(*real.UMassNested).TrainSentences = 1000 })
	base, err := chain.Model{Label: "label", Features: "word[0]"}.Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	task, err := New().Extend(base, make([]float64, base.Dim()),
		set.Train.(*datasets.Sentences).Pick([]int{0, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	list := measurementsOf(task)
	if len(list) < 300 || len(list) > 3000 {
		t.Errorf("number of measurements = %d, want 300 to 3000", len(list))
	}
	for _, want := range []string{"at most one title", "at most one year", "booktitle or journal, at most one in total",
		"no more person-first than person-last"} {
		if !slices.ContainsFunc(list, func(m Measurement) bool { return m.Text == want }) {
			t.Errorf("%q is not among the measurements", want)
		}
	}
}
