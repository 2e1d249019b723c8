package tree_test

import (
	"fmt"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// anyNode draws a random node made of maps, lists and numbers, and of nulls if nulls is true.
func anyNode(t *rapid.T, depth int, nulls bool) *yaml.Node {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	if depth == 0 && kind > 1 {
		kind = 0
	}
	switch {
	case kind == 1 && nulls:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	case kind < 2:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(rapid.IntRange(0, 2).Draw(t, "n"))}
	case kind == 2:
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for range rapid.IntRange(0, 2).Draw(t, "items") {
			list.Content = append(list.Content, anyNode(t, depth-1, false))
		}
		return list
	}
	return mapping(t, depth, nulls)
}

// mapping draws a random map.
func mapping(t *rapid.T, depth int, nulls bool) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c", "grid"}), rapid.ID[string]).Draw(t,
		"keys") {
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, anyNode(t, depth-1, nulls))
	}
	return m
}

// TestMergeLaws checks Merge against RFC 7386 on random trees.
func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, over := mapping(t, 3, false), mapping(t, 3, true)
		before, patch := fmt.Sprint(tree.Value(base)), fmt.Sprint(tree.Value(over))
		once := tree.Merge(base, over)
		if got := tree.Merge(once, over); !tree.IsGrid(over) && fmt.Sprint(tree.Value(got)) != fmt.Sprint(tree.Value(once)) {
			t.Errorf("merged twice: %v, once: %v", tree.Value(got), tree.Value(once))
		}
		empty := &yaml.Node{Kind: yaml.MappingNode}
		if got := tree.Merge(base, empty); !tree.IsGrid(base) && fmt.Sprint(tree.Value(got)) != before {
			t.Errorf("merged with nothing: %v, want %s", tree.Value(got), before)
		}
		if fmt.Sprint(tree.Value(base)) != before || fmt.Sprint(tree.Value(over)) != patch {
			t.Errorf("merge changed its arguments")
		}
		if tree.IsGrid(base) || tree.IsGrid(over) {
			return
		}
		for i := 0; i < len(over.Content); i += 2 {
			key, want := over.Content[i].Value, over.Content[i+1]
			got := tree.At(once, key)
			switch {
			case tree.IsNull(want):
				if got != nil {
					t.Errorf("%s is %v after null", key, tree.Value(got))
				}
			case want.Kind != yaml.MappingNode && !tree.Same(got, want):
				t.Errorf("%s is %v, want %v", key, tree.Value(got), tree.Value(want))
			}
		}
		for i := 0; i < len(base.Content); i += 2 {
			key, want := base.Content[i].Value, base.Content[i+1]
			if tree.At(over, key) == nil && !tree.Same(tree.At(once, key), want) {
				t.Errorf("%s changed to %v without being named", key, tree.Value(tree.At(once, key)))
			}
		}
	})
}
