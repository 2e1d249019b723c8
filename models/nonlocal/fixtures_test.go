package nonlocal

import (
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// citations returns three data sets of references: one for training the base model, and the training and validation
// data of the model that extends it.
func citations() (base, train, validation *datasets.Sentences) {
	all := examples.Sentences([]string{"word", "label"},
		"Ann/B-author Bee/I-author wrote/O Trees/B-title in/I-title Rome/I-title 1999/B-year",
		"Cy/B-author and/O Dee/B-author :/O Graphs/B-title 2001/B-year",
		"Bee/B-author Trees/B-title of/I-title graphs/I-title Rome/B-place 2001/B-year",
		"Dee/B-author Rome/B-title 1999/B-year Paris/B-place",

		"Ann/B-author Graphs/B-title of/I-title 2001/I-title 1999/B-year",
		"Bee/B-author and/O Cy/B-author Rome/B-title Rome/B-place 2001/B-year",
		"Dee/B-author Trees/B-title 1999/B-year",

		"Cy/B-author Trees/B-title and/I-title Rome/I-title 1999/B-year",
		"Ann/B-author Bee/I-author Rome/B-place 2001/B-year 17/B-pages",
	)
	base, rest := examples.Split(all, 4)
	train, validation = examples.Split(rest, 3)
	return base, train, validation
}

// words returns sequences of the letters a to d, with rows of three numbers.
func words(seed uint64, list ...string) *datasets.Sequences {
	rng := rand.New(rand.NewPCG(seed, 7))
	s := &datasets.Sequences{X: datasets.Rows{Dim: 3}, Start: []int{0}, Labels: []string{"a", "b", "c", "d"}}
	for _, word := range list {
		for _, letter := range word {
			s.Y = append(s.Y, int(letter-'a'))
			for j := range 3 {
				s.X.Value = append(s.X.Value, rng.NormFloat64()+float64(int(letter-'a')>>j&1))
			}
			s.X.N++
		}
		s.Start = append(s.Start, s.X.N)
	}
	return s
}

// setting is a model, a base with weights, and training and validation data.
type setting struct {
	name              string
	model             Model
	base              *models.Task
	w                 []float64
	train, validation datasets.Data
}

// everySetting returns settings with all energies: measurements for tied and untied chains of references, and counts
// and words for letters.
func everySetting(t testing.TB, change func(*Model)) []setting {
	t.Helper()
	var list []setting
	add := func(name string, chain chain.Model, below, train, validation datasets.Data, set func(*Model)) {
		base, err := chain.Build(below, validation)
		if err != nil {
			t.Fatal(err)
		}
		s := setting{name: name, model: *New(), base: base, train: train, validation: validation}
		s.model.Occurs, s.model.Features = 1, 5
		set(&s.model)
		if change != nil {
			change(&s.model)
		}
		rng := rand.New(rand.NewPCG(uint64(base.Dim()), 3))
		for range base.Dim() {
			s.w = append(s.w, rng.NormFloat64()/2)
		}
		list = append(list, s)
	}
	below, train, validation := citations()
	for _, edges := range []string{"tied", "untied"} {
		add("measurements, "+edges, chain.Model{Label: "label", Features: "word[0] word[-1] bias", Edges: edges}, below,
			train, validation, func(*Model) {})
	}
	letters, more, held := words(1, "abba", "cab", "dada", "bad", "abc"), words(2, "bad", "abba", "dad", "cc"),
		words(3, "cab", "dabc", "bb")
	for _, e := range []string{energyCounts, energyWords} {
		for _, strength := range []string{strengthBias, strengthFourier} {
			add(e+", "+strength, chain.Model{}, letters, more, held, func(m *Model) { m.Energy, m.Strength = e, strength })
		}
	}
	return list
}

func (s setting) build(t testing.TB) *models.Task {
	t.Helper()
	task, err := s.model.Extend(s.base, s.w, s.train, s.validation)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return task
}

// some returns random weights near the initial weights, with parameters of both signs.
func some(task *models.Task, seed uint64, spread float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 5))
	w := make([]float64, task.Dim())
	for j := range w {
		w[j] = weightsOf(task).Start[j] + spread*rng.NormFloat64()
	}
	return w
}

// weightsOf returns the Unknowns of a task with weights.
func weightsOf(task *models.Task) models.Weights { return task.Unknowns.(models.Weights) }

// measurementsOf returns the measurements in the energies of a task of Model, in the order of their weights.
func measurementsOf(t *models.Task) []Measurement { return t.Train[0].Features.(*example).measurements }

// constraintsOf returns the constraints of a task of SoftConstraints, in the order of their weights.
func constraintsOf(t *models.Task) []Measurement { return t.Train[0].Features.(*softFeatures).list }
