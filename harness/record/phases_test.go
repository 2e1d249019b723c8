package record

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestTimerAndPhases starts, stops and divides into phases the work of a solver at random, and checks the seconds in
// total and by phase against sums over the pieces of work: only work while the timer runs counts, and the phase files
// counts for itself but not for the total.
func TestTimerAndPhases(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		measures := r.IntN(3) > 0
		now := time.Duration(0)
		c := &clock{thread: func() (time.Duration, bool) { return now / 2, measures },
			present: func() time.Time { return time.Unix(0, 0).Add(now) }}
		x := &timer{clock: c}
		want, total, running, phase := map[string]time.Duration{}, time.Duration(0), false, ""
		for range 30 {
			step := time.Duration(r.IntN(5)) * time.Second
			if now += step; running && phase != "" {
				want[phase] += step
			}
			if running && phase != filesPhase {
				total += step
			}
			switch {
			case !running && r.IntN(4) == 0: // a solver leaves its phase when its loop has ended
				phase = ""
				x.phases.enter(phase, c.now())
			case !running:
				x.start()
				running = true
			case r.IntN(2) == 0:
				x.pause()
				running = false
			default:
				phase = []string{"", "setup", "qp", filesPhase}[r.IntN(4)]
				x.phases.enter(phase, c.now())
			}
		}
		if running {
			x.pause()
		}
		row, expected := map[string]float64{}, map[string]float64{trace.Seconds: total.Seconds()}
		if x.write(row); measures {
			expected[trace.CPUSeconds] = total.Seconds() / 2
		}
		for name, d := range want {
			expected[name+"_seconds"] = d.Seconds()
			if measures {
				expected[name+"_cpu_seconds"] = d.Seconds() / 2
			}
		}
		for name, v := range row { // a phase without time may have a column
			if expected[name] != v {
				t.Fatalf("seed %d: %s is %v, want %v", seed, name, v, expected[name])
			}
		}
		for name, v := range expected {
			if v > 0 && row[name] != v {
				t.Fatalf("seed %d: %s is %v, want %v; row %v", seed, name, row[name], v, slices.Sorted(maps.Keys(row)))
			}
		}
		counted := total.Seconds()
		if measures {
			counted /= 2
		}
		if x.seconds() != counted {
			t.Fatalf("seed %d: %v s count, want %v", seed, x.seconds(), counted)
		}
		x.start()
		now += time.Second
		if more := x.running() - counted; more != map[bool]float64{true: 0.5, false: 1}[measures] {
			t.Fatalf("seed %d: a second of work counts as %v s while the timer runs", seed, more)
		}
		e := &execution{timer: *x, stop: lang.Stop{Seconds: counted + 10}}
		left, limited := e.left()
		if e.stop.Seconds = 0; !limited || left != time.Duration((counted+10-x.running())*float64(time.Second)) {
			t.Fatalf("seed %d: %v left of 10 s, limited %v", seed, left, limited)
		}
		if left, limited := e.left(); left != 0 || limited {
			t.Fatalf("seed %d: %v left without a limit", seed, left)
		}
	}
}
