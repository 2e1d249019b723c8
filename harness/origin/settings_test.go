package origin_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/origin"
)

// settings returns random nested settings, and all their values by the path of the key.
func settings(rng *rand.Rand, path string, depth int) (map[string]any, map[string]any) {
	out, leaves := map[string]any{}, map[string]any{}
	for _, key := range []string{"a", "b", "c"} {
		at := path + "." + key
		switch k := rng.IntN(6); {
		case k == 0:
		case k == 1 && depth > 0:
			inner, below := settings(rng, at, depth-1)
			out[key] = inner
			leaves[at] = "map"
			maps.Copy(leaves, below)
		case k == 2:
			out[key] = []any{1, 1.0, uint64(1)}[rng.IntN(3)] // one number in three types
			leaves[at] = 1.0
		case k == 3: // two lists, one of them also with a number in another type
			out[key] = []any{[]any{1.0, "x"}, []any{uint64(1), "x"}, []any{2.0, "x"}}[rng.IntN(3)]
			leaves[at] = fmt.Sprint(out[key])
		default:
			out[key] = []any{"x", "y", true, nil, 0.0}[rng.IntN(5)]
			leaves[at] = out[key]
		}
	}
	return out, leaves
}

// TestAgree compares Agree and Complete on random settings with their definition on lists of all paths of keys. Agree
// is false if both settings have a path and differ in its value. Complete has the paths of both, with the values of the
// first where both have one.
func TestAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 2))
	agreed := 0
	for range 6000 {
		made, a := settings(rng, "", 2)
		now, b := settings(rng, "", 2)
		want, union := true, maps.Clone(b)
		for path, v := range a {
			if other, ok := b[path]; ok && v != other {
				want = false
			}
			union[path] = v
		}
		copied, text := fmt.Sprint(made), fmt.Sprint(now)
		if got := origin.Agree(made, now); got != want {
			t.Fatalf("Agree(%v, %v) = %v, want %v", made, now, got, want)
		}
		if !want {
			continue
		}
		agreed++
		all := map[string]any{}
		flatten(all, "", origin.Complete(made, now))
		if !reflect.DeepEqual(all, union) {
			t.Fatalf("Complete(%v, %v) has the values %v, want %v", made, now, all, union)
		}
		if fmt.Sprint(made) != copied || fmt.Sprint(now) != text {
			t.Fatalf("Complete changed %s to %v, or %s to %v", copied, made, text, now)
		}
	}
	if agreed < 200 {
		t.Errorf("only %d of the settings agree, want at least 200", agreed)
	}
}

// flatten adds all values of settings to a map by the path of the key.
func flatten(out map[string]any, path string, settings map[string]any) {
	for key, v := range settings {
		at := path + "." + key
		switch v := v.(type) {
		case map[string]any:
			out[at] = "map"
			flatten(out, at, v)
		case int, uint64:
			out[at] = 1.0
		case []any:
			out[at] = fmt.Sprint(v)
		default:
			out[at] = v
		}
	}
}

// TestSources checks that each component of a run has the hash of its own package.
func TestSources(t *testing.T) {
	run, _ := first(t)
	cat := toy.Catalogue()
	got := origin.Sources(cat, run)
	if want := []string{"data set points", "model classifier", "rows", "solver ascent"}; !slices.Equal(
		slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("components %v, want %v", got, want)
	}
	for name, sum := range got {
		pkg := "internal/toy"
		if name == "rows" {
			pkg = "harness/record"
		}
		if !strings.HasSuffix(sum, pkg) {
			t.Errorf("%s has the hash %q, want the hash of package %s", name, sum, pkg)
		}
	}
	cat.Sources = nil
	if got := origin.Sources(cat, run); got != nil {
		t.Errorf("hashes of a program that does not know its sources = %v, want nil", got)
	}
}
