package origin_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestChanged changes each field of an origin that may change the computed bits. Changed must name the field with its
// old value before its new value. It must ignore all other fields.
func TestChanged(t *testing.T) {
	then := trace.Origin{Commit: "a", Program: "b", Command: []string{"gaplab"}, GoVersion: "go1", Platform: "linux/amd64",
		CPU: "old chip"}
	for want, change := range map[string]func(o *trace.Origin){
		"": func(o *trace.Origin) {
			o.Commit, o.Dirty, o.Program, o.Command = "c", true, "d", nil
		},
		"Go release was go1, and is now go2":               func(o *trace.Origin) { o.GoVersion = "go2" },
		"platform was linux/amd64, and is now linux/arm64": func(o *trace.Origin) { o.Platform = "linux/arm64" },
		"processor was old chip, and is now new chip":      func(o *trace.Origin) { o.CPU = "new chip" },
	} {
		now := then
		change(&now)
		if got := origin.Changed(then, now); strings.TrimPrefix(got, "the ") != want {
			t.Errorf("Changed = %q, want %q", got, want)
		}
	}
}
