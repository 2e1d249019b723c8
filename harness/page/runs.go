package page

import (
	"slices"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// Runs are facts of some runs of an experiment.
type Runs struct {
	Count   int
	Seconds float64  // of all together, evaluation excluded
	CPU     float64  // seconds on processors, of all together; 0: not known of each
	Load    float64  // the largest load of the machine when one began or ended; 0: not known of any
	N, Dim  int      // the largest numbers of training examples and of weights
	Workers int      // the largest number of runs at a time
	Alone   bool     // each ran without another beside it
	Commits []string // of the program, the first seven digits, in the order of the runs
}

// Minutes are CPU in minutes, what the runs take on an idle machine, or Seconds if the runs do not know it.
func (r Runs) Minutes() float64 {
	if r.CPU > 0 {
		return r.CPU / 60
	}
	return r.Seconds / 60
}

// runs sums up the runs of the experiment, or those that all conditions on labels name.
func (p *rendering) runs(where ...string) (Runs, error) {
	r, err := p.bound("runs")
	if err != nil {
		return Runs{}, err
	}
	files := r.Files
	for _, condition := range where {
		curves, err := expr.Filter(condition, r.Evidence.Set)
		if err != nil {
			return Runs{}, r.wrong(condition, err)
		}
		files = slices.DeleteFunc(slices.Clone(files), func(f *trace.File) bool {
			return !slices.ContainsFunc(curves, func(c *trace.Curve) bool { return c.File == f })
		})
	}
	out := Runs{Count: len(files), Alone: true}
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

func (r *Runs) load(l *float64) {
	if l != nil {
		r.Load = max(r.Load, *l)
	}
}
