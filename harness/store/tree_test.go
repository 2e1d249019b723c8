package store

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTrees checks on random objects what the head of a pack and its runs have of them: the head has the entries that
// are equal in all objects and no others, a run has none of these, and both together give the object of the run. An
// entry may be null or a number in one object, and an object in another.
func TestTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 11))
	for range 500 {
		trees := make([]map[string]any, 1+rng.IntN(3))
		for i := range trees {
			trees[i] = randomObject(rng, 2)
		}
		head := trees[0]
		for _, o := range trees[1:] {
			head = common(head, o)
		}
		want := leaves(trees[0], "")
		for _, o := range trees[1:] {
			other := leaves(o, "")
			maps.DeleteFunc(want, func(at string, v any) bool {
				w, ok := other[at]
				return !ok || !cmp.Equal(v, w)
			})
		}
		if d := cmp.Diff(want, leaves(head, "")); d != "" {
			t.Fatalf("the head of %v (-want +got):\n%s", trees, d)
		}
		for i, o := range trees {
			own := rest(o, head)
			if got := joined(head, own); !cmp.Equal(got, o) {
				t.Fatalf("object %d of %v: the head %v and the rest %v together give %v", i, trees, head, own, got)
			}
			for at := range leaves(own, "") {
				if _, twice := want[at]; twice {
					t.Fatalf("object %d of %v: its own part %v has the entry %s of the head", i, trees, own, at)
				}
			}
		}
	}
}

// randomObject returns a random object with up to depth levels of objects in it, whose values are of few kinds.
func randomObject(rng *rand.Rand, depth int) map[string]any {
	values := []any{nil, json.Number("1"), json.Number("1.0"), "1", []any{"1", nil}}
	out := map[string]any{}
	for _, k := range []string{"a", "b", "c"} {
		switch n := rng.IntN(8); {
		case n < 2: // absent
		case n < 4 && depth > 0:
			out[k] = randomObject(rng, depth-1)
		default:
			out[k] = values[rng.IntN(len(values))]
		}
	}
	return out
}

// leaves returns the entries of an object and of the objects in it that are not objects, by their paths.
func leaves(o map[string]any, path string) map[string]any {
	out := map[string]any{}
	for k, v := range o {
		if inside, ok := v.(map[string]any); ok {
			maps.Copy(out, leaves(inside, path+"/"+k))
		} else {
			out[path+"/"+k] = v
		}
	}
	return out
}
