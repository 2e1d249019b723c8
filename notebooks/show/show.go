// Package show lets a notebook's cell say in a line or two what it shows. It asks the harness for an experiment at the
// notebook's scale and displays its figure, table or claims; it computes and judges nothing itself.
//
//	%%
//	show.Figure("eg/fig06")
//
//	%%
//	for _, C := range []string{"300", "30", "3"} {
//		show.Result(show.Run(show.Spec("eg/fig06", "regularisation.C="+C)))
//	}
//
// The scale is what GAPLAB_SCALE says (smoke, quick or paper), smoke without it. Every cell is a process of its own, so
// results live in the results folder: what a cell has run, the next one reads. At the paper's scale the committed
// results are shown if they are complete, and nothing is run.
//
// A cell has no caller to return an error to: what goes wrong ends the cell with the experiment and the reason on
// standard error; outside a notebook, where nothing is displayed, it panics.
package show

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

// Scale returns the scale of the notebook: GAPLAB_SCALE, or smoke.
func Scale() string { return cmp.Or(os.Getenv("GAPLAB_SCALE"), lang.ScaleSmoke) }

// Spec returns a committed experiment at the notebook's scale, with settings such as stop.passes=5 changed.
func Spec(id string, set ...string) *lang.Spec {
	e, err := harness.Find(id)
	check(err, id)
	return at(e.File, set)
}

// Parse returns an experiment written in a cell, at the notebook's scale, with settings changed. Errors count its lines
// from 1.
func Parse(text string, set ...string) *lang.Spec {
	f, err := lang.Parse("cell", []byte(text), harness.Catalogue())
	check(err, "the experiment in this cell")
	return at(f, set)
}

func at(f *lang.File, set []string) *lang.Spec {
	s, err := f.At(Scale(), set)
	check(err, f.ID+" at the scale that GAPLAB_SCALE names")
	return s
}

// Run returns the results of an experiment and makes the missing runs, as many at a time as there are cores. Solvers of
// the notebook run beside those of the spec. A run that fails or diverges panics, and so does an interruption.
func Run(s *lang.Spec, with ...solvers.Solver) *harness.Result {
	return run(s, harness.Options{With: with})
}

// RunOnly runs solvers of the notebook on the problems of an experiment, as Run does, without the solvers of the spec.
func RunOnly(s *lang.Spec, with ...solvers.Solver) *harness.Result {
	return run(s, harness.Options{With: with, Only: true})
}

func run(s *lang.Spec, o harness.Options) *harness.Result {
	what := s.ID + " at scale " + s.Scale
	if s.Scale == lang.ScalePaper {
		if r, err := harness.Read(s, o); err == nil && !r.Interrupted() {
			return r
		} else if err != nil && !errors.Is(err, harness.ErrNoResults) {
			check(err, what)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o.Workers = runtime.NumCPU()
	p := newProgress(s.ID)
	if o.OnEvent == nil {
		o.OnEvent = p.event
	}
	r, err := harness.Run(ctx, s, o)
	p.close()
	check(err, what)
	check(ctx.Err(), what)
	if failed := r.Failed(); len(failed) > 0 {
		check(errors.New(strings.Join(failed, "; ")), what)
	}
	return r
}

// fail ends the cell. It does not panic in a notebook, where a panic would show the stacks of goroutines.
func fail(why string) {
	if !gonbui.IsNotebook {
		panic("show: " + why)
	}
	gonbui.Sync()
	fmt.Fprintln(os.Stderr, why)
	os.Exit(1)
}

func check(err error, what string) {
	if err != nil {
		fail(fmt.Sprintf("%s: %v", what, err))
	}
}
