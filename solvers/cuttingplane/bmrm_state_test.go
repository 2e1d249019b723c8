package cuttingplane

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestBMRMMemory checks that a plane is removed after exactly Drop consecutive QPs in which its multiplier is 0, and
// that w is −Σ α_k a_k over the remaining planes. It also checks the statistics of the planes.
func TestBMRMMemory(t *testing.T) {
	const drop = 3
	left, again := 0, 0
	eachBundle(t, 0.02, func(t *testing.T, p *models.Risk) {
		st := newBMRMState(&BMRM{Epsilon: 1e-5, Drop: drop}, p, solvers.Env{Seed: 1})
		idle, steps := map[*float64]int{}, 0.0 // the key is the address of the first value of a plane's slope
		for it := range testbed.Iterates(t, st.Run(p.Lambda)) {
			if it.Epoch == 0 {
				continue
			}
			now, w, support := map[*float64]int{}, make([]float64, p.Dim), 0.0
			for k, alpha := range st.dual.Alpha() {
				plane := &st.planes[k]
				plane.addTo(w, -alpha)
				if alpha > 0 {
					support++
				}
				var at *float64
				if plane.dense != nil {
					at = &plane.dense[0]
				} else if len(plane.a.Value) > 0 {
					at = &plane.a.Value[0]
				}
				n, known := idle[at]
				if known {
					n++
				}
				if alpha > 0 {
					if n > 1 {
						again++
					}
					n = 0
				}
				if now[at] = n; n >= drop && at != nil {
					t.Fatalf("epoch %d: a plane is kept after %d QPs with multiplier 0, want it removed after %d", it.Epoch, n, drop)
				}
			}
			for at, n := range idle {
				if _, kept := now[at]; !kept {
					if left++; n != drop-1 {
						t.Fatalf("epoch %d: a plane is removed after %d QPs with multiplier 0, want %d", it.Epoch, n+1, drop)
					}
				}
			}
			idle = now
			stats := testbed.EndAt(it).Stats
			if !floats.EqualApprox(w, it.W, 1e-9) || stats["support_vectors"] != support ||
				stats["working_set"] != float64(len(st.planes)) || it.Epoch > 1 && stats["qp_steps"] <= steps {
				t.Fatalf("epoch %d: w = %v and statistics %v, want w = %v, %v support vectors of %d planes and more than %v steps",
					it.Epoch, it.W, stats, w, support, len(st.planes), steps)
			}
			if steps = stats["qp_steps"]; it.Epoch == 60 {
				break
			}
		}
	})
	if left == 0 || again == 0 {
		t.Errorf("%d planes were removed, and %d had a positive multiplier again: want some of each", left, again)
	}
}

// TestBMRMEnded checks when a run ends: at a gap of at most ε or of rounding errors, or near rounding errors after 10
// iterations in which the gap did not fall by a tenth. The dual is 1 in all cases.
func TestBMRMEnded(t *testing.T) {
	p := planeCases(t)[0].Task.Objective(models.Hinge(), 0.5).(*models.Risk)
	for _, c := range []struct {
		eps, gap, least float64
		idle            int
		ended           bool
		idleAfter       int
	}{
		{0, 1, math.Inf(1), 0, false, 0}, {0, 0.95, 1, 3, false, 4}, {0, 0.85, 1, 3, false, 0}, {0, 1, 1, 50, false, 51},
		{0, 5e-12, 5e-12, 8, false, 9}, {0, 5e-12, 5e-12, 9, true, 10}, {0, 5e-12, 1, 9, false, 0},
		{0, 1e-10, 1e-10, 20, false, 21}, {0, 5e-15, 1, 0, true, 0}, {0, 1e-13, 1, 0, false, 0},
		{0.1, 0.099, 1, 0, true, 0}, {0.1, 0.101, 1, 0, false, 0}, {0.1, -1e-16, 1, 0, true, 0},
	} {
		st := newBMRMState(&BMRM{Epsilon: c.eps}, p, solvers.Env{})
		st.dual.Add([]float64{0}, 1)
		st.dual.Solve(0)
		st.best, st.least, st.idle = 1+c.gap, c.least, c.idle
		if got := st.ended(); got != c.ended || st.idle != c.idleAfter || st.idle == 0 && st.least != st.gap() {
			t.Errorf("%+v: ended = %v, idle = %d, least = %v", c, got, st.idle, st.least)
		}
	}
}

// TestNewPlane checks that a plane has a copy of its slope, in the form that takes less memory, and that its methods
// agree with dense vectors.
func TestNewPlane(t *testing.T) {
	for _, c := range []struct {
		slope []float64
		dense bool
	}{{[]float64{1, -2, 3, 4}, true}, {[]float64{1, 0, 3, 4}, true}, {[]float64{1, 0, 3}, false},
		{[]float64{1, 0, 0, 4, 0}, false}, {[]float64{0, 0}, false}} {
		given := append([]float64{}, c.slope...)
		plane := newPlane(given, 7)
		clear(given)
		v, sum := []float64{2, 3, 5, 7, 11}[:len(given)], []float64{1, 1, 1, 1, 1}[:len(given)]
		want := append([]float64{}, sum...)
		floats.AddScaled(want, -0.5, c.slope)
		if plane.addTo(sum, -0.5); !floats.Equal(sum, want) || plane.dot(v) != floats.Dot(c.slope, v) || plane.b != 7 ||
			plane.idle != 0 || (plane.dense != nil) != c.dense {
			t.Errorf("slope %v: the plane %+v gives %v and %v, want %v and %v", c.slope, plane, plane.dot(v), sum,
				floats.Dot(c.slope, v), want)
		}
	}
}
