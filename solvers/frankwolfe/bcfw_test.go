package frankwolfe_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/frankwolfe"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// bcfwSubjects returns the settings of bcfw. A visit is a call; with a 0/1 loss over labellings it takes up to two.
func bcfwSubjects() []solvertest.Subject {
	promises := func(more ...solvertest.Option) []solvertest.Option {
		return append([]solvertest.Option{
			solvertest.Accuracy(1, 1e-2, 1000), // there is no smooth loss; O(1/ε) visits
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, 2 * n }),
			solvertest.CallsBetweenYields(func(n int) int { return max(2, 2*(n/5)) }),
		}, more...)
	}
	monotone := solvertest.MonotoneDual() // of the last iterate: that of the average may fall
	return []solvertest.Subject{
		solvertest.With("average", &frankwolfe.BCFW{Order: "random", Average: true}, promises(solvertest.Random())...),
		solvertest.With("random", &frankwolfe.BCFW{Order: "random"}, promises(monotone, solvertest.Random())...),
		solvertest.With("permutation, average", &frankwolfe.BCFW{Order: "permutation", Average: true},
			promises(solvertest.Random())...),
		solvertest.With("pairwise", &frankwolfe.BCFW{Order: "permutation", Step: "pairwise"}, promises(monotone)...),
		solvertest.With("pairwise, average", &frankwolfe.BCFW{Order: "random", Average: true, Step: "pairwise"},
			promises(solvertest.Random())...),
		solvertest.With("cyclic", &frankwolfe.BCFW{Order: "cyclic"}, promises(monotone, solvertest.Deterministic())...),
	}
}

// TestBCFWNeeds checks that bcfw refuses what it cannot do, with a reason that lists what is accepted.
func TestBCFWNeeds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := &datasets.Labelled{X: datasets.Rows{N: 6, Dim: 2}, Classes: []string{"a", "b", "c"},
		Y: []int{0, 1, 2, 0, 1, 2}}
	for range 12 {
		rows.X.Value = append(rows.X.Value, rng.NormFloat64())
	}
	problem := func(model models.Builder, loss models.Loss) *models.Risk {
		task, err := model.Build(rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		return task.Objective(loss, 0.1).(*models.Risk)
	}
	kernel := func(basis int) models.Builder {
		return kernel.Model{Kernel: "linear", LossScale: 1, Basis: basis, BasisSeed: 1}
	}
	for _, c := range []struct {
		name, order string
		problem     *models.Risk
		says        string // "": it is supported
	}{
		{"hinge", "random", problem(multiclass.Model{}, models.Hinge()), ""},
		{"binary", "cyclic", problemOfTwo(t, rows), ""},
		{"basis of a kernel", "permutation", problem(kernel(6), models.Hinge()), ""},
		{"kernel", "random", problem(kernel(0), models.Hinge()), "basis"},
		{"log loss", "random", problem(multiclass.Model{}, models.LogLoss()), "loss: hinge"},
		{"smoothed hinge", "random", problem(multiclass.Model{}, models.Loss{Temp: 0.1, Margin: 1}), "loss: hinge"},
		{"no margin", "random", problem(multiclass.Model{}, models.Loss{}), "loss: hinge"},
		{"slack rescaling", "random", problem(multiclass.Model{}, models.Slack()), "slack rescaling"},
		{"order", "batch", problem(multiclass.Model{}, models.Hinge()), "permutation"},
	} {
		err := solvers.Missing(&frankwolfe.BCFW{Order: c.order, Average: true}, c.problem)
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: Missing says %v", c.name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: Missing says %v: want it to name %q", c.name, err, c.says)
		case c.says != "" && errors.Is(err, solvers.ErrUnsupported) != (c.order != "batch"):
			t.Errorf("%s: Missing says %v: ErrUnsupported is for problems, not for settings", c.name, err)
		}
	}
}

// problemOfTwo keeps the rows of the first two classes.
func problemOfTwo(t *testing.T, rows *datasets.Labelled) *models.Risk {
	t.Helper()
	two := &datasets.Labelled{X: datasets.Rows{Dim: rows.X.Dim}, Classes: rows.Classes[:2]}
	for i, y := range rows.Y {
		if y < 2 {
			two.X.Value = append(two.X.Value, rows.X.Value[i*rows.X.Dim:(i+1)*rows.X.Dim]...)
			two.Y = append(two.Y, y)
			two.X.N++
		}
	}
	task, err := multiclass.Binary{LossScale: 1}.Build(two, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task.Objective(models.Hinge(), 0.1).(*models.Risk)
}

func TestBCFWConformance(t *testing.T) { solvertest.Each(t, bcfwSubjects()...) }
