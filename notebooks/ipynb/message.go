package ipynb

import (
	"regexp"
	"strings"
)

// longest is how many lines of a kernel's message are repeated: enough for a panic with its stack's head.
const longest = 25

// plain is a kernel's message without terminal colours and surrounding blank lines.
func plain(s string) string {
	colour := regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	return strings.Trim(colour.ReplaceAllString(s, ""), "\n")
}

// indent puts a message of several lines below its heading, cut after the longest that is worth reading.
func indent(s string) string {
	lines := strings.Split(s, "\n")
	if len(lines) == 1 {
		return s
	}
	if len(lines) > longest {
		lines = append(lines[:longest], "…")
	}
	return "\n\t" + strings.Join(lines, "\n\t")
}
