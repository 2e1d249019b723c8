package page

import (
	"slices"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// Totals contains sums and maxima over some runs of an experiment.
type Totals struct {
	Count   int
	Seconds float64  // wall-clock time summed over the runs, without evaluation
	CPU     float64  // CPU seconds summed over the runs; 0 if a run has no CPU time
	Load    float64  // largest load of the machine at the start or end of a run; 0 if none was recorded
	N, Dim  int      // largest number of training examples; largest number of weights
	Workers int      // largest number of runs at the same time
	Alone   bool     // whether no other run of the same folder ran during any of the runs
	Commits []string // commits of the program, seven digits each, in the order of the runs
}

// Minutes returns the CPU time in minutes, or the wall-clock time if CPU is 0.
func (s Totals) Minutes() float64 {
	if s.CPU > 0 {
		return s.CPU / 60
	}
	return s.Seconds / 60
}

// runs returns totals of the runs of the current experiment or, with where, of the runs that satisfy all these
// conditions on labels.
func (p *rendering) runs(where ...string) (Totals, error) {
	r, err := p.current("runs")
	if err != nil {
		return Totals{}, err
	}
	files := r.Files
	for _, condition := range where {
		curves, err := expr.Filter(condition, r.Evidence.Set)
		if err != nil {
			return Totals{}, r.wrong(condition, err)
		}
		files = slices.DeleteFunc(slices.Clone(files), func(f *trace.File) bool {
			return !slices.ContainsFunc(curves, func(c *trace.Curve) bool { return c.File == f })
		})
	}
	out := Totals{Count: len(files), Alone: true}
	known := true
	for _, f := range files {
		out.load(f.Manifest.Load)
		if f.End != nil {
			out.Seconds, out.CPU = out.Seconds+f.End.Seconds, out.CPU+f.End.CPUSeconds
			known = known && f.End.CPUSeconds > 0
			out.load(f.End.Load)
		}
		out.N, out.Dim = max(out.N, f.Manifest.N), max(out.Dim, f.Manifest.Dim)
		out.Workers, out.Alone = max(out.Workers, f.Manifest.Workers), out.Alone && f.Manifest.Alone
		if c := f.Manifest.Commit[:min(7, len(f.Manifest.Commit))]; c != "" && !slices.Contains(out.Commits, c) {
			out.Commits = append(out.Commits, c)
		}
	}
	if !known {
		out.CPU = 0
	}
	return out, nil
}

// load raises Load to l, if l is known and larger.
func (s *Totals) load(l *float64) {
	if l != nil {
		s.Load = max(s.Load, *l)
	}
}
