package solvers

import (
	"context"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

func visits(t testing.TB) *egOnline {
	t.Helper()
	set, err := (datasets.Digits{Train: 2000, Seed: 1}).Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := models.Multiclass{}.Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := task.Problem(models.LogLoss(), 10.0/2000)
	return newEGOnline(newEGState(p, 10, 0.5), &EG{Order: "random", Rate: "adaptive", Seed: 1})
}

// An update of EG allocates nothing.
func TestVisitAllocatesNothing(t *testing.T) {
	o := visits(t)
	if n := testing.AllocsPerRun(5000, func() {
		o.update(o.next(), 1e-12)
		o.updates++
	}); n != 0 {
		t.Errorf("an update allocates %v times", n)
	}
}

// BenchmarkVisit is one update of EG on an example of the shape of MNIST, trials included.
func BenchmarkVisit(b *testing.B) {
	o := visits(b)
	b.ReportAllocs()
	for b.Loop() {
		o.update(o.next(), 1e-12)
		o.updates++
	}
}
