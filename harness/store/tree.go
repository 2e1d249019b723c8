package store

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/gaplab/gaplab/harness/trace"
)

// treeOf returns a manifest as a JSON object, without the fields that are written once for all runs in the head of a
// pack.
func treeOf(m trace.Manifest) (map[string]any, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	tree, err := decodeTree(text)
	delete(tree, "format")
	delete(tree, "experiment")
	delete(tree, "scale")
	return tree, err
}

// decodeTree decodes a JSON object. It leaves numbers as text (json.Number).
func decodeTree(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree map[string]any
	err := d.Decode(&tree)
	return tree, err
}

// common returns the entries that are equal in both objects. It also compares nested objects entry by entry.
func common(a, b map[string]any) map[string]any {
	out := map[string]any{}
	for k, x := range a {
		y, ok := b[k]
		if !ok {
			continue
		}
		left, isObject := x.(map[string]any)
		right, both := y.(map[string]any)
		if isObject && both {
			out[k] = common(left, right)
		} else if equal(x, y) {
			out[k] = x
		}
	}
	return out
}

// rest returns tree without the entries that shared has. It also removes entries from nested objects.
func rest(tree, shared map[string]any) map[string]any {
	out := map[string]any{}
	for k, x := range tree {
		y, ok := shared[k]
		if !ok {
			out[k] = x
			continue
		}
		left, isObject := x.(map[string]any)
		right, both := y.(map[string]any)
		if isObject && both {
			if r := rest(left, right); len(r) > 0 {
				out[k] = r
			}
		}
	}
	return out
}

// joined returns the object with all entries of shared and own. It is the inverse of rest.
func joined(shared, own map[string]any) map[string]any {
	out := maps.Clone(shared)
	if out == nil {
		out = map[string]any{}
	}
	for k, x := range own {
		left, isObject := x.(map[string]any)
		right, both := out[k].(map[string]any)
		if isObject && both {
			out[k] = joined(right, left)
		} else {
			out[k] = x
		}
	}
	return out
}

// equal reports whether two values have the same JSON encoding.
func equal(a, b any) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	y, err := json.Marshal(b)
	return err == nil && bytes.Equal(x, y)
}
