package editor

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// inWord reports whether a byte belongs to a key or to a value without spaces.
func inWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("_-/.", b) >= 0
}

// cursorMark replaces the word at the cursor. It is a private-use character, which no spec contains.
const cursorMark = "\uE000"

// locate parses a text with a mark in place of the word at the cursor. It tries the mark as a value and then as a key;
// at the start of a line it tries the key first. It returns the first valid YAML. If the text after the cursor makes
// both invalid, locate closes the open brackets in place of the rest of the line, then in place of all text after the
// cursor. It returns the path to the map or list with the word; for a value, the path includes the key.
func locate(before, after string) (root *yaml.Node, path []string, isKey bool) {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	words := []string{cursorMark, cursorMark + ": 0"}
	if s := strings.TrimSpace(line); (s == "" || s == "-") && !strings.HasPrefix(strings.TrimLeft(after, " "), ":") {
		slices.Reverse(words)
	}
	end := closing(before)
	tails := []string{after, end, end + "\n"}
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		tails = []string{after, end + after[i:], end}
	}
	for _, tail := range tails {
		for _, word := range words {
			var doc yaml.Node
			if yaml.Unmarshal([]byte(before+word+tail), &doc) != nil || len(doc.Content) == 0 {
				continue
			}
			if path, isKey, ok := marked(doc.Content[0]); ok {
				return doc.Content[0], path, isKey
			}
		}
	}
	return nil, nil, false
}

// Unclosed reports whether a text has brackets or quotes that are not closed.
func Unclosed(text string) bool { return closing(text) != "" }

// closing returns the text that must be appended so that all quotes and brackets of a text are closed.
func closing(text string) string {
	var open []byte
	var quote byte
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			if i == 0 || strings.IndexByte(" [{,:\n", text[i-1]) >= 0 { // elsewhere, the quote is an apostrophe
				quote = c
			}
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	if quote != 0 {
		return string(quote) + string(open)
	}
	return string(open)
}

// marked returns the path from a node to the cursorMark below it. isKey reports whether the mark is a key of a map.
func marked(n *yaml.Node) (path []string, isKey, ok bool) {
	if n.Kind == yaml.ScalarNode {
		return nil, false, n.Value == cursorMark
	}
	for i, below := range n.Content {
		step := strconv.Itoa(i)
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				if below.Value == cursorMark {
					return nil, true, true
				}
				continue
			}
			step = n.Content[i-1].Value
		}
		if path, isKey, ok := marked(below); ok {
			return append([]string{step}, path...), isKey, true
		}
	}
	return nil, false, false
}
