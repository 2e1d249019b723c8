package tree_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// patched is a second implementation of Merge, on plain values.
func patched(base, over any) any {
	o, ok := over.(map[string]any)
	if _, grid := o["grid"]; !ok || grid {
		return over
	}
	out := map[string]any{}
	if b, ok := base.(map[string]any); ok {
		if _, grid := b["grid"]; !grid {
			for key, v := range b {
				out[key] = v
			}
		}
	}
	for key, v := range o {
		if delete(out, key); v != nil {
			var old any
			if b, ok := base.(map[string]any); ok && b["grid"] == nil {
				old = b[key]
			}
			out[key] = patched(old, v)
		}
	}
	return out
}

// TestMergeAtEachDepth compares Merge with a second implementation on plain values, and checks the lines of the result:
// a map that was changed has the line of the base, and a key that was set has the line of the change.
func TestMergeAtEachDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, over := mapping(t, 3, false), mapping(t, 3, true)
		tree.SetLine(base, 3)
		tree.SetLine(over, 8)
		got := tree.Merge(base, over)
		if want := patched(tree.Value(base), tree.Value(over)); !reflect.DeepEqual(tree.Value(got), want) {
			t.Fatalf("%v with %v: %v, want %v", tree.Value(base), tree.Value(over), tree.Value(got), want)
		}
		if tree.IsGrid(base) || tree.IsGrid(over) {
			return
		}
		for i := 0; i < len(got.Content); i += 2 {
			key, line := got.Content[i], 3
			if k, _ := tree.Entry(over, key.Value); k != nil {
				line = 8
			}
			if key.Line != line || got.Line != 3 {
				t.Errorf("key %s has the line %d, want %d; the map has the line %d", key.Value, key.Line, line, got.Line)
			}
		}
	})
}

// withGrids returns a random tree with grids.
func withGrids(rng *rand.Rand, depth int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	kind := rng.IntN(4)
	switch {
	case depth == 0 || kind == 0:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(rng.IntN(9))}
	case kind == 1:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	}
	for _, key := range []string{"a", "b", "c"}[:rng.IntN(4)] {
		v := withGrids(rng, depth-1)
		if rng.IntN(2) == 0 {
			list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
			for range 1 + rng.IntN(2) {
				list.Content = append(list.Content, withGrids(rng, depth-1))
			}
			v = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map",
				Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "grid"}, list}}
		}
		if n.Kind == yaml.MappingNode {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key})
		}
		n.Content = append(n.Content, v)
	}
	return n
}

// TestExpandIsAProduct checks the combinations of random trees by their definition: their number, that the last grid
// varies fastest, that each has the values of its axes at their paths and else the values of the tree, and that a
// change of one changes neither the tree nor another.
func TestExpandIsAProduct(t *testing.T) {
	most := 0
	rng := rand.New(rand.NewPCG(2811, 7))
	for range 300 {
		root, except := withGrids(rng, 4), []string{"a", "x"}[rng.IntN(2)]
		whole := fmt.Sprint(tree.Value(root))
		var grids [][]string // the paths of the outermost grids, in the order of the text
		var sizes []int
		var find func(n *yaml.Node, path []string)
		find = func(n *yaml.Node, path []string) {
			if items, ok := tree.GridItems(n); ok {
				grids, sizes = append(grids, path), append(sizes, len(items.Content))
				return
			}
			for i := range n.Content {
				switch {
				case n.Kind == yaml.SequenceNode:
					find(n.Content[i], append(slices.Clone(path), fmt.Sprint(i)))
				case n.Kind == yaml.MappingNode && i%2 == 1 && (len(path) > 0 || n.Content[i-1].Value != except):
					find(n.Content[i], append(slices.Clone(path), n.Content[i-1].Value))
				}
			}
		}
		find(root, nil)
		total := 1
		for _, n := range sizes {
			total *= n
		}
		list := tree.Expand(root, []string{"top", "0"}, except)
		most = max(most, len(list))
		if n := tree.Count(root, 1_000_000, except); len(list) != total || n != total {
			t.Fatalf("%s: %d combinations, counted %d, want %d", whole, len(list), n, total)
		}
		for i, c := range list {
			want, rest := tree.Clone(root), i
			for g := len(grids) - 1; g >= 0; g-- {
				path := grids[g]
				items, _ := tree.GridItems(tree.At(root, path...))
				v := items.Content[rest%sizes[g]]
				rest /= sizes[g]
				*tree.At(want, path...) = *v
				if a := c.Axes[g]; a.Value != v ||
					!slices.Equal(a.Path, append([]string{"top", "0"}, path...)) {
					t.Fatalf("%s: axis %d of combination %d is %v = %v, want %v", whole, g, i, a.Path, tree.Value(a.Value), path)
				}
			}
			if len(c.Axes) != len(grids) || !reflect.DeepEqual(tree.Value(c.Node), tree.Value(want)) {
				t.Fatalf("%s: combination %d is %v with %d axes, want %v with %d", whole, i, tree.Value(c.Node), len(c.Axes),
					tree.Value(want), len(grids))
			}
		}
		marks := len(grids) > 0 && root.Kind == yaml.MappingNode
		for i, c := range list {
			if marks {
				c.Node.Content = append(c.Node.Content[:len(c.Node.Content):len(c.Node.Content)],
					&yaml.Node{Kind: yaml.ScalarNode, Value: "mark"}, &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(i)})
			}
		}
		for i, c := range list {
			if mark := tree.At(c.Node, "mark"); marks && mark.Value != fmt.Sprint(i) {
				t.Fatalf("%s: combination %d has the mark of %s", whole, i, mark.Value)
			}
		}
		if fmt.Sprint(tree.Value(root)) != whole {
			t.Fatalf("%s was changed to %v", whole, tree.Value(root))
		}
	}
	if most < 4 {
		t.Errorf("at most %d combinations, want more", most)
	}
}

