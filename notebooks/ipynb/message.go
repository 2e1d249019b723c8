package ipynb

import (
	"regexp"
	"strings"
)

// longest is the largest number of lines shown of a kernel's message. It suffices for a panic and the top of its stack.
const longest = 25

// plain removes terminal colours and surrounding blank lines from a kernel's message.
func plain(s string) string {
	colour := regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	return strings.Trim(colour.ReplaceAllString(s, ""), "\n")
}

// indent puts a message of several lines below its heading, and shortens it to the longest length.
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
