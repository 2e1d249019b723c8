package table_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestClockOfAColumn checks that a column of CPU times shows wall-clock times if the runs have no CPU time, and that
// its heading names the clock.
func TestClockOfAColumn(t *testing.T) {
	f := &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": "a"}}, End: &trace.End{Status: trace.Done},
		Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1, trace.Seconds: 2}}}}
	spec := &lang.TableSpec{Rows: "as", Columns: []lang.Column{{Name: "final.cpu_seconds", Title: "time"}}}
	for _, c := range []struct {
		heading string
		value   float64
	}{{"time (wall clock)", 2}, {"time", 1}} {
		got, err := table.Resolve(spec, trace.NewSet([]*trace.File{f}), nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := got.Render(&out, "text"); err != nil {
			t.Fatal(err)
		}
		if head, _, _ := strings.Cut(out.String(), "\n"); !strings.HasSuffix(head, c.heading) ||
			*got.Rows[0].Cells[0].Ours != c.value {
			t.Errorf("%s: want %s, %v", &out, c.heading, c.value)
		}
		if csv := written(t, got, "csv"); !strings.HasPrefix(csv, "as,"+c.heading+",censored\n") {
			t.Errorf("CSV: %s; want the heading %s", csv, c.heading)
		}
		f.Rows[0].Values[trace.CPUSeconds] = 1
	}
}
