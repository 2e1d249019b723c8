package solvers

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
)

// TestSMOAgree: smo and one-slack cutting planes certify the same optimum, each by its own bounds.
func TestSMOAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("arithmetic on one goroutine, which takes minutes with the race detector")
	}
	untied := chain.Model{Edges: "untied"}
	for _, c := range []struct {
		name     string
		task     *models.Task
		lambda   float64
		accuracy float64 // of cutting planes, as a share of P(0)
	}{
		{"rows", taskOf(t, multiclass.Model{LossScale: 3}, overlappingClasses(60, 6, 4)), 0.1, 1e-6},
		{"binary", taskOf(t, multiclass.Binary{LossScale: 100, Bias: 1}, overlappingClasses(40, 3, 2)), 0.1, 1e-6},
		{"sequences", taskOf(t, untied, shortSequences(3, 3, 3, 1, 5, 2, 4, 2, 3, 6)), 0.1, 1e-6},
		{"pairs, tied", taskOf(t, chain.Model{Edges: "tied"}, shortSequences(3, 3, 2, 1, 2, 2, 1, 2)), 0.1, 1e-6},
		{"digits", build(t, multiclass.Model{}, generated.Digits{Train: 30, Seed: 1}), 1, 5e-3},
		{"words", build(t, untied, generated.Words{Train: 8, MaxLetters: 3, Seed: 1}), 1, 5e-3},
		{"sentences", build(t, chain.Model{Edges: "untied", Label: "pos", Cutoff: 1},
			generated.GrammarSentences{Train: 4, MaxWords: 6, Seed: 1}), 3, 5e-3},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.task.Risk(models.Hinge(), c.lambda)
			zero := p.Primal(make([]float64, p.Dim))
			planes := endOf(t, &OneSlack{Epsilon: c.accuracy * zero, Cache: 10, CacheRule: "svmstruct", Step: "qp", Workers: 1},
				p)
			primal, dual := after(t, p, &SMO{Order: "permutation", Steps: 3}, 300)
			if primal-dual > 2e-4*zero || planes.primal-planes.dual > 2*c.accuracy*zero {
				t.Errorf("the optimum is in %v to %v, and by cutting planes in %v to %v: want closer bounds; P(0) = %v", dual,
					primal, planes.dual, planes.primal, zero)
			}
			if dual > planes.primal+1e-9*zero || primal < planes.dual-1e-9*zero {
				t.Errorf("the optimum is in %v to %v, but by cutting planes in %v to %v", dual, primal, planes.dual, planes.primal)
			}
		})
	}
}

// TestSMOEnds: a run ends by itself at the optimum, whatever the order of visits, and says it there only.
func TestSMOEnds(t *testing.T) {
	for _, c := range smoCases(t, 1) {
		for _, order := range []string{"random", "permutation", "cyclic"} {
			at := endOf(t, &SMO{Order: order, Steps: 1}, c.p)
			if math.Abs(at.primal-at.dual) > 1e-9*at.primal {
				t.Errorf("%s, %s: the run ends in epoch %d with the primal %v and the dual %v", c.name, order, at.epoch, at.primal,
					at.dual)
			}
			if at.stats["support"] <= float64(len(c.p.Examples[1].Truth)) {
				t.Errorf("%s, %s: %v parts per example have mass at the end: want more than the true ones", c.name, order,
					at.stats["support"])
			}
		}
	}
}

// TestSMOFeatures: whatever the feature maps offer, the optimum is the same. On the way rounding may choose another
// of two equal pairs.
func TestSMOFeatures(t *testing.T) {
	for _, c := range smoCases(t, 1) {
		s := &SMO{Order: "permutation", Steps: 1}
		want := endOf(t, s, c.p)
		for name, p := range map[string]*models.Risk{"norms": withFeatures(c.p, newNormOnly),
			"adjoints": withFeatures(c.p, newSparseOnly)} {
			if at := endOf(t, s, p); math.Abs(at.primal-want.primal) > 1e-9 || math.Abs(at.dual-want.dual) > 1e-9 {
				t.Errorf("%s with %s only: primal %v and dual %v: with both %v and %v", c.name, name, at.primal, at.dual,
					want.primal, want.dual)
			}
		}
	}
}

