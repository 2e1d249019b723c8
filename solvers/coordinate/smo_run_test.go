package coordinate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSMOEnds checks that a run with any order of visits ends by itself at the optimum. At the optimum, parts outside
// the true labellings must have positive marginals; otherwise the problem is too easy.
func TestSMOEnds(t *testing.T) {
	for _, c := range smoCases(t, 1) {
		for _, order := range []string{"random", "permutation", "cyclic"} {
			at := testbed.EndOf(t, &SMO{Order: order, Steps: 1}, c.p)
			if math.Abs(at.Primal-at.Dual) > 1e-9*at.Primal {
				t.Errorf("%s, %s: primal = %v and dual = %v at the end, in epoch %d: want a gap of 0", c.name, order, at.Primal,
					at.Dual, at.Epoch)
			}
			if at.Stats["support"] <= float64(len(c.p.Examples[1].Truth)) {
				t.Errorf("%s, %s: support = %v at the end, want more than the number of parts of the truth", c.name, order,
					at.Stats["support"])
			}
		}
	}
}

// TestSMORefresh checks that after every tenth epoch w has the same bits as a w recomputed from the marginals. After
// other epochs, rounding errors must make the bits different for some problem.
func TestSMORefresh(t *testing.T) {
	drifted, checked := 0, 0
	for _, c := range smoCases(t, 1) {
		session, err := (&SMO{Order: "permutation", Steps: 1}).Start(c.p, solvers.Env{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		st, last := session.(*smoSession).smoState, 0
		for it := range testbed.Iterates(t, session.Run(c.p.Lambda)) {
			if it.Epoch == last {
				continue
			}
			last = it.Epoch
			w := make([]float64, c.p.Dim)
			st.Weights(w, st.lambda, st.p, st.mu, st.theta)
			switch same := slices.Equal(w, st.w); {
			case last%10 == 0 && !same:
				t.Errorf("%s: after epoch %d, w differs from the recomputed w, want equal bits", c.name, last)
			case last%10 == 0:
				checked++
			case last%10 == 9 && !same:
				drifted++
			}
			if last == 20 {
				break
			}
		}
	}
	if drifted == 0 || checked == 0 {
		t.Errorf("w drifted in %d epochs and was recomputed in %d, want at least one of each", drifted, checked)
	}
}

// TestSMOFeatures checks that the final dual does not depend on which interfaces the feature maps implement. Before the
// optimum the runs may differ, because rounding errors may decide which of two equally good pairs a step uses.
func TestSMOFeatures(t *testing.T) {
	for _, c := range smoCases(t, 1) {
		s := &SMO{Order: "permutation", Steps: 1}
		want := testbed.EndOf(t, s, c.p)
		for name, p := range map[string]*models.Risk{"norms": testbed.WithFeatures(c.p, testbed.NewNormOnly),
			"adjoints": testbed.WithFeatures(c.p, testbed.NewSparseOnly)} {
			if at := testbed.EndOf(t, s, p); math.Abs(at.Primal-want.Primal) > 1e-9 || math.Abs(at.Dual-want.Dual) > 1e-9 {
				t.Errorf("%s with %s only: primal = %v and dual = %v, want %v and %v as with both", c.name, name, at.Primal,
					at.Dual, want.Primal, want.Dual)
			}
		}
	}
}

// sameLabelling is a faulty max-oracle, which always returns the same labelling.
type sameLabelling struct{ y models.Vertex }

func (o sameLabelling) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	return append(dst[:0], o.y...), o.y.Dot(theta)
}

// TestSMOWrongOracle checks that a run returns an error, not a wrong optimum, if an oracle does not return the best
// labelling.
func TestSMOWrongOracle(t *testing.T) {
	for _, c := range smoCases(t, 0.1) {
		p := testbed.WithFeatures(c.p, testbed.NewSparseOnly) // a copy of the examples
		for i, list := range c.labellings {
			p.Examples[i].Max = sameLabelling{list[len(list)-1]}
		}
		var last error
		yields := 0
		for _, err := range solvers.Run(&SMO{Order: "cyclic", Steps: 1}, p, solvers.Env{Seed: 1}) {
			last = err
			yields++
		}
		if yields != 2 || last == nil || !strings.Contains(last.Error(), "example 0") {
			t.Errorf("%s: error = %v at yield %d, want one that contains %q at yield 2", c.name, last, yields, "example 0")
		}
	}
}

// TestSMOAllocatesNothing checks that visits allocate no memory after the first visits of all examples, whichever
// interfaces the feature maps implement.
func TestSMOAllocatesNothing(t *testing.T) {
	tasks := map[string]*models.Risk{
		"digits": testbed.Build(t, multiclass.Model{}, generated.Digits{Train: 100, Seed: 1}).Objective(models.Hinge(),
			0.01).(*models.Risk),
		"words": testbed.Build(t, chain.Model{Edges: "untied"},
			generated.Words{Train: 20, MaxLetters: 8, Seed: 1}).Objective(models.Hinge(), 0.05).(*models.Risk),
	}
	for name, p := range tasks {
		for kind, p := range map[string]*models.Risk{"": p, " with norms": testbed.WithFeatures(p, testbed.NewNormOnly),
			" without norms": testbed.WithFeatures(p, testbed.NewSparseOnly)} {
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
				t.Errorf("%s%s: %v allocations per visit, want 0", name, kind, n)
			}
		}
	}
}

// BenchmarkSMO measures the time of one visit that makes at most one step.
func BenchmarkSMO(b *testing.B) {
	for _, c := range []struct {
		name string
		p    *models.Risk
	}{
		{"digits", testbed.Build(b, multiclass.Model{}, generated.Digits{Train: 2000, Seed: 1}).Objective(models.Hinge(),
			1.0/2000).(*models.Risk)},
		{"words", testbed.Build(b, chain.Model{Edges: "untied"},
			generated.Words{Train: 200, MaxLetters: 8, Seed: 1}).Objective(models.Hinge(), 1.0/200).(*models.Risk)},
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
