package expr

import (
	"fmt"
	"math"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// most is the largest number of values that a message shows of a list. A comparison that was evaluated more often is
// summarised.
const most = 8

// deepest is the depth of nested lists from which a message shows only the length of a list. A short expression may
// have a value with billions of elements, in which the same list occurs many times.
const deepest = 4

// format formats a value for a message. Numbers have four significant digits.
func format(v any) string { return formatAt(v, 0) }

// formatAt formats a value at a depth of nested lists.
func formatAt(v any, depth int) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case *trace.Curve:
		return "curve " + v.Describe([]string{"as", trace.C})
	case fields:
		var parts []string
		for i, name := range v.names {
			parts = append(parts, name+" "+formatAt(v.values[i], depth+1))
		}
		return strings.Join(parts, ", ")
	case quantities:
		var parts []string
		for i, name := range v.names {
			parts = append(parts, name+": "+formatAt(v.values[i], depth))
		}
		return strings.Join(parts, "; ")
	case map[string]any:
		return typeName(v)
	case Bounded:
		return v.String()
	}
	if x, err := number(v); err == nil {
		return formatNumber(x)
	}
	if n := length(v); depth >= deepest && n > 0 {
		return fmt.Sprintf("[… (%d values)]", n)
	}
	if list, ok := elements(v); ok {
		return formatList(list, depth+1)
	}
	return fmt.Sprint(v)
}

// formatNumber formats a number. It writes infinity as never, because infinity means that a curve never reaches a
// level.
func formatNumber(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "never"
	case math.Round(x) == x && math.Abs(x) < 1e6:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// formatList formats a list. It leaves out the middle of a long list.
func formatList(list []any, depth int) string {
	var parts []string
	for i, v := range list {
		if len(list) > most && i == most-2 {
			parts = append(parts, "…", formatAt(list[len(list)-1], depth)+fmt.Sprintf(" (%d values)", len(list)))
			break
		}
		parts = append(parts, formatAt(v, depth))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