// TestSMOMissing says what would do instead.
func TestSMOSupports(t *testing.T) {
	s := newSMO().(*SMO)
	rows := taskOf(t, multiclass.Model{}, overlappingClasses(12, 3, 4))
	hinge := models.Hinge()
	kernel := taskOf(t, kernel.Model{Kernel: "linear", LossScale: 1, Cache: 1}, overlappingClasses(12, 3, 4))
	for _, c := range []struct {
		name string
		p    *models.Risk
		says string
	}{
		{"log loss", rows.Risk(models.LogLoss(), 1), "loss: hinge"},
		{"smoothed hinge", rows.Risk(models.Loss{Temp: 0.1, Margin: 1}, 1), "loss: hinge"},
		{"slack", rows.Risk(models.Slack(), 1), "loss: hinge"},
		{"kernel", kernel.Risk(hinge, 1), "kernel"},
		{"tied chain", taskOf(t, chain.Model{Edges: "tied"}, shortSequences(3, 3, 1, 3)).Risk(hinge, 1), "edges: untied"},
		{"trees", build(t, deptree.Model{Cutoff: 1, Between: "count", Roots: "single"},
			generated.GrammarSentences{Train: 3, MaxWords: 6, Seed: 1}).Risk(hinge, 1), "edges: untied"},
		{"grammar", taskOf(t, cfg.Model{LossScale: 1, Forests: 1}, ambiguousTrees()).Risk(hinge, 1), "0/1 loss"},
	} {
		if err := Missing(s, c.p); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: Missing says %v: want it unsupported, with %q", c.name, err, c.says)
		}
	}
	p := rows.Risk(hinge, 1)
	if err := Missing(s, p); err != nil {
		t.Error(err)
	}
	for _, bad := range []*SMO{{Order: "batch", Steps: 1}, {Order: "random"}, {Order: "random", Steps: -1},
		{Order: "random", Steps: 2000}} {
		if err := Missing(bad, p); err == nil || errors.Is(err, ErrUnsupported) {
			t.Errorf("%+v: Missing says %v: want an error in the settings", *bad, err)
		}
	}
}

// sameLabelling is a wrong oracle: always the same labelling.
type sameLabelling struct{ y models.Vertex }

func (o sameLabelling) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	return append(dst[:0], o.y...), o.y.Dot(theta)
}

// TestSMOWrongOracle: an oracle that breaks its contract ends the run with an error, not at a wrong optimum.
func TestSMOWrongOracle(t *testing.T) {
	for _, c := range smoCases(t, 0.1) {
		p := withFeatures(c.p, newSparseOnly) // a copy of the examples
		for i, list := range c.labellings {
			p.Examples[i].Max = sameLabelling{list[len(list)-1]}
		}
		var last error
		yields := 0
		for _, err := range Run(&SMO{Order: "cyclic", Steps: 1}, p, Env{Seed: 1}) {
			last = err
			yields++
		}
		if yields != 2 || last == nil || !strings.Contains(last.Error(), "example 0") {
			t.Errorf("%s: after %d yields the run ends with the error %v", c.name, yields, last)
		}
	}
}

// A visit allocates nothing once the widest example has been seen, whatever the features offer.
func TestSMOAllocatesNothing(t *testing.T) {
	tasks := map[string]*models.Risk{
		"digits": build(t, multiclass.Model{}, generated.Digits{Train: 100, Seed: 1}).Risk(models.Hinge(), 0.01),
		"words": build(t, chain.Model{Edges: "untied"},
			generated.Words{Train: 20, MaxLetters: 8, Seed: 1}).Risk(models.Hinge(), 0.05),
	}
	for name, p := range tasks {
		for kind, p := range map[string]*models.Risk{"": p, " with norms": withFeatures(p, newNormOnly),
			" without norms": withFeatures(p, newSparseOnly)} {
			st, i := newSMOState(p), 0
			visit := func() {
				if err := st.visit(i%len(p.Examples), 2); err != nil {
					t.Fatal(err)
				}
				i++
			}
			for range 3 * len(p.Examples) {
				visit()
			}
			if n := testing.AllocsPerRun(2*len(p.Examples), visit); n != 0 {
				t.Errorf("a visit of %s%s allocates %v times", name, kind, n)
			}
		}
	}
}

// BenchmarkSMO is one visit of one step.
func BenchmarkSMO(b *testing.B) {
	for _, c := range []struct {
		name string
		p    *models.Risk
	}{
		{"digits", build(b, multiclass.Model{}, generated.Digits{Train: 2000, Seed: 1}).Risk(models.Hinge(), 1.0/2000)},
		{"words", build(b, chain.Model{Edges: "untied"},
			generated.Words{Train: 200, MaxLetters: 8, Seed: 1}).Risk(models.Hinge(), 1.0/200)},
	} {
		b.Run(c.name, func(b *testing.B) {
			st, i := newSMOState(c.p), 0
			b.ReportAllocs()
			for b.Loop() {
				if err := st.visit(i%len(c.p.Examples), 1); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
