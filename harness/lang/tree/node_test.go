package tree_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// grown returns a random value as lines of YAML, each with the indent, and as plain values. It notes the line of each
// key and of each list item by its path. The first line gets the number line.
func grown(rng *rand.Rand, depth int, indent string, line int, path []string, at map[string]int) (text []string,
	value any) {
	note := func(step string) []string {
		p := append(slices.Clone(path), step)
		at[strings.Join(p, ".")] = line + len(text)
		return p
	}
	scalars := []struct {
		text  string
		value any
	}{{"1", 1}, {"2.5", 2.5}, {"true", true}, {"null", nil}, {"word", "word"}, {`"3"`, "3"}, {"1e1", 10.0}}
	scalar := func() (string, any) {
		s := scalars[rng.IntN(len(scalars))]
		return s.text, s.value
	}
	n := 1 + rng.IntN(3)
	if rng.IntN(2) == 0 {
		m := map[string]any{}
		for _, key := range []string{"a", "b", "c"}[:n] {
			p := note(key)
			if depth > 0 && rng.IntN(2) == 0 {
				text = append(text, indent+key+":")
				below, v := grown(rng, depth-1, indent+"  ", line+len(text), p, at)
				text, m[key] = append(text, below...), v
				continue
			}
			s, v := scalar()
			text, m[key] = append(text, indent+key+": "+s), v
		}
		return text, m
	}
	var list []any
	for k := range n {
		note(strconv.Itoa(k))
		s, v := scalar()
		text, list = append(text, indent+"- "+s), append(list, v)
	}
	return text, list
}

// reached returns the value at a path of plain values, and whether there is one.
func reached(v any, path []string) (any, bool) {
	for _, step := range path {
		switch inner := v.(type) {
		case map[string]any:
			next, ok := inner[step]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			k, err := strconv.Atoi(step)
			if err != nil || k < 0 || k >= len(inner) {
				return nil, false
			}
			v = inner[k]
		default:
			return nil, false
		}
	}
	return v, true
}

// TestNodes compares the functions that find and change nodes with the same steps on plain values, for random trees and
// random paths.
func TestNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 4))
	found := 0
	for range 300 {
		lines := map[string]int{}
		text, value := grown(rng, 3, "", 1, nil, lines)
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(strings.Join(text, "\n")), &doc); err != nil {
			t.Fatal(err)
		}
		root := doc.Content[0]
		if got := tree.Value(root); !reflect.DeepEqual(got, value) {
			t.Fatalf("value of\n%s\n= %v, want %v", strings.Join(text, "\n"), got, value)
		}
		for range 20 {
			path := make([]string, 1+rng.IntN(4))
			for k := range path {
				path[k] = []string{"a", "b", "c", "0", "1", "2", "-1"}[rng.IntN(7)]
			}
			want, ok := reached(value, path)
			node := tree.At(root, path...)
			if (node != nil) != ok || ok && !reflect.DeepEqual(tree.Value(node), want) {
				t.Fatalf("node at %v of %v: %v, want %v (%v)", path, value, node, want, ok)
			}
			deepest := 1
			for k := range path {
				if _, ok := reached(value, path[:k+1]); ok {
					deepest, found = lines[strings.Join(path[:k+1], ".")], found+1
				}
			}
			if got := tree.LineOf(root, path...); got != deepest {
				t.Fatalf("line of %v in\n%s\n= %d, want %d", path, strings.Join(text, "\n"), got, deepest)
			}
		}
		copied := tree.Clone(root)
		if !tree.Same(copied, root) {
			t.Errorf("a copy of %v is not the same", value)
		}
		changed(t, rng, copied, value)
		if !reflect.DeepEqual(tree.Value(root), value) {
			t.Errorf("a change of a copy has changed %v to %v", value, tree.Value(root))
		}
		tree.SetLine(copied, 7)
		if at := tree.LineOf(copied, "a", "a", "a"); at != 7 || root.Line != 1 {
			t.Errorf("line %d after SetLine, and line %d of the original, want 7 and 1", at, root.Line)
		}
	}
	if found < 1000 {
		t.Errorf("%d steps of the paths exist, want at least 1000", found)
	}
}

// changed puts a value into a copied map, checks Same, and removes keys from the map.
func changed(t *testing.T, rng *rand.Rand, n *yaml.Node, value any) {
	t.Helper()
	m, ok := value.(map[string]any)
	if !ok {
		return
	}
	key := []string{"a", "b", "c", "d"}[rng.IntN(4)]
	before := tree.Clone(n)
	scalar := func(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }
	tree.Put(n, scalar(key), scalar("99"))
	want := map[string]any{key: 99}
	for name, v := range m {
		if name != key {
			want[name] = v
		}
	}
	if got := tree.Value(n); !reflect.DeepEqual(got, want) {
		t.Errorf("%v with %s=99: %v, want %v", m, key, got, want)
	}
	if tree.Same(n, before) || tree.Same(before, n) || tree.Same(nil, n) {
		t.Errorf("%v and %v are the same, want a difference", want, m)
	}
	for _, drop := range [][]string{{"a"}, {key}, {"a", "c"}, {"x"}, nil} {
		rest := map[string]any{}
		for name, v := range want {
			if !slices.Contains(drop, name) {
				rest[name] = v
			}
		}
		if got := tree.Value(tree.Without(n, drop...)); !reflect.DeepEqual(got, rest) || len(n.Content) != 2*len(want) {
			t.Errorf("%v without %v: %v, want %v and no change of the map", want, drop, got, rest)
		}
	}
	tree.Drop(n, key)
	if k, v := tree.Entry(n, key); k != nil || v != nil || len(n.Content) != 2*len(want)-2 {
		t.Errorf("%v still has %s", tree.Value(n), key)
	}
}

// TestSameNotations checks that equal values in other notations are the same, and that values of other types are not.
func TestSameNotations(t *testing.T) {
	node := func(text string) *yaml.Node {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.Content[0]
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"[1, b]", "- 1 # one\n- 'b'\n", true}, {"{a: 10.0}", "a: 1e1", true}, {"0x10", "16", true},
		{"1", "'1'", false}, {"[1, 2]", "[1]", false}, {"[a, b]", "{a: b}", false}, {"{a: 1}", "{b: 1}", false},
		{"[1, 2]", "[2, 1]", false}, {"null", "''", false}, {"~", "null", true},
	} {
		if got := tree.Same(node(c.a), node(c.b)); got != c.want {
			t.Errorf("%s and %s are the same: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if !tree.IsNull(node("~")) || tree.IsNull(node("''")) || tree.IsNull(node("[]")) {
		t.Error("only null in a scalar is null")
	}
	if got := tree.Join("", "a") + " " + tree.Join("a.b", "c"); got != "a a.b.c" {
		t.Errorf("joined paths %s, want a and a.b.c", got)
	}
}
