package testbed

import "github.com/gaplab/gaplab/models"

// OnCall returns the objective with wrapped oracles. Each call of an oracle first calls the function `call`.
func OnCall[O models.Objective](o O, call func()) O {
	return o.Map(func(e *models.Example) {
		if e.Max != nil {
			e.Max = calledMax{e.Max, call}
		}
		if e.Exp != nil {
			e.Exp = calledExp{e.Exp, call}
		}
		if e.Slack != nil {
			e.Slack = calledSlack{e.Slack, call}
		}
		if e.Second != nil {
			e.Second = calledSecond{e.Second, call}
		}
	}).(O)
}

type calledMax struct {
	models.MaxOracle
	call func()
}

func (o calledMax) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	o.call()
	return o.MaxOracle.Max(dst, theta)
}

type calledExp struct {
	models.ExpOracle
	call func()
}

func (o calledExp) LogSum(mu, theta []float64) float64 {
	o.call()
	return o.ExpOracle.LogSum(mu, theta)
}

type calledSlack struct {
	models.SlackOracle
	call func()
}

func (o calledSlack) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	o.call()
	return o.SlackOracle.MaxSlack(dst, theta, cost, truth)
}

type calledSecond struct {
	models.SecondOracle
	call func()
}

func (o calledSecond) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	o.call()
	return o.SecondOracle.Second(dst, theta, not)
}
