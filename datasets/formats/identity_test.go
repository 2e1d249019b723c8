package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestChecksumOfEachSetting checks that the checksum of a set of the user's files depends on the content of the files
// and on every setting that changes the examples, but not on the names of the files: the keys of runs contain it.
func TestChecksumOfEachSetting(t *testing.T) {
	dir := t.TempDir()
	var rows, table, tagged, trees strings.Builder
	table.WriteString("a,b,kind\n")
	for i := range 20 {
		fmt.Fprintf(&rows, "%d 1:%d 2:1\n", i%2+1, i+1)
		fmt.Fprintf(&table, "%d,1,%c\n", i+1, 'x'+rune(i%2))
		fmt.Fprintf(&tagged, "w%d A\nv B\n\n", i)
		fmt.Fprintf(&trees, "(S (A w%d) (B v))\n", i)
	}
	for name, b := range map[string]*strings.Builder{"rows": &rows, "table": &table, "tagged": &tagged, "trees": &trees} {
		text := b.String()
		other := strings.Replace(text, "1", "2", 1)
		for suffix, text := range map[string]string{"": text, ".same": text, ".dev": text, ".other": other} {
			if err := os.WriteFile(filepath.Join(dir, name+suffix), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, variants := range map[string][]datasets.Loader{
		"LIBSVM": {LIBSVM{Path: "rows"}, LIBSVM{Path: "rows.other"}, LIBSVM{Path: "rows", Train: 5},
			LIBSVM{Path: "rows", Validation: "0.2"}, LIBSVM{Path: "rows", Validation: "0.4"},
			LIBSVM{Path: "rows", Validation: "0.2", Seed: 7}, LIBSVM{Path: "rows", Validation: "rows.dev"},
			LIBSVM{Path: "rows", Validation: "rows.other"}, LIBSVM{Path: "rows", ZeroBased: true}},
		"CSV": {CSV{Path: "table"}, CSV{Path: "table.other"}, CSV{Path: "table", Train: 5}, CSV{Path: "table", Label: "b"},
			CSV{Path: "table", Validation: "0.2"}, CSV{Path: "table", Validation: "0.4"},
			CSV{Path: "table", Validation: "0.2", Seed: 7}, CSV{Path: "table", Validation: "table.dev"},
			CSV{Path: "table", Validation: "table.other"}, CSV{Path: "table", Encoding: "ISO-8859-1"}},
		"CoNLL": {CoNLL{Path: "tagged", Columns: "word pos"}, CoNLL{Path: "tagged.other", Columns: "word pos"},
			CoNLL{Path: "tagged", Columns: "word chunk"}, CoNLL{Path: "tagged", Columns: "word pos", Train: 5},
			CoNLL{Path: "tagged", Columns: "word pos", Comments: true},
			CoNLL{Path: "tagged", Columns: "word pos", Validation: "0.2"},
			CoNLL{Path: "tagged", Columns: "word pos", Validation: "0.4"},
			CoNLL{Path: "tagged", Columns: "word pos", Validation: "0.2", Seed: 7},
			CoNLL{Path: "tagged", Columns: "word pos", Validation: "tagged.dev"},
			CoNLL{Path: "tagged", Columns: "word pos", Validation: "tagged.other"},
			CoNLL{Path: "tagged", Columns: "word pos", Encoding: "ISO-8859-1"},
			CoNLL{Path: "tagged", Columns: "word _"}},
		"PTB": {PTB{Path: "trees"}, PTB{Path: "trees.other"}, PTB{Path: "trees", Train: 5}, PTB{Path: "trees", MaxWords: 2},
			PTB{Path: "trees", Validation: "0.2"}, PTB{Path: "trees", Validation: "0.4"},
			PTB{Path: "trees", Validation: "0.2", Seed: 7}, PTB{Path: "trees", Validation: "trees.dev"},
			PTB{Path: "trees", Validation: "trees.other"}, PTB{Path: "trees", Encoding: "ISO-8859-1"},
			PTB{Path: "trees", Comments: "%"},
			PTB{Path: "trees", Comments: "#"}, PTB{Path: "trees", Leaf: "tag word"}},
	} {
		seen := map[string]int{}
		for i, l := range variants {
			sum := loadOwn(t, dir, l).Checksum
			if other, ok := seen[sum]; ok {
				t.Errorf("%s: %+v and %+v have one checksum", name, variants[other], l)
			}
			seen[sum] = i
			if again := loadOwn(t, dir, l).Checksum; again != sum {
				t.Errorf("%s: %+v has the checksums %s and %s", name, l, sum, again)
			}
		}
	}
	a, b := loadOwn(t, dir, LIBSVM{Path: "rows"}), loadOwn(t, dir, LIBSVM{Path: "rows.same"})
	if a.Checksum != b.Checksum {
		t.Error("files with the same content have different checksums")
	}
}

// TestHeldOutDraw checks that the rows that are held out are a random choice by the seed: of the right number, without
// repetition, the same for the same seed, and other rows for another seed.
func TestHeldOutDraw(t *testing.T) {
	draws := map[string]uint64{}
	for seed := range uint64(5) {
		o := ownFiles{validation: "0.3", seed: seed, unit: "rows"}
		train, held, err := o.holdOut(20)
		if err != nil || len(held) != 6 || len(train) != 14 {
			t.Fatalf("seed %d: %d rows held out of 20, %d left, error %v; want 6 and 14", seed, len(held), len(train), err)
		}
		count := make([]int, 20)
		for _, i := range append(append([]int{}, train...), held...) {
			count[i]++
		}
		for i, n := range count {
			if n != 1 {
				t.Errorf("seed %d: row %d occurs %d times, want once", seed, i, n)
			}
		}
		text := fmt.Sprint(held)
		if other, ok := draws[text]; ok {
			t.Errorf("seeds %d and %d hold out the same rows", other, seed)
		}
		draws[text] = seed
		if _, again, _ := o.holdOut(20); fmt.Sprint(again) != text {
			t.Errorf("seed %d holds out %v and %s", seed, again, text)
		}
	}
}

// TestChecksumStays checks that checksums are those of earlier versions, since the keys of runs contain them, that each
// encoding has its own, and that all names of UTF-8, and both cases of a name, have one.
func TestChecksumStays(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"rows": "a 1:1\nb 2:1\na 1:2\nb 1:3\n", "table": "x,kind\n1,a\n2,b\n",
		"tagged": "v A\nw B\n\nw B\n\n", "tree": "(S (A v) (B w))\n(S (A v))\n",
		"lemmas": "(S (A v v) (B w w))\n(S (A v v))\n",
		"heads":  "1\tv\tv\tV\tV\t_\t0\troot\t_\t_\n\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		want string            // the first ten digits of the checksum
		set  []datasets.Loader // all of them have this checksum
	}{
		{"e6c684447c", []datasets.Loader{LIBSVM{Path: "rows"}, LIBSVM{Path: "rows", Encoding: "UTF-8"},
			LIBSVM{Path: "rows", Encoding: "utf8"}, LIBSVM{Path: "rows", Validation: "0"}}},
		{"68f0e3912f", []datasets.Loader{LIBSVM{Path: "rows", Encoding: "ISO-8859-1"},
			LIBSVM{Path: "rows", Encoding: "iso-8859-1"}}},
		{"561a882b41", []datasets.Loader{LIBSVM{Path: "rows", Encoding: "windows-1252"}}},
		{"76370861f1", []datasets.Loader{LIBSVM{Path: "rows", Validation: "0.5", Seed: 3, Train: 1, ZeroBased: true}}},
		{"3d5c67a3b3", []datasets.Loader{CSV{Path: "table"}, CSV{Path: "table", Label: "kind"},
			CSV{Path: "table", Delimiter: "comma"}}},
		{"703d6ff735", []datasets.Loader{CoNLL{Path: "tagged", Columns: "word pos"},
			CoNLL{Path: "tagged", Columns: " word  pos"}}},
		{"b5f5f24b59", []datasets.Loader{CoNLL{Path: "tagged", Columns: "word pos", Comments: true, Validation: "tagged"}}},
		{"ed39784d60", []datasets.Loader{CoNLLU{Path: "heads"}}},
		{"311155f7c3", []datasets.Loader{CoNLLU{Path: "heads", Projective: true}}},
		{"43a4916483", []datasets.Loader{PTB{Path: "tree"}, PTB{Path: "tree", MaxWords: 0}}},
		{"01f4d81215", []datasets.Loader{PTB{Path: "lemmas", MaxWords: 2, Comments: "#", Leaf: "tag word lemma"}}},
	} {
		for _, l := range c.set {
			if sum := loadOwn(t, dir, l).Checksum[:10]; sum != c.want {
				t.Errorf("%T%+v: checksum %s..., want %s", l, l, sum, c.want)
			}
		}
	}
}
