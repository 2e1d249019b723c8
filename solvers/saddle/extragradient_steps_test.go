package saddle

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// smoothed returns the mean of the hinge at w smoothed with the temperature mu, computed from all labellings.
func (x *listed) smoothed(w []float64, mu float64) float64 {
	var mean float64
	for i, list := range x.psi {
		top := math.Inf(-1)
		for k, psi := range list {
			top = max(top, x.loss[i][k]-dualspace.Dot(w, psi))
		}
		var sum float64
		for k, psi := range list {
			sum += math.Exp((x.loss[i][k] - dualspace.Dot(w, psi) - top) / mu)
		}
		mean += (top + mu*math.Log(sum)) / float64(len(x.psi))
	}
	return mean
}

// point returns the statistics bound and excess by inequalities (2) and (3) in the comment of Extragradient. squares is
// the weighted mean of |w_t|².
func (x *listed) point(average []float64, squares float64) (excess, bound float64) {
	lambda, f := x.p.Lambda, make([]float64, x.p.Dim)
	for j, v := range x.features {
		f[j] = v / x.sum
	}
	var loss, logs float64
	at := 0
	for _, list := range x.loss {
		logs += math.Log(float64(len(list))) / float64(len(x.loss))
		for _, l := range list {
			loss += x.alpha[at] / x.sum * l / float64(len(x.loss))
			at++
		}
	}
	mu, rho := x.sigma/x.sum, x.c*lambda
	norm := dualspace.Dot(f, f)
	excess = loss - norm/(2*(lambda+rho/x.sum)) - lambda/2*squares - x.smoothed(average, mu) + mu*logs
	return excess, x.c/(x.c+x.sum)*norm/(2*lambda) + mu*logs
}

// TestExtragradientSteps checks the length of each step and all statistics, for several values of Scale. Lengths of
// adaptive steps follow from the rule in the comment of Extragradient, where the test computes (2) from all labellings:
// the first length that fulfils (2) is used, and no length is below the one that is always correct.
func TestExtragradientSteps(t *testing.T) {
	rejected := 0
	eachSaddle(t, []float64{1, 0.02}, func(t *testing.T, c testbed.PlaneCase, p *models.Risk, step string) {
		if c.Name == "deptree" {
			t.Skip("long vectors")
		}
		var logs float64
		for _, list := range c.Labellings {
			logs += math.Log(float64(len(list))) / float64(len(c.Labellings))
		}
		worst := p.Primal(make([]float64, p.Dim))
		for _, scale := range []float64{1, 0.3} {
			radius := scale * math.Sqrt(dualspace.RadiusSq(p))
			balance := max(scale*math.Sqrt(2*logs), radius*math.Sqrt(logs/(p.Lambda*worst)))
			sigma := radius * radius / (p.Lambda * balance)
			x := newListed(c, p, balance, sigma)
			next, squares, count, last := 1.0, 0.0, 0, 0.0
			e := &Extragradient{Step: step, Scale: scale}
			for it := range testbed.Iterates(t, solvers.Run(e, p, solvers.Env{Seed: 1})) {
				got := statsOf(it)
				want := map[string]float64{"step": last, "sum_of_steps": x.sum, "excess": 0, "bound": worst, "balance": balance,
					"log_labels": logs, "radius": radius, "rejected": float64(count)}
				if it.Epoch > 0 {
					average := make([]float64, p.Dim)
					for j, w := range x.weights {
						average[j] = w / x.sum
					}
					mean := squares / x.sum
					if step != "adaptive" {
						mean = dualspace.Dot(average, average)
					}
					want["mu"] = sigma / x.sum
					want["excess"], want["bound"] = x.point(average, mean)
				}
				for name, v := range want {
					if y, ok := got[name]; !ok || math.Abs(y-v) > 1e-8*(1+math.Abs(v)) {
						t.Errorf("scale %v, epoch %d: %s = %v, want %v", scale, it.Epoch, name, y, v)
					}
				}
				if len(got) != len(want) {
					t.Errorf("scale %v, epoch %d: %d statistics, want %d", scale, it.Epoch, len(got), len(want))
				}
				if it.Epoch == 12 || t.Failed() {
					break
				}
				longest := math.Sqrt(1 + x.sum/balance)
				switch step {
				case "constant":
					last = 1
				case "growing":
					last = longest
				default:
					safe := scale * longest
					for last = max(safe, next); last > safe; last = max(safe, last/2) {
						trial := x.clone()
						trial.step(last)
						y := make([]float64, p.Dim)
						average := make([]float64, p.Dim)
						for j, w := range trial.weights {
							y[j] = (w - x.weights[j]) / last
							average[j] = w / trial.sum
						}
						if e, _ := trial.point(average, (squares+last*dualspace.Dot(y, y))/trial.sum); e >= -1e-12*worst {
							break
						}
						count++
					}
					next = 2 * last
					if count > 0 {
						next = 1.25 * last
					}
				}
				before := slices.Clone(x.weights)
				x.step(last)
				for j, w := range x.weights {
					y := (w - before[j]) / last
					squares += last * y * y
				}
			}
			rejected += count
		}
	})
	if rejected == 0 {
		t.Error("no step was rejected: want some")
	}
}

// clone returns a copy that shares only data.
func (x *listed) clone() *listed {
	c := *x
	c.gradient = make([][]float64, len(x.gradient))
	for i, g := range x.gradient {
		c.gradient[i] = slices.Clone(g)
	}
	c.features = slices.Clone(x.features)
	c.weights = slices.Clone(x.weights)
	c.alpha = slices.Clone(x.alpha)
	return &c
}

// TestExtragradientShortestStep checks the length below which adaptive steps are never halved, for which (1) holds with
// the R of Scale = 1: an iteration makes this step if the next length to try is shorter, or if no longer step fulfils
// (2). In the test, a bound on rounding errors that no excess reaches makes (2) fail.
func TestExtragradientShortestStep(t *testing.T) {
	p := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(12, 3, 4)).Objective(models.Hinge(),
		0.05).(*models.Risk)
	for _, scale := range []float64{1, 0.4} {
		s := newExtragradientState(&Extragradient{Step: "adaptive", Scale: scale}, p, solvers.Env{})
		for range 5 {
			s.step()
		}
		safe := func() float64 { return scale * math.Sqrt(1+s.now.sum/s.c) }
		want, rejected := safe(), s.rejected
		s.longer = want / 3
		if s.step(); math.Abs(s.a-want) > 1e-12*want || s.rejected != rejected {
			t.Errorf("scale %v: the step is %v with %d rejections, want %v and none", scale, s.a, s.rejected-rejected, want)
		}
		s.worst = -1e30
		want, rejected = safe(), s.rejected
		s.longer = 7 * want
		if s.step(); math.Abs(s.a-want) > 1e-12*want || s.rejected != rejected+3 {
			t.Errorf("scale %v: the step is %v after %d rejections, want %v after 3", scale, s.a, s.rejected-rejected, want)
		}
	}
}
