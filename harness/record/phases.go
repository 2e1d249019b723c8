package record

import (
	"time"

	"github.com/gaplab/gaplab/harness/trace"
)

// filesPhase is the phase in which a solver writes and reads files for another program. It is off the solver's clock.
const filesPhase = "files"

// phases clocks a solver's phases. Their seconds are columns of a row, such as qp_seconds. They run on the solver's
// clock, which leaves out evaluation.
type phases struct {
	seconds map[string]time.Duration
	name    string // of the phase in force; "" is none
	since   time.Time
	running bool
}

// enter ends the phase in force and begins another.
func (p *phases) enter(name string) {
	p.stop()
	p.name = name
	p.start()
}

func (p *phases) start() { p.since, p.running = time.Now(), true }

func (p *phases) stop() {
	if !p.running || p.name == "" {
		return
	}
	if p.seconds == nil {
		p.seconds = map[string]time.Duration{}
	}
	p.seconds[p.name] += time.Since(p.since)
	p.running = false
}

// aside is the time of the phases that are off the solver's clock.
func (p *phases) aside() time.Duration { return p.seconds[filesPhase] }

// write puts the seconds of each phase into a row.
func (p *phases) write(values map[string]float64) {
	for name, d := range p.seconds {
		values[name+"_"+trace.Seconds] = d.Seconds()
	}
}
