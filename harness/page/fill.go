package page

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// width is the largest number of characters in a line of prose.
const width = 120

var (
	item   = regexp.MustCompile(`^ *([-*+]|\d+[.)]) +`)   // start of a list item
	marker = regexp.MustCompile(`^([-*+>|]|\d+[.)]|#+)$`) // a word that is Markdown syntax at the start of a line
)

// fill wraps each paragraph and list item of a Markdown text to width. Headings, tables, code, HTML, images and hard
// line breaks stay as they are.
func fill(text string) string {
	var out, words []string
	var first, rest string // the indents of the paragraph's first line and of its other lines
	flush := func() {
		if len(words) > 0 {
			out = append(out, wrap(first, rest, words)...)
		}
		words = nil
	}
	code, numbered := false, false // whether the line is within code, or within an item of a numbered list
	for _, line := range strings.Split(text, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if fence {
			code = !code
		}
		if fence || code || verbatim(line, len(words) > 0) {
			flush()
			out = append(out, line)
			continue
		}
		start := item.FindString(line)
		number := strings.Trim(start, " -*+.)")
		if number != "" && number != "1" && len(words) > 0 && !numbered {
			start = "" // in CommonMark, a numbered list can interrupt a paragraph only if its number is 1
		}
		if start != "" {
			flush()
			first, rest, numbered = start, strings.Repeat(" ", len(start)), number != ""
			line = line[len(start):]
		} else if len(words) == 0 {
			first = line[:len(line)-len(strings.TrimLeft(line, " "))]
			rest, numbered = first, false
		}
		words = append(words, strings.Fields(line)...)
		if strings.HasSuffix(line, "  ") || strings.HasSuffix(line, `\`) {
			if !strings.HasSuffix(line, `\`) {
				words[len(words)-1] += "  "
			}
			flush()
			first = rest
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// verbatim reports whether a line stays as it is. within means that the line continues a paragraph; then a deep indent
// does not mean code.
func verbatim(line string, within bool) bool {
	bare := strings.TrimSpace(line)
	if bare == "" || strings.HasPrefix(line, "    ") && !within {
		return true
	}
	for _, start := range []string{"#", "|", "<", "![", ">"} {
		if strings.HasPrefix(bare, start) {
			return true
		}
	}
	return false
}

// wrap breaks words into lines. first and rest are the indents of the first line and of the other lines. A word that
// would be Markdown syntax at the start of a line stays on the line before.
func wrap(first, rest string, words []string) []string {
	var lines []string
	line, before := first, true
	for i := 0; i < len(words); {
		unit := words[i]
		for i++; i < len(words) && marker.MatchString(words[i]); i++ {
			unit += " " + words[i]
		}
		switch n := utf8.RuneCountInString(line) + 1 + utf8.RuneCountInString(unit); {
		case before:
			line += unit
		case n > width:
			lines = append(lines, line)
			line = rest + unit
		default:
			line += " " + unit
		}
		before = false
	}
	return append(lines, line)
}
