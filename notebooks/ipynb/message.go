package ipynb

import (
	"regexp"
	"strings"
)

// longest is the number of lines of a kernel's message that are repeated: enough for a panic and the head of its stack.
const longest = 25

// plain returns a kernel's message without terminal colours and surrounding blank lines.
func plain(s string) string {
	colour := regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	return strings.Trim(colour.ReplaceAllString(s, ""), "\n")
}

// indent puts a message of several lines below its heading, and cuts it after the longest part worth reading.
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
