package tree

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// addSyntax adds an error of the YAML parser as a fault. The error's text starts with "yaml: line 3: " if the parser
// knows the line. If a line of the text has a wrong indentation, addSyntax names this line instead, because the parser
// often names another one.
func addSyntax(p *Faults, err error, data []byte) {
	line, text := cutLine(strings.TrimPrefix(err.Error(), "yaml: "))
	if grammarFault.MatchString(text) {
		line++
	}
	lines := strings.Split(string(data), "\n")
	if at, why := misindented(lines); at > 0 {
		p.Add(at, "", "not YAML: %s", why)
		return
	}
	switch {
	case text == "mapping values are not allowed in this context":
		line = max(line, 1) // the parser gives no number to the first line
		text = "a second colon; put quotes around a text that contains \": \""
	case text == "did not find expected node content":
		text = "a value is missing, or a bracket is not closed"
	case strings.HasPrefix(text, "did not find expected ',' or") && line > 0 && line <= len(lines) &&
		strings.Contains(lines[line-1], "("):
		text += "; inside { } and [ ], put an expression in quotes: 'f(x, \"y\")'"
	}
	p.Add(line, "", "not YAML: %s", text)
}

// grammarFault matches the errors of the parser of yaml.v3, which counts lines from 0. The scanner of yaml.v3 counts
// lines from 1; its errors do not match.
var grammarFault = regexp.MustCompile(`^did not find expected (key|',' or|'-' indicator|node content|<)`)

// misindented returns the number of the first line whose key has a wrong indentation, and the reason. It returns 0 if
// it finds none. It ignores lines inside brackets and texts of several lines.
func misindented(lines []string) (line int, why string) {
	key := regexp.MustCompile(`^( *)((?:- +)*)[A-Za-z_][\w.-]*:(?: +(.*))?$`)
	var levels []int // the indentations of the open mappings and lists, from the outermost
	above := 0       // number of the last line with a key
	complete := false
	brackets, text := 0, -1 // text: the indentation of the key whose value is a text of several lines, or -1
	for i, l := range lines {
		l = strings.TrimRight(l, " \r")
		bare := strings.TrimLeft(l, " \t")
		if bare == "" || bare[0] == '#' {
			continue
		}
		indent := len(l) - len(strings.TrimLeft(l, " "))
		if text >= 0 && indent > text {
			continue
		}
		text = -1
		if brackets == 0 && strings.Contains(l[:len(l)-len(bare)], "\t") {
			return i + 1, "a tab at the beginning of the line; accepted: spaces"
		}
		m := key.FindStringSubmatch(l)
		if brackets > 0 || m == nil {
			brackets = max(0, brackets+depth(bare))
			continue
		}
		before := slices.Clone(levels)
		for len(levels) > 0 && levels[len(levels)-1] > indent {
			levels = levels[:len(levels)-1]
		}
		deeper := len(levels) == 0 || levels[len(levels)-1] < indent
		if deeper && above > 0 && len(levels) < len(before) {
			return i + 1, fmt.Sprintf("the line begins with %s; accepted: %s, as in the lines above", spaces(indent),
				either(before))
		}
		if deeper && complete {
			return i + 1, fmt.Sprintf("the line begins with %s, but the value of the key in line %d is complete; accepted: %s",
				spaces(indent), above, either(before))
		}
		if deeper {
			levels = append(levels, indent)
		}
		if inner := indent + len(m[2]); m[2] != "" {
			levels = append(levels, inner)
		}
		above = i + 1
		value, _, _ := strings.Cut(m[3], " #")
		value = strings.TrimSpace(value)
		complete = value != "" && value[0] != '#'
		if complete && strings.ContainsRune("|>", rune(value[0])) {
			text = levels[len(levels)-1]
		}
		brackets = max(0, depth(value))
	}
	return 0, ""
}

// depth returns the number of brackets that a text opens, minus those that it closes. It ignores brackets in quotes.
func depth(text string) (open int) {
	var quote rune
	for _, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.ContainsRune("{[", c):
			open++
		case strings.ContainsRune("}]", c):
			open--
		}
	}
	return open
}

// spaces returns a text such as "1 space".
func spaces(n int) string {
	switch n {
	case 0:
		return "no spaces"
	case 1:
		return "1 space"
	}
	return fmt.Sprintf("%d spaces", n)
}

// either returns the accepted indentations as a text.
func either(levels []int) string {
	var parts []string
	for _, n := range slices.Compact(slices.Clone(levels)) {
		parts = append(parts, spaces(n))
	}
	return strings.Join(parts, " or ")
}
