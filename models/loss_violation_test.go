package models_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// violationCase is an example with the list of all its labellings.
type violationCase struct {
	name string
	*models.Example
	all []models.Vertex
}

func violationCases(t testing.TB) []violationCase {
	t.Helper()
	var out []violationCase
	add := func(name string, examples []models.Example, all func(*models.Example) []models.Vertex) {
		for i := range examples {
			out = append(out, violationCase{name, &examples[i], all(&examples[i])})
		}
	}
	classes := func(e *models.Example) (all []models.Vertex) {
		for c := range e.Features.Parts() {
			all = append(all, models.Vertex{c})
		}
		return all
	}
	add("multiclass", examples.Build(t, multiclass.Model{}, examples.Rows(8, 3, 5, false), nil).Train, classes)
	add("two classes", examples.Build(t, multiclass.Model{}, examples.Rows(8, 3, 2, true), nil).Train, classes)
	chains := examples.Build(t, chain.Model{}, examples.Sequences(1, "dense", 3, 2, 1, 4, 3), nil)
	add("chain", chains.Train, examples.Chains(3, false))
	short := slices.Clone(chains.Train) // fewer costs than labels: parts beyond the length of Cost cost 0
	for i := range short {
		short[i].Cost, short[i].Slack = short[i].Cost[:len(short[i].Cost)/2], nil
	}
	add("short costs", short, examples.Chains(3, false))
	bank := examples.Ambiguous()
	cfg := examples.Build(t, cfg.Model{LossScale: 100, Forests: 1}, bank, nil)
	g := examples.GrammarOf(bank, 1)
	for i := range cfg.Train {
		list, _ := g.Parses(examples.Words(bank.Trees[i]), 3000)
		var all []models.Vertex
		for _, tree := range list {
			all = append(all, cfg.Train[i].Features.(examples.TreeMap).Vertex(tree))
		}
		add("cfg", cfg.Train[i:i+1], func(*models.Example) []models.Vertex { return all })
	}
	return out
}

// definition computes the violation of a labelling's constraint, its label loss and its margin by the formulas of
// Violated.
func definition(loss models.Loss, e *models.Example, y models.Vertex, theta []float64) (violation, labelLoss,
	margin float64) {
	switch {
	case e.ZeroOne == 0:
		for _, r := range y {
			if r < len(e.Cost) {
				labelLoss += e.Cost[r]
			}
		}
	case !slices.Equal(y, e.Truth):
		labelLoss = e.ZeroOne
	}
	margin = e.Truth.Dot(theta) - y.Dot(theta)
	if loss.Slack {
		return labelLoss * (1 - margin), labelLoss, margin
	}
	return loss.Margin*labelLoss - margin, labelLoss, margin
}

// TestViolatedAgainstEnumeration checks that Violated finds a labelling with the largest violation, that its label loss
// and margin are right, and that the largest violation is the loss.
func TestViolatedAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, c := range violationCases(t) {
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-10*(1+math.Abs(b)) }
		for _, loss := range []models.Loss{models.Hinge(), models.Slack(), {Margin: 2.5}} {
			if loss.Slack && c.Slack == nil && c.ZeroOne == 0 {
				continue
			}
			var dst models.Vertex
			for trial := range 60 {
				scale := []float64{0, 0.1, 1, 30, 1000}[trial%5] // with small and large margins relative to the label loss
				theta := examples.Normals(rng, c.Features.Parts(), scale)
				if trial%2 == 0 {
					for _, r := range c.Truth {
						theta[r] += scale
					}
				}
				before := slices.Clone(theta)
				best := math.Inf(-1)
				for _, y := range c.all {
					v, labelLoss, _ := definition(loss, c.Example, y, theta)
					best = math.Max(best, v)
					if got := c.LabelLoss(y); got != labelLoss {
						t.Fatalf("%s: LabelLoss(%v) = %v, want %v", c.name, y, got, labelLoss)
					}
				}
				var labelLoss, margin float64
				dst, labelLoss, margin = loss.Violated(dst, c.Example, theta)
				v, wantLoss, wantMargin := definition(loss, c.Example, dst, before)
				switch {
				case !slices.ContainsFunc(c.all, dst.Equal):
					t.Fatalf("%s, %+v: Violated returns %v, want a labelling", c.name, loss, dst)
				case !near(v, best):
					t.Fatalf("%s, %+v: Violated returns %v with violation %v, want the largest violation %v", c.name, loss, dst, v,
						best)
				case labelLoss != wantLoss || math.Abs(margin-wantMargin) > 1e-10*(1+scale+labelLoss):
					t.Fatalf("%s, %+v: Violated returns Δ = %v, m = %v for %v, want %v, %v", c.name, loss, labelLoss, margin, dst,
						wantLoss, wantMargin)
				case dst.Equal(c.Truth) && (labelLoss != 0 || margin != 0):
					t.Fatalf("%s, %+v: Violated returns the truth with Δ = %v, m = %v, want 0, 0", c.name, loss, labelLoss, margin)
				}
				if got := loss.Violation(labelLoss, margin); !near(got, best) {
					t.Fatalf("%s, %+v: Violation(Δ = %v, m = %v) = %v, want %v", c.name, loss, labelLoss, margin, got, best)
				}
				for r := range theta {
					if math.Abs(theta[r]-before[r]) > 1e-12*(1+math.Abs(before[r])) {
						t.Fatalf("%s, %+v: score after Violated = %v at part %d, want %v as before", c.name, loss, theta[r], r, before[r])
					}
				}
				if got := loss.Value(c.Example, theta); !near(got, math.Max(0, best)) {
					t.Fatalf("%s, %+v: loss = %v, want the largest violation %v", c.name, loss, got, best)
				}
			}
		}
	}
}

