package datasettest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// counting is a loader that counts the calls of its method Load.
type counting struct {
	Settings datasets.Loader
	loads    *int
}

func (c counting) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	*c.loads++
	return c.Settings.Load(ctx, src)
}

// checkKept loads a set twice through a Source with a cache of parsed data (see datasets.Parsed). It checks that the
// second load does not call the loader and returns the same set, to the bit. Then it damages the cached data and checks
// that they are replaced. For trees it checks nothing, since the cache does not store trees. It returns the set of the
// first load.
func checkKept(t testing.TB, e datasets.Entry, l datasets.Loader, src datasets.Source) *datasets.Set {
	src.Parsed = datasets.Parsed{Folder: t.TempDir(), Limit: 1 << 40}
	loads := 0
	get := func() *datasets.Set {
		set, err := src.Load(context.Background(), counting{l, &loads}, e.Name)
		if err != nil || set == nil || set.Train == nil {
			t.Errorf("%+v: Load returns %v and the error %v, want a set", l, set, err)
			return nil
		}
		CheckSet(t, set)
		return set
	}
	set := get()
	if set == nil {
		return nil
	}
	if _, trees := set.Train.(*datasets.Treebank); trees {
		return set
	}
	bits := Bits(set)
	check := func(how string, want int) bool {
		loads = 0
		again := get()
		if loads != want {
			t.Errorf("%s: %s: calls of Load = %d, want %d; all files must be read through the Source", e.Name, how, loads,
				want)
			return false
		}
		if again == nil || Bits(again) != bits || !sameFacts(set, again) {
			t.Errorf("%s: %s: the data or the other fields of the set differ", e.Name, how)
			return false
		}
		return true
	}
	if !check("with cached data", 0) {
		return set
	}
	files, err := filepath.Glob(filepath.Join(src.Parsed.Folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: files in the cache = %d, error %v; want one", e.Name, len(files), err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for how, damaged := range damages(whole) {
		if err := os.WriteFile(files[0], damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if !check("with cached data "+how, 1) {
			return set
		}
		if now, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s: cached data %s were not replaced; error %v", e.Name, how, err)
		}
	}
	return set
}

// damages returns damaged versions of a file, by a description of the damage. For a large file it returns only one
// version, because the data are loaded again for each version.
func damages(whole []byte) map[string][]byte {
	flipped := func(at int) []byte {
		b := slices.Clone(whole)
		b[at] ^= 1
		return b
	}
	out := map[string][]byte{"with a bit flipped in the middle": flipped(len(whole) / 2)}
	if len(whole) > 1<<20 {
		return out
	}
	out["in another format"] = flipped(0)
	out["of another key"] = flipped(40)
	out["with another digest"] = flipped(len(whole) - 1)
	out["cut off"] = whole[:len(whole)/2]
	out["cut off at the end"] = whole[:len(whole)-1]
	out["with a byte too many"] = append(slices.Clone(whole), 0)
	out["that are empty"] = nil
	return out
}

// sameFacts reports whether two sets are equal, apart from their training and validation data.
func sameFacts(a, b *datasets.Set) bool {
	x, y := *a, *b
	x.Train, x.Validation, y.Train, y.Validation = nil, nil, nil, nil
	return reflect.DeepEqual(x, y)
}
