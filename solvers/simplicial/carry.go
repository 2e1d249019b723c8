package simplicial

import "github.com/gaplab/gaplab/solvers"

// carry saves or loads the state that later rounds depend on. The state includes the points with their weights. It also
// includes the start points of searches, because the last bits of a search's result depend on its start.
func (s *rsdState) carry(to *solvers.State) {
	to.Carry(&s.shifted, &s.best, &s.primal, &s.whole, &s.rounds, &s.ascent, &s.lastDual, &s.lastPn, &s.centred, &s.moved,
		&s.idle, &s.reached.primal, &s.reached.bound, &s.reached.dual, &s.direction.calls)
	s.dual.carry(to)
	s.master.carry(to)
	b, c := s.bound, &s.centre
	to.Carry(&b.theta, &b.lambda, &b.best.z, &b.best.omega, &b.value)
	to.Carry(&c.tolerance, &c.value, &c.descents, &c.optima)
	s.sets.carry(to)
}

func (d *rsdProximal) carry(to *solvers.State) {
	to.Carry(&d.centre, &d.slope, &d.exp, &d.weight, &d.mass, &d.q, &d.size)
	if to.Loading() {
		d.x = d.slope[:len(d.centre)]
	}
}

func (m *rsdMaster) carry(to *solvers.State) {
	to.Carry(&m.lambda, &m.z, &m.omega, &m.value, &m.gap, &m.steps, &m.trials)
}

func (s *rsdSets) carry(to *solvers.State) {
	to.Carry(&s.at, &s.rounds, &s.over, &s.visits)
	s.order.Carry(to)
	for _, x := range s.simplices {
		x.carry(to)
	}
}

func (s *rsdSimplex) carry(to *solvers.State) {
	var z [][]float64
	var omega, alpha []float64
	if !to.Loading() {
		for _, p := range s.points {
			z, omega, alpha = append(z, p.z), append(omega, p.omega), append(alpha, p.alpha)
		}
	}
	to.Carry(&z, &omega, &alpha, &s.z, &s.omega)
	if !to.Loading() {
		return
	}
	s.points = make([]*rsdPoint, len(z))
	for k := range z {
		s.points[k] = &rsdPoint{z[k], omega[k], alpha[k]}
	}
}
