package edition

import (
	"testing"
)

// TestForecastOfMemory checks the memory of a forecast, which is that of experiments with runs to make only, and that a
// timed experiment uses the run of another one if one run is made at a time.
func TestForecastOfMemory(t *testing.T) {
	for _, process := range []string{"", "now"} { // "": the experiment may have results of several sittings
		for workers, want := range map[int]int{0: 6, 1: 4, 2: 6} {
			all := []*Experiment{fresh("p/a", "xy", false), fresh("p/b", "yxz", true), fresh("p/c", "w", false),
				fresh("p/none", "", false)}
			all[1].Process = process
			for i, memory := range []int64{5, 9, 7, 100} {
				all[i].Memory = memory
			}
			each, whole := Forecast(all, workers)
			if len(each) != 4 || whole.Runs != want || whole.Memory != 9 || each[3] != (Need{}) || each[2].Memory != 7 {
				t.Errorf("%d workers, sitting %q: %+v in all, %+v each; want %d runs and the memory 9", workers, process,
					whole, each, want)
			}
		}
	}
}