// TestViolatedWithoutAnotherLabelling checks that Violated returns the truth for a sentence with a single tree, which
// has no constraints.
func TestViolatedWithoutAnotherLabelling(t *testing.T) {
	bank := examples.Trees("(S (NP (N I)) (VP (V saw)))")
	e := &examples.Build(t, cfg.Model{LossScale: 100}, bank, nil).Train[0]
	for _, loss := range []models.Loss{models.Hinge(), models.Slack()} {
		theta := examples.Normals(rand.New(rand.NewPCG(1, 1)), e.Features.Parts(), 5)
		y, labelLoss, margin := loss.Violated(nil, e, theta)
		if !y.Equal(e.Truth) || labelLoss != 0 || margin != 0 {
			t.Errorf("%+v: Violated returns %v, Δ = %v, m = %v, want the truth, 0, 0", loss, y, labelLoss, margin)
		}
		if v := loss.Value(e, theta); !(v >= 0 && v < 1e-12) {
			t.Errorf("%+v: loss of a sentence with a single tree = %v, want 0 up to rounding", loss, v)
		}
	}
}

func TestViolatedDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for _, c := range violationCases(t) {
		for _, loss := range []models.Loss{models.Hinge(), models.Slack()} {
			if loss.Slack && c.Slack == nil && c.ZeroOne == 0 {
				continue
			}
			theta, dst := examples.Normals(rng, c.Features.Parts(), 3), make(models.Vertex, 0, 64)
			call := func() { dst, _, _ = loss.Violated(dst, c.Example, theta) }
			call()
			if n := testing.AllocsPerRun(20, call); n > 0 {
				t.Errorf("%s, %+v: allocations per call of Violated = %v, want 0", c.name, loss, n)
			}
		}
	}
}

// TestViolatedMisuse checks that Violated and Value panic with a message if the loss has a temperature or an oracle is
// missing.
func TestViolatedMisuse(t *testing.T) {
	classes := *lossCases(t)[0].example
	classes.Slack = nil
	labelled := classes
	labelled.Cost, labelled.ZeroOne, labelled.Second = nil, 1, nil
	theta := []float64{1, 1, 1, 1}
	theta[labelled.Truth[0]] = 2
	for _, c := range []struct {
		name, says string
		call       func()
	}{
		{"log loss", "temperature", func() { models.LogLoss().Violated(nil, &classes, theta) }},
		{"no slack oracle", "slack oracle", func() { models.Slack().Violated(nil, &classes, theta) }},
		{"no slack oracle, value", "slack oracle", func() { models.Slack().Value(&classes, theta) }},
		{"no second-best oracle", "second-best oracle", func() { models.Slack().Violated(nil, &labelled, theta) }},
		{"no second-best oracle, hinge", "second-best oracle", func() { models.Hinge().Violated(nil, &labelled, theta) }},
		{"no second-best oracle, value", "second-best oracle", func() { models.Slack().Value(&labelled, theta) }},
	} {
		examples.Panics(t, c.name, "models: ", c.says, c.call)
	}
}
