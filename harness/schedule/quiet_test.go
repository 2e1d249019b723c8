package schedule_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// pace is a reference loop whose times are given. After the last one it takes 100 ns.
type pace struct {
	times []time.Duration
	best  time.Duration
}

func (p *pace) Measure() time.Duration {
	if len(p.times) == 0 {
		return 100
	}
	t := p.times[0]
	p.times = p.times[1:]
	return t
}

func (p *pace) Best() time.Duration { return p.best }

// TestQuiet checks that a timed run is made again if the reference loop before or after it was slow, at most twice and
// only when the machine becomes quiet, and that its trace and the notes tell of it.
func TestQuiet(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test makes runs again")
	}
	for _, c := range []struct {
		name     string
		times    []time.Duration // of the loop: before and after each attempt, and while waiting for a quiet machine
		made     int             // number of attempts of both repetitions
		remade   int             // of the first repetition
		slowdown float64         // of the first repetition
		note     string
	}{
		{"quiet", []time.Duration{100, 114}, 2, 0, 1.14, ""},
		{"busy before", []time.Duration{116, 100, 100, 100}, 3, 1, 1, "timed runs: 1 of 2 made again"},
		{"busy after", []time.Duration{100, 130, 110, 100}, 3, 1, 1.1, ", 0 measured on a machine that stayed busy"},
		{"busy again and again", []time.Duration{150, 150, 115, 200, 150, 116, 100, 120}, 4, 2, 1.2,
			", 1 measured on"},
		{"quiet at last", []time.Duration{150, 150, 150, 150, 150, 150, 115, 100}, 3, 1, 1.15, ", 0 measured on"},
		{"busy all the time", []time.Duration{150, 150, 150, 150, 150, 150, 116}, 2, 0, 1.5,
			"timed runs: 0 of 2 made again because the machine was busy, 1 measured"},
		{"faster than the best", []time.Duration{50, 60}, 2, 0, 0.6, ""},
	} {
		s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 5}\nrepeat: {times: 2}\n")
		made := 0
		var notes []string
		loop := &pace{times: slices.Clone(c.times), best: 100}
		r := toy.Run(t, t.TempDir(), s, func(o *schedule.Options) { o.Reference = loop },
			toy.OnEvent(func(e schedule.Event) {
				switch e.Kind {
				case schedule.Started:
					made++
				case schedule.Noted:
					notes = append(notes, e.Why)
				}
			}))
		if made != c.made || len(r.Files) != 2 {
			t.Errorf("%s: %d attempts, %d results; want %d, 2", c.name, made, len(r.Files), c.made)
			continue
		}
		end := r.Files[0].End
		if end.Remade != c.remade || end.Slowdown != c.slowdown {
			t.Errorf("%s: made again %d times, slowdown %v; want %d, %v", c.name, end.Remade, end.Slowdown, c.remade,
				c.slowdown)
		}
		text := strings.Join(notes, "; ")
		if !strings.Contains(text, c.note) || c.note == "" && strings.Contains(text, "busy") {
			t.Errorf("%s: notes %q, want %q", c.name, text, c.note)
		}
		if got := r.Set.Curves[0].Slowdown(); got < end.Slowdown {
			t.Errorf("%s: the slowdown of the curve is %v, want at least %v", c.name, got, end.Slowdown)
		}
		if r.Files[0].Status() != trace.Done {
			t.Errorf("%s: the result is %s, want done", c.name, r.Files[0].Status())
		}
	}
}

// TestQuietWithoutRepetitions checks that, if the options ask for it, a run of a timed experiment that is not repeated
// is made again on a busy machine, and a run of another experiment is not.
func TestQuietWithoutRepetitions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, rest string
		quiet      bool
		made       int
		slowdown   float64
	}{
		{"timed", "table: {rows: C, columns: [final.seconds]}\n", true, 2, 1},
		{"timed, not asked for", "table: {rows: C, columns: [final.seconds]}\n", false, 1, 0},
		{"not timed", "budget: {seconds: 1000}\n", true, 1, 0},
	} {
		s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 5}\n"+c.rest)
		made := 0
		r := toy.Run(t, t.TempDir(), s, func(o *schedule.Options) {
			o.Quiet, o.Reference = c.quiet, &pace{times: []time.Duration{150, 100, 100, 100}, best: 100}
		}, toy.OnEvent(func(e schedule.Event) {
			if e.Kind == schedule.Started {
				made++
			}
		}))
		if end := r.Files[0].End; made != c.made || end.Slowdown != c.slowdown || end.Remade != made-1 {
			t.Errorf("%s: %d attempts, slowdown %v, made again %d times; want %d, %v, %d", c.name, made, end.Slowdown,
				end.Remade, c.made, c.slowdown, c.made-1)
		}
	}
}

// TestLongRunsAreNotMadeAgain checks that a run of more than ten minutes is not made again on a busy machine, and that
// its slowdown is recorded, and that a run of less than ten minutes is made again.
func TestLongRunsAreNotMadeAgain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test makes runs again")
	}
	for step, remade := range map[time.Duration]int{time.Second: 2, time.Hour: 0} {
		s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 5}\nrepeat: {times: 2}\n")
		now := time.Unix(0, 0)
		r := toy.Run(t, t.TempDir(), s, func(o *schedule.Options) {
			o.Reference = &pace{times: []time.Duration{150, 150, 100, 150, 100, 150}, best: 100}
			o.Now = func() time.Time { now = now.Add(step); return now }
		})
		if end := r.Files[0].End; end.Remade != remade || end.Slowdown != 1.5 {
			t.Errorf("a run of %v s was made again %d times, slowdown %v; want %d times, 1.5", end.Seconds, end.Remade,
				end.Slowdown, remade)
		} else if end.RecordSeconds < step.Seconds() {
			t.Errorf("evaluating and recording rows took %v s, want at least one step of the clock", end.RecordSeconds)
		}
	}
}
