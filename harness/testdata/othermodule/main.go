// Command othermodule is what a user writes in their own module: a solver, and a run of it along with gaplab's.
package main

import (
	"context"
	"fmt"
	"iter"
	"log"
	"os"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// Descent is gradient descent with a constant step.
type Descent struct{ Step float64 }

var _ solvers.Trainer = Descent{}

func (Descent) Needs() solvers.Needs {
	return solvers.Needs{Losses: solvers.Smooth, Oracles: solvers.Marginals}
}

func (d Descent) Train(p *models.Risk, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(d, p, func(yield func(solvers.Iterate, error) bool) {
		w, g := make([]float64, p.Dim), make([]float64, p.Dim)
		for k := 0; yield(solvers.Iterate{W: w, Epoch: k}, nil); k++ {
			p.Gradient(g, w)
			for j := range w {
				w[j] -= d.Step * g[j]
			}
		}
	})
}

func main() {
	log.SetFlags(0)
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

// run prints the results of Descent and of each solver of the spec.
func run(ctx context.Context, file, results string) error {
	exp, err := harness.ReadExperiment(file)
	if err != nil {
		return err
	}
	spec, err := exp.At("", nil)
	if err != nil {
		return err
	}
	res, err := harness.Run(ctx, spec, harness.With(Descent{Step: 0.01}), harness.Root(results))
	if err != nil {
		return err
	}
	fig, err := res.Figure()
	if err != nil {
		return err
	}
	fmt.Println(len(fig.Panels[0].Lines), "lines")
	for _, s := range res.Summaries() {
		fmt.Printf("%s %s passes=%g falls=%v bounded=%v\n", s.Solver["name"], s.Status, *s.Passes, *s.Primal < 2.3,
			*s.Dual <= *s.Primal)
	}
	return nil
}
