package tree

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

// maxDepth is the greatest accepted nesting of a spec; in real specs it is below ten.
const maxDepth = 50

// Read parses one YAML document. It reports features of YAML that the language does not allow: duplicate keys, keys
// that are not words, anchors, aliases, merge keys, tags, NaN, infinity, octal numbers that look decimal, and a second
// document. It returns nil if the faults leave nothing to check.
func Read(p *Faults, data []byte) *yaml.Node {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		p.Add(0, "", "the text is empty; accepted: one YAML document")
		return nil
	case err != nil:
		addSyntax(p, err, data)
		return nil
	}
	if err := dec.Decode(&second); err == nil {
		p.Add(second.Line, "", "a second document; put each experiment into its own file")
	} else if !errors.Is(err, io.EOF) {
		addSyntax(p, err, data)
	}
	inspect(p, doc.Content[0], nil)
	return doc.Content[0]
}

// AddDecode adds an error of decoding the node n, whose path is key: a value that the Go type cannot hold, or an error
// of a method Validate.
func (p *Faults) AddDecode(n *yaml.Node, key string, err error) {
	var types *yaml.TypeError
	if !errors.As(err, &types) {
		p.Add(n.Line, key, "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	for _, text := range types.Errors {
		line, text := cutLine(text)
		p.Add(line, key, "%s", text)
	}
}

// lineMark matches the line number at the start of the YAML parser's messages.
var lineMark = regexp.MustCompile(`^line (-?\d+): `)

// cutLine splits a message of the YAML parser into line number and text. The number is 0 if the message names no line.
func cutLine(text string) (int, string) {
	m := lineMark.FindStringSubmatch(text)
	if m == nil {
		return 0, text
	}
	line, _ := strconv.Atoi(m[1])
	return line, text[len(m[0]):]
}

// inspect reports features of YAML in n that the language does not allow.
func inspect(p *Faults, n *yaml.Node, path []string) {
	key := strings.Join(path, ".")
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		p.Add(n.Line, key, "anchors and aliases are not supported; write the value out")
		return
	case n.Style&yaml.TaggedStyle != 0:
		p.Add(n.Line, key, "the tag %s is not supported; accepted: the plain value", n.Tag)
		return
	case len(path) > maxDepth:
		p.Add(n.Line, key, "nested too deeply; accepted: at most %d levels", maxDepth)
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
			p.Add(n.Line, key, "%s", fault)
		}
	}
}

func inspectKeys(p *Faults, n *yaml.Node, path []string) {
	first := make(map[string]int)
	for i := 0; i < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		below := append(path, k.Value)
		key := strings.Join(below, ".")
		if k.Kind != yaml.ScalarNode || k.Anchor != "" || k.Style&yaml.TaggedStyle != 0 || k.ShortTag() != "!!str" {
			if unlisted(n, i) {
				if list := unlistedKey(n, i); list != "" {
					p.Add(k.Line, key, "%s is a key without a value; write %s", Quote(k), list)
				}
			} else {
				p.Add(k.Line, key, "%s is not a valid key; accepted: a word", Quote(k))
			}
			continue
		}
		if line, ok := first[k.Value]; ok {
			p.Add(k.Line, key, "duplicate key, first on line %d; keep one of them", line)
			continue
		}
		first[k.Value] = k.Line
		inspect(p, v, below)
	}
}

// unlisted reports whether the key at index i of a map is a number without a value, such as 0.01 in
// {lambda: 0.1, 0.01}.
func unlisted(n *yaml.Node, i int) bool {
	k := n.Content[i]
	return k.Kind == yaml.ScalarNode && (k.ShortTag() == "!!float" || k.ShortTag() == "!!int") && IsNull(n.Content[i+1])
}

// unlistedKey returns what to write instead of numbers without values, of which that at index i is the first: the list,
// with the key before it, such as lambda: [0.1, 0.01]. It returns "" if the number at index i is not the first.
func unlistedKey(n *yaml.Node, i int) string {
	if i > 0 && unlisted(n, i-2) {
		return ""
	}
	key, numbers := "", ""
	if i > 0 && n.Content[i-1].Kind == yaml.ScalarNode {
		key, numbers = n.Content[i-2].Value+": ", n.Content[i-1].Value+", "
	}
	for ; i < len(n.Content) && unlisted(n, i); i += 2 {
		numbers += n.Content[i].Value + ", "
	}
	return key + "[" + strings.TrimSuffix(numbers, ", ") + "]"
}

// octal matches numbers that look decimal but that YAML 1.1 reads in base 8, such as 010.
var octal = regexp.MustCompile(`^[-+]?0[0-9_]+$`)

// scalarFault returns a message that states what is wrong with a scalar; "" if nothing is wrong.
func scalarFault(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!float":
		var x float64
		if n.Decode(&x) != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Sprintf("%s is not finite; accepted: a finite number", n.Value)
		}
	case "!!int":
		if octal.MatchString(n.Value) {
			return fmt.Sprintf("YAML reads %s as octal; accepted: the number without leading zeros", n.Value)
		}
	case "!!merge":
		return "merge keys are not supported; write the keys out"
	}
	return ""
}

// Quote formats a node for an error message: a scalar as it is written, a map or a list by the word for its kind.
func Quote(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		if _, ok := GridItems(n); ok {
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
	count := 0
	for i := range n.Value { // look for the end of the short text without copying the value, which may be long
		if count++; count > 60 {
			return strconv.Quote(n.Value[:i] + "…")
		}
	}
	return strconv.Quote(n.Value)
}
