// Package show displays experiments in cells of a notebook. It runs an experiment with the harness, at the notebook's
// scale, and displays the experiment's figure, table or claims.
//
//	%%
//	show.Figure("eg/fig06")
//
//	%%
//	for _, C := range []string{"300", "30", "3"} {
//		show.Result(show.Run(show.Spec("eg/fig06", "regularisation.C="+C)))
//	}
//
// The environment variable GAPLAB_SCALE names the scale: smoke (the default), quick or paper. The kernel runs each cell
// as a separate process. So a cell writes its results to the results folder, where later cells read them. At scale
// paper the committed results are shown if they are complete, and nothing is run.
//
// A cell cannot return an error. After an error the cell ends, and prints the experiment and the reason to standard
// error; outside a notebook it panics.
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

// Spec returns a committed experiment at the notebook's scale. set changes settings, such as stop.passes=5.
func Spec(id string, set ...string) *lang.Spec {
	e, err := harness.Find(id)
	check(err, id)
	return at(e.File, set)
}

// Parse returns the experiment whose spec is text, at the notebook's scale. set changes settings. Line numbers in
// errors count the lines of text, from 1.
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

// Run makes the missing runs of an experiment, as many at the same time as there are cores, and returns all results.
// The parameter with lists additional solvers, which run beside the solvers of the spec. If a run fails, diverges or is
// interrupted, the cell ends with an error.
func Run(s *lang.Spec, with ...solvers.Solver) *harness.Result {
	return run(s, harness.Options{With: with})
}

// RunOnly does the same as Run, but runs only the solvers that the parameter with lists, and not those of the spec.
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

// fail ends the cell with an error. In a notebook it does not panic, because a panic prints the stacks of all
// goroutines.
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
