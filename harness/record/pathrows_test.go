package record_test

import (
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// staged is a solver for paths that yields once per pass. In each stage, the gap after k passes is gap(k). *evaluated
// counts the evaluations of its iterates, by the index of the stage.
type staged struct {
	*toy.Ascent
	gap       func(k float64) float64
	evaluated *[]int
}

type stagedSession struct {
	staged
	p     toy.Given
	epoch int
}

// Start implements solvers.Warm.
func (s staged) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	return &stagedSession{s, toy.Given{Risk: p, Env: env}, 0}, nil
}

// Run implements solvers.Session.
func (s *stagedSession) Run(float64) iter.Seq2[solvers.Iterate, error] {
	*s.evaluated = append(*s.evaluated, 0)
	count := &(*s.evaluated)[len(*s.evaluated)-1]
	w := make([]float64, s.p.Dim)
	return func(yield func(solvers.Iterate, error) bool) {
		for k := 0; ; k++ {
			it := solvers.Iterate{W: w, Epoch: s.epoch, Primal: func() float64 { *count++; return 1 },
				Dual: func() float64 { return 1 - s.gap(float64(k)) }}
			if !yield(it, nil) {
				return
			}
			s.epoch++
			for i := range toy.N {
				s.p.Visit(i)
			}
		}
	}
}

// TestRowsOfStages checks that each stage of a path has rows and looks at the same distances from its start, and as
// many evaluations, as if it were the only one: nothing of the stage before is left over.
func TestRowsOfStages(t *testing.T) {
	for _, every := range []string{"{passes: 1}", "{passes: 2, growth: 1.3}", "{passes: 1, growth: 1.3, looks: true}",
		"{epochs: 1, growth: 1.3, looks: true}"} {
		var evaluated []int
		r := toy.Text(t, toy.Tiny+`regularisation: {convention: eg}
solvers: [{name: ascent, path: {C: {from: 10, factor: 0.5, steps: 3}, until: {gap: 1e-2}}}]
record: {every: `+every+"}\n", func(o *schedule.Options) {
			o.Wrap = func(s solvers.Solver) solvers.Solver {
				return staged{s.(*toy.Ascent), func(k float64) float64 { return math.Exp(-k / 20) }, &evaluated}
			}
		})
		f := toy.Only(t, r)
		toy.WantStatus(t, f, trace.Done, "gap")
		passes := make([][]float64, 3)
		for _, row := range f.Rows {
			k := int(row.Values[trace.Stage])
			passes[k] = append(passes[k], math.Round(1e6*row.Values[trace.StagePasses])/1e6)
		}
		for k := range passes {
			if !slices.Equal(passes[k], passes[0]) || evaluated[k] != evaluated[0] || len(evaluated) != 3 {
				t.Errorf("every %s: stage %d has rows after %v passes, and %v evaluations; want those of the first, %v", every, k,
					passes[k], evaluated, passes[0])
			}
		}
		if len(passes[0]) < 5 {
			t.Errorf("every %s: rows after %v passes, want several", every, passes[0])
		}
	}
}

// TestColumnsOfConventions checks which columns of regularisation the rows of a run have, and that values that are not
// finite are left out, whoever computes them.
func TestColumnsOfConventions(t *testing.T) {
	odd := toy.Scripted{Is: "odd", Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		yield(solvers.Iterate{W: make([]float64, p.Dim), Dual: func() float64 { return math.Inf(-1) },
			Stats: func(put func(string, float64)) {
				put("finite", -3)
				put("infinite", math.Inf(1))
				put("nothing", math.NaN())
			}}, nil)
	}}
	for convention, c := range map[string]bool{"lambda, lambda: 0.5": false, "eg, C: 30": true} {
		f := toy.Labelled(t, toy.Text(t, toy.Tiny+"regularisation: {convention: "+convention+
			"}\nsolvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 1}\n", toy.With(odd)), "as", "odd")
		v := toy.Last(t, f)
		got := map[string]bool{}
		for _, name := range []string{trace.C, trace.Lambda, trace.Stage, trace.StagePasses, trace.Dual, trace.Gap, "finite",
			"infinite", "nothing", trace.Primal, "train_error"} {
			_, got[name] = v[name]
		}
		for name, has := range got {
			want := name == trace.C && c || name == trace.Lambda || name == "finite" || name == trace.Primal
			if has != want {
				t.Errorf("convention %s: the row has the column %s: %v, want %v", convention, name, has, want)
			}
		}
		if v[trace.Lambda] != 0.5 || c && v[trace.C] != 30 || v["finite"] != -3 {
			t.Errorf("convention %s: the row is %v, want lambda 0.5, and C 30", convention, v)
		}
	}
}
