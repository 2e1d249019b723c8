package cluster_test

import (
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestOptions checks for each option of a campaign that the plan follows it, that the manifest on disk keeps it and no
// other, and that a task follows the manifest, whatever the options of the process that does the task.
func TestOptions(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 1}\n")
	for _, c := range []struct {
		about  string
		edit   func(*trace.File) // makes an earlier result that the option does not accept
		option toy.Option
		want   cluster.Options
	}{
		{"same code", func(f *trace.File) { f.Manifest.Sources["solver ascent"] = "earlier sources" },
			func(o *schedule.Options) { o.SameCode = true }, cluster.Options{SameCode: true}},
		{"clean", func(f *trace.File) { f.Manifest.Commit, f.Manifest.Dirty = "abc", true },
			func(o *schedule.Options) { o.Clean = true }, cluster.Options{Clean: true}},
		{"weights", func(*trace.File) {}, toy.Weights(), cluster.Options{Weights: true}},
		{"save every", func(f *trace.File) { f.End.Status = trace.Interrupted }, toy.SaveEvery(time.Hour),
			cluster.Options{SaveEvery: time.Hour}},
	} {
		dir := t.TempDir()
		f := toy.Only(t, toy.Run(t, dir, s))
		c.edit(f)
		f.Manifest.Command = []string{"earlier"}
		if err := f.Save(f.Path); err != nil {
			t.Fatal(err)
		}
		plain := toy.Options(dir)
		plain.SaveEvery = 0
		if g := planWith(t, plain, 1, s); f.End.Status == trace.Done && g != nil {
			t.Errorf("%s: without the option, %d tasks are planned, want none", c.about, len(g.Tasks))
		}
		o := plain
		c.option(&o)
		g := planWith(t, o, 1, s)
		if g == nil {
			t.Errorf("%s: no task is planned, want one", c.about)
			continue
		}
		g, err := cluster.Open(g.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if g.Options != c.want {
			t.Errorf("%s: options in the manifest: %+v, want %+v", c.about, g.Options, c.want)
		}
		if err := g.Do(t.Context(), 0, only(s), plain); err != nil {
			t.Errorf("%s: %v", c.about, err)
		}
		again := toy.Only(t, toy.Read(t, dir, s))
		if len(again.Manifest.Command) > 0 {
			t.Errorf("%s: the task kept the earlier result", c.about)
		}
	}
}
