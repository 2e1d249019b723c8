package record

// filesPhase is the phase in which a solver writes and reads files for another program. It is off the solver's clock.
const filesPhase = "files"

// phases adds up the time of a solver's phases. Their seconds are columns of a row, such as qp_seconds and
// qp_cpu_seconds. They leave out evaluation, as the solver's clock does.
type phases struct {
	spent   map[string]spent
	name    string // of the phase in force; "" is none
	since   moment
	running bool
}

// enter ends the phase in force and begins another.
func (p *phases) enter(name string, now moment) {
	p.stop(now)
	p.name = name
	p.start(now)
}

func (p *phases) start(now moment) { p.since, p.running = now, true }

func (p *phases) stop(now moment) {
	if !p.running || p.name == "" {
		return
	}
	if p.spent == nil {
		p.spent = map[string]spent{}
	}
	p.spent[p.name] = p.spent[p.name].plus(now.since(p.since))
	p.running = false
}

// aside returns the time of the phases that are off the solver's clock.
func (p *phases) aside() spent { return p.spent[filesPhase] }

// write puts the seconds of each phase into a row.
func (p *phases) write(values map[string]float64, cpu bool) {
	for name, s := range p.spent {
		s.write(values, name+"_", cpu)
	}
}
