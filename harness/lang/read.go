package lang

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxDepth bounds the nesting of a spec; real ones stay below ten.
const maxDepth = 50

// read parses one YAML document into nodes and refuses what the language does not have. It returns nil if a fault
// leaves nothing to check.
func read(p *faults, data []byte) *yaml.Node {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		p.add(0, "", "empty; accepted: one YAML document")
		return nil
	case err != nil:
		addSyntax(p, err)
		return nil
	}
	if err := dec.Decode(&second); err == nil {
		p.add(second.Line, "", "second document; accepted: one experiment per file")
	} else if !errors.Is(err, io.EOF) {
		addSyntax(p, err)
	}
	return doc.Content[0]
}

// addSyntax reports an error of the YAML parser, whose text starts "yaml: line 3: " where it knows the line.
func addSyntax(p *faults, err error) {
	line, text := cutLine(strings.TrimPrefix(err.Error(), "yaml: "))
	if grammarFault.MatchString(text) {
		line++
	}
	if text == "mapping values are not allowed in this context" {
		text = "a second colon; a text that holds \": \" needs quotes"
	}
	p.add(line, "", "not YAML: %s", text)
}

// grammarFault matches the faults whose line yaml.v3 counts from 0: those of its parser, not of its scanner.
var grammarFault = regexp.MustCompile(`^did not find expected (key|',' or|'-' indicator|node content|<)`)

// addDecode reports an error of decoding n, which stands at key: a value that its Go type cannot hold, or a rule
// between keys that is broken.
func addDecode(p *faults, n *yaml.Node, key string, err error) {
	var types *yaml.TypeError
	if !errors.As(err, &types) {
		p.add(n.Line, key, "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	for _, text := range types.Errors {
		line, text := cutLine(text)
		p.add(line, key, "%s", text)
	}
}

// lineMark matches the line at the start of the YAML parser's messages.
var lineMark = regexp.MustCompile(`^line (-?\d+): `)

// cutLine splits a message of the YAML parser into line and text; line 0 if it has none.
func cutLine(text string) (int, string) {
	m := lineMark.FindStringSubmatch(text)
	if m == nil {
		return 0, text
	}
	line, _ := strconv.Atoi(m[1])
	return line, text[len(m[0]):]
}

// inspect refuses what YAML has but the language does not: duplicate keys, keys that are not words, anchors, aliases,
// merge keys, tags, NaN and infinity, and octal numbers that look decimal.
func inspect(p *faults, n *yaml.Node, path []string) {
	key := strings.Join(path, ".")
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		p.add(n.Line, key, "anchors and aliases are not accepted; accepted: the value written out")
		return
	case n.Style&yaml.TaggedStyle != 0:
		p.add(n.Line, key, "tag %s is not accepted; accepted: the plain value", n.Tag)
		return
	case len(path) > maxDepth:
		p.add(n.Line, key, "nested deeper than %d levels", maxDepth)
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		inspectKeys(p, n, path)
	case yaml.SequenceNode:
		for i, item := range n.Content {
			inspect(p, item, append(path, strconv.Itoa(i)))
		}
	case yaml.ScalarNode:
		if fault := scalarFault(n); fault != "" {
			p.add(n.Line, key, "%s", fault)
		}
	}
}

func inspectKeys(p *faults, n *yaml.Node, path []string) {
	first := make(map[string]int)
	for i := 0; i < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		below := append(path, k.Value)
		key := strings.Join(below, ".")
		if k.Kind != yaml.ScalarNode || k.Anchor != "" || k.Style&yaml.TaggedStyle != 0 || k.ShortTag() != "!!str" {
			p.add(k.Line, key, "%s is not a key; accepted: a word", quoteNode(k))
			continue
		}
		if line, ok := first[k.Value]; ok {
			p.add(k.Line, key, "duplicate key, first on line %d; accepted: each key once", line)
			continue
		}
		first[k.Value] = k.Line
		inspect(p, v, below)
	}
}

// octal matches numbers that YAML 1.1 reads to base 8 although they look decimal.
var octal = regexp.MustCompile(`^[-+]?0[0-9_]+$`)

func scalarFault(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!float":
		var x float64
		if n.Decode(&x) != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Sprintf("%s is not accepted; accepted: a finite number", n.Value)
		}
	case "!!int":
		if octal.MatchString(n.Value) {
			return fmt.Sprintf("%s would be read as octal; accepted: the number without leading zeros", n.Value)
		}
	case "!!merge":
		return "merge keys are not accepted; accepted: the keys written out"
	}
	return ""
}

// value converts an inspected node to what encoding/json would make of it: map[string]any, []any, string, bool, nil,
// and numbers as int, uint64 or float64.
func value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = value(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = value(item)
		}
		return list
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool", "!!int", "!!float":
		var v any
		if n.Decode(&v) == nil {
			return v
		}
	}
	return n.Value
}

// quoteNode shows a node in an error: scalars as written, maps and lists by their kind.
func quoteNode(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		if _, ok := gridItems(n); ok {
			return "a grid"
		}
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool", "!!int", "!!float":
		return n.Value
	}
	if r := []rune(n.Value); len(r) > 60 {
		return strconv.Quote(string(r[:60]) + "…")
	}
	return strconv.Quote(n.Value)
}
