package report

import (
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestBegan checks that the origin of runs names the first and the last start, in any order of the runs, and that it
// ignores runs without a start.
func TestBegan(t *testing.T) {
	const a, b, c = "2026-01-02T00:00:00Z", "2026-01-10T00:00:00Z", "2026-02-01T00:00:00Z"
	for _, tt := range []struct {
		starts []string
		want   string
	}{
		{[]string{a, b, c}, a + " to " + c}, {[]string{c, b, a}, a + " to " + c}, {[]string{b, "", a, c}, a + " to " + c},
		{[]string{"", c, a, b}, a + " to " + c},
		{[]string{a, "", c}, a + " to " + c}, {[]string{b, b}, b}, {[]string{b}, b}, {[]string{""}, ""},
	} {
		var files []*trace.File
		for _, start := range tt.starts {
			f := &trace.File{}
			f.Manifest.Start = start
			files = append(files, f)
		}
		got := ""
		for _, fact := range origins(files) {
			if fact.Name == "began" {
				got = fact.Text
			}
		}
		if got != tt.want {
			t.Errorf("runs that began at %q: began %q, want %q", tt.starts, got, tt.want)
		}
	}
}
