package schedule

import (
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// least returns the least time of one oracle call of the objective on this machine, or nil if it is not known.
func (x *experiment) least(o models.Objective) *trace.Least {
	risk, ok := o.(*models.Risk)
	if !ok {
		return nil
	}
	work, ok := risk.Work()
	if !ok {
		return nil
	}
	flops := x.rates.Flops(func() float64 { return models.Multiply(32, 1000) })
	seconds := work.Weights / x.rates.Bandwidth(8*float64(risk.Dim))
	if work.Input > 0 {
		seconds += work.Input / x.rates.Bandwidth(work.Input*float64(risk.N()))
	}
	return &trace.Least{Arithmetic: work.Flops / flops, Memory: seconds}
}
