package record

// filesPhase is the phase in which a solver writes and reads files for another program. The solver's clock excludes it.
const filesPhase = "files"

// phases sums the time of each phase of a solver. A phase is a named section of the solver's work. The sums are columns
// of a row, such as qp_seconds and qp_cpu_seconds. They exclude evaluation, as the solver's clock does.
type phases struct {
	spent   map[string]spent
	name    string // name of the current phase; "": none
	since   moment
	running bool
}

// enter ends the current phase and begins another.
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

// aside returns the time of the phase filesPhase, which the solver's clock excludes.
func (p *phases) aside() spent { return p.spent[filesPhase] }

// write writes the seconds of each phase to a row.
func (p *phases) write(values map[string]float64, cpu bool) {
	for name, s := range p.spent {
		s.write(values, name+"_", cpu)
	}
}