// TestFaultsOfATree checks which texts are refused, with the line and the key of the fault.
func TestFaultsOfATree(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	const octal = "as octal"
	for text, want := range map[string]string{
		"a: 0": "", "a: 0.5": "", "a: -0": "", "a: '010'": "", "a: 0x10": "", "a: 0b1": "", "a: 1_000": "", "a: 1e5": "",
		"a: 010": "1 a: YAML reads 010 " + octal, "a: -07": "1 a: YAML reads -07 " + octal, "a: +07": octal, "a: 0_7": octal,
		"a: .NaN": ".NaN is not finite", "a: -.inf": "-.inf is not finite", "b: 1\na: [1, [2, .inf]]": "2 a.1.1: .inf",
		"a: 1\nb: 2\n\na: 3\na: 4": "4 a: duplicate key, first on line 1;|5 a: duplicate key, first on line 1",
		"a: {b: 1, c: {b: 1}}":     "", "a: [{b: 1}, {b: 2}]": "",
		"a:\n  - b: 1\n    b: 2": "3 a.0.b: duplicate key, first on line 2",
		"null: 1":                "1 null: nothing is not a valid key",
		"true: 1":                "true is not a valid key", "[a]: 1": "a list is not",
		"'1': 1": "", "&x a: 1": "is not a valid key", "!!str a: 1": "is not a valid key", "a: !x 1": "1 a: the tag !x",
		"a: {b: 1, 2}": "2 is a key without a value; write b: [1, 2]",
		"a: {b: 1, 2, 3, c: 4, 5.5}": "1 a.2: 2 is a key without a value; write b: [1, 2, 3]|" +
			"1 a.5.5: 5.5 is a key without a value; write c: [4, 5.5]",
		"a: {2, 3}": "write [2, 3]", "a: {2: 3}": "2 is not a valid key",
		"a: " + nested(50): "", "a: " + nested(51): "nested too deeply; accepted: at most 50 levels",
		"a: 1\n---\nb: 1": "a second document", "a: 1\n---\n": "a second document", "a: 1\n...\n": "",
		"a: &x [1]": "1 a: anchors", "a: [1]\nb: *x": "not YAML",
	} {
		p := &tree.Faults{File: "f"}
		root := tree.Read(p, []byte(text))
		var got []string
		for _, e := range p.List {
			got = append(got, fmt.Sprintf("%d %s: %s", e.Line, e.Key, e.Reason))
		}
		wanted := strings.Split(want, "|")
		if want == "" && (len(got) > 0 || root == nil) || want != "" && len(got) != len(wanted) {
			t.Errorf("%q: faults %q, want %q", text, got, want)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], wanted[i]) {
				t.Errorf("%q: fault %q, want %q", text, got[i], wanted[i])
			}
		}
	}
}

// TestListOfFaults checks the order of faults, that equal faults are listed once, that faults of absent keys which are
// misspelt are left out, and how many are shown.
func TestListOfFaults(t *testing.T) {
	p := &tree.Faults{File: "f", Sets: []string{"a=1", "b=2"}}
	for _, e := range []tree.Fault{{Line: 9, Key: "b.c", Reason: "x"}, {Line: 2, Key: "stop.gap", Reason: "missing"},
		{Line: 2, Key: "stopp", Reason: "unknown", Meant: "stop"}, {Line: 9, Key: "b.c", Reason: "x"},
		{Line: 2, Key: "stops.gap", Reason: "later"}, {Line: 9, Key: "b.a", Reason: "x"},
		{Line: 2, Key: "stop", Reason: "m"}} {
		p.Add(e.Line, e.Key, "%s", e.Reason)
		p.List[len(p.List)-1].Meant = e.Meant
	}
	p.Add(-2, "k", "100 %% of %d", 5)
	p.Add(-1, "", "first")
	sections := p.Sections()
	if want := map[string]bool{"b": true, "stop": true, "stopp": true, "stops": true, "k": true, "": true}; !maps.Equal(
		sections, want) {
		t.Errorf("sections %v, want %v", sections, want)
	}
	const after = " (after --set a=1 --set b=2)"
	want := []string{"--set b=2: k: 100 % of 5", "--set a=1: first", "f:2: stopp: unknown" + after,
		"f:2: stops.gap: later" + after, "f:9: b.c: x" + after, "f:9: b.a: x" + after}
	if got := strings.Split(p.Err().Error(), "\n"); !slices.Equal(got, want) {
		t.Errorf("faults %q, want %q", got, want)
	}
	for _, n := range []int{0, 1, 50, 51, 60} {
		p := &tree.Faults{File: "f"}
		for i := range n {
			p.Add(n-i, "", "fault %d", i)
		}
		err := p.Err()
		if n == 0 {
			if err != nil {
				t.Errorf("error %v without faults", err)
			}
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		last := fmt.Sprintf("f:%d: fault %d", min(n, 50), n-min(n, 50))
		if n > 50 {
			last = fmt.Sprintf("f: %d more faults", n-50)
		}
		if len(lines) != min(n, 51) || lines[len(lines)-1] != last || lines[0] != fmt.Sprintf("f:1: fault %d", n-1) {
			t.Errorf("%d faults: %d lines, from %q to %q", n, len(lines), lines[0], lines[len(lines)-1])
		}
	}
}
