package nonlocal

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestSoftConstraintsCalls checks that ties are broken the same way each time, that calls do not allocate, and that
// several workers give the same bits.
func TestSoftConstraintsCalls(t *testing.T) {
	task := softTask(t, softSettings(), nil)
	e := &task.Train[2]
	theta := make([]float64, e.Features.Parts())
	want, _ := e.Max.Max(nil, theta)
	for range 3 {
		if got, _ := e.Max.Max(make(models.Vertex, 50), theta); !got.Equal(want) {
			t.Errorf("of labellings that all score 0 it is %v and then %v", want, got)
		}
	}
	rng := rand.New(rand.NewPCG(7, 7))
	w, sum := make([]float64, task.Dim()), make([]float64, task.Dim())
	for j := range w {
		w[j] = -rng.Float64()
	}
	dst := make(models.Vertex, 0, 1000)
	call := func() {
		e.Features.Score(theta, w)
		dst, _ = e.Max.Max(dst, theta)
		e.Features.AddAdjoint(sum, 1, theta)
	}
	call()
	if n := testing.AllocsPerRun(20, call); n > 0 {
		t.Errorf("a call allocates %v times", n)
	}
	p := examples.RiskOf(t, task, models.Hinge(), 0.1)
	g, h := make([]float64, task.Dim()), make([]float64, task.Dim())
	one := p.Gradient(g, w)
	p = p.Parallel(4)
	if four := p.Gradient(h, w); four != one || !slices.Equal(g, h) {
		t.Errorf("with 4 workers the risk is %v, with one %v, and the gradients %v and %v", four, one, h, g)
	}
}

func TestSoftConstraintsErrors(t *testing.T) {
	base, w := segmentsBase(t)
	data := segmentsData(2, 4)
	ok := softSettings()
	upon := func(change func(*SoftConstraints)) error {
		m := ok
		change(&m)
		_, err := m.Extend(base, w, data, data)
		return err
	}
	_, alone := ok.Build(data, nil)
	_, weights := ok.Extend(base, w[1:], data, nil)
	_, other := ok.Extend(&models.Task{Model: "cfg"}, nil, data, nil)
	_, kind := ok.Extend(base, w, &datasets.Treebank{}, nil)
	for want, err := range map[string]error{
		"write from: and the name of a problem": alone,
		"weights of the base: want 32":          weights,
		"the base has the model cfg":            other,
		"bracketed trees":                       kind,
		`there is no "exclude"`:                 upon(func(m *SoftConstraints) { m.Templates = "exclude" }),
		"support is 1.5: want a number of at least 0 and at most 1": upon(
			func(m *SoftConstraints) { m.Support = 1.5 }),
		"occurs is 0: want a number of at least 1":    upon(func(m *SoftConstraints) { m.Occurs = 0 }),
		"want a smaller support or occurs":            upon(func(m *SoftConstraints) { m.Occurs = 1000 }),
		`cost is ""; accepted: labels, none`:          upon(func(m *SoftConstraints) { m.Cost = "" }),
		"max_calls is 0: want a number of at least 1": upon(func(m *SoftConstraints) { m.MaxCalls = 0 }),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "model soft-constraints") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want one with %q", err, want)
		}
	}
	if Constraints(base) != nil {
		t.Error("a chain has constraints")
	}
}
