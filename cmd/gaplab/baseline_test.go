package main

import (
	"testing"

	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestWordsOfBaseline checks the words of the tables that gaplab baseline update and gaplab reproduce print.
func TestWordsOfBaseline(t *testing.T) {
	f := &trace.File{}
	for _, c := range []struct {
		change gate.Comparison
		want   string
	}{
		{gate.Comparison{Fresh: f}, "new"},
		{gate.Comparison{Reference: f}, "gone"},
		{gate.Comparison{Reference: f, Fresh: f, OK: true}, "digits"},
		{gate.Comparison{Reference: f, Fresh: f}, "moved"},
	} {
		if got := verdictOf(baseline.Change{Comparison: c.change}); got != c.want {
			t.Errorf("%+v: %q, want %q", c.change, got, c.want)
		}
	}
	for ratio, want := range map[float64]string{0: "", 1: "× 1", 0.51239: "× 0.512", 1234.5: "× 1.23e+03"} {
		if got := work(gate.Comparison{Work: ratio}); got != want {
			t.Errorf("work of ratio %v: %q, want %q", ratio, got, want)
		}
	}
	if got := outcome(claims.Verdict{}) + " " + outcome(claims.Verdict{Verdict: claims.Tie}); got != "none tie" {
		t.Errorf("no verdict and a tie: %q, want none tie", got)
	}
	if got := short("0123456789abcdef") + " " + short("abc") + short(""); got != "0123456789ab abc" {
		t.Errorf("short hashes: %q", got)
	}
}
