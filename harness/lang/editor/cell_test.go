package editor_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/lang/editor"
)

// TestFrames checks the combinations of a cell against their definition: combination i has the values whose indices are
// the digits of i in the mixed radix of the numbers of values, and the last digit belongs to the last setting.
func TestFrames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c editor.Cell
		n := 1
		for j := range rapid.IntRange(0, 4).Draw(t, "settings") {
			s := editor.Sweep{Path: fmt.Sprintf("p%d", j)}
			for k := range rapid.IntRange(1, 4).Draw(t, "values") {
				s.Values = append(s.Values, fmt.Sprintf("v%d", k))
			}
			n *= len(s.Values)
			c.Explore = append(c.Explore, s)
		}
		frames := c.Frames()
		if len(frames) != n {
			t.Fatalf("%d combinations, want %d", len(frames), n)
		}
		for i, got := range frames {
			var want []string
			rest := i
			for _, s := range slices.Backward(c.Explore) {
				want = slices.Insert(want, 0, s.Path+"="+s.Values[rest%len(s.Values)])
				rest /= len(s.Values)
			}
			if !slices.Equal(got, want) {
				t.Errorf("combination %d is %v, want %v", i, got, want)
			}
		}
	})
}
