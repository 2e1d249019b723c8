package experiments

import (
	"regexp"
	"strings"
)

// digits matches a number in an id.
var digits = regexp.MustCompile(`\d+`)

// natural compares ids. Numbers in them count by value: fig9 comes before fig10.
func natural(a, b string) int {
	padded := func(id string) string {
		return digits.ReplaceAllStringFunc(id, func(n string) string { return strings.Repeat("0", max(0, 9-len(n))) + n })
	}
	return strings.Compare(padded(a), padded(b))
}
