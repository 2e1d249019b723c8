package formats

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// numbered returns the numbers of examples that formatted wrote.
func numbered(d datasets.Data) (out []int) {
	switch d := d.(type) {
	case *datasets.Labelled:
		for i := range d.Len() {
			_, values := d.X.Row(i)
			out = append(out, int(values[0])-1)
		}
	case *datasets.Sentences:
		for i := range d.Len() {
			var k int
			fmt.Sscanf(strings.Split(datasettest.Written(d), " | ")[i], "w%d", &k)
			out = append(out, k-1)
		}
	case *datasets.Treebank:
		for _, tree := range d.Trees {
			var k int
			fmt.Sscanf(tree.Leaves(nil)[0].Word, "w%d", &k)
			out = append(out, k-1)
		}
	}
	return out
}

// TestPartsOfOwnFiles checks for every format of the user's own files which examples are training and which are
// validation data, for each combination of the settings train and validation, and for each delimiter of CSV. If a
// fraction is held out, the examples are those that a permutation of the seed has first.
func TestPartsOfOwnFiles(t *testing.T) {
	dir := t.TempDir()
	const n, further = 23, 4
	forms := map[string]struct {
		head, example string // %d: number of the example; %[2]s: its class
		load          func(held Held, seed uint64, train int, path string) datasets.Loader
	}{
		"libsvm": {"", "%[2]s 1:%[1]d\n", func(h Held, seed uint64, train int, path string) datasets.Loader {
			return LIBSVM{Path: path, Validation: h, Seed: seed, Train: train}
		}},
		"conll": {"", "w%d %s\n\n", func(h Held, seed uint64, train int, path string) datasets.Loader {
			return CoNLL{Path: path, Columns: "word pos", Validation: h, Seed: seed, Train: train}
		}},
		"conllu": {"", "1\tw%d\tl\tP\tX\t_\t0\t%s\t_\t_\n\n",
			func(h Held, seed uint64, train int, path string) datasets.Loader {
				return CoNLLU{Path: path, Validation: h, Seed: seed, Train: train}
			}},
		"ptb": {"", "(S (P w%d) (Q %s))\n", func(h Held, seed uint64, train int, path string) datasets.Loader {
			return PTB{Path: path, Validation: h, Seed: seed, Train: train}
		}},
	}
	for name, mark := range map[string]string{"comma": ",", "tab": "\t", "semicolon": ";"} {
		forms["csv "+name] = struct {
			head, example string
			load          func(held Held, seed uint64, train int, path string) datasets.Loader
		}{"size" + mark + "class\n", "%d" + mark + "%s\n", func(h Held, seed uint64, train int, p string) datasets.Loader {
			return CSV{Path: p, Delimiter: name, Validation: h, Seed: seed, Train: train}
		}}
	}
	for name, form := range forms {
		texts := []string{form.head, form.head}
		for i := range n + further {
			k := min(i/n, 1)
			texts[k] += fmt.Sprintf(form.example, i+1, []string{"a", "b"}[i%2])
		}
		storetest.Write(t, dir, "own", texts[0])
		storetest.Write(t, dir, "held", texts[1])
		for _, held := range []Held{"", "held", "0.3", "0.9"} {
			for _, limit := range []int{0, 1, 2, 3} {
				for _, seed := range []uint64{0, 7} {
					set, err := form.load(held, seed, limit, "own").Load(context.Background(), datasets.Source{Dir: dir})
					if err != nil {
						t.Fatalf("%s, validation %s, train %d: %v", name, held, limit, err)
					}
					var train, validation []int
					for i := range n {
						train = append(train, i)
					}
					switch held {
					case "held":
						validation = []int{n, n + 1, n + 2, n + 3}
					case "0.3", "0.9":
						first := map[Held]int{"0.3": 6, "0.9": 20}[held] // 6.9 and 20.7
						train = rand.New(rand.NewPCG(seed, 0)).Perm(n)
						validation = slices.Sorted(slices.Values(train[:first]))
						train = slices.Sorted(slices.Values(train[first:]))
					}
					if limit > 0 {
						train = train[:limit]
					}
					if got := numbered(set.Train); !slices.Equal(got, train) {
						t.Errorf("%s, validation %s, seed %d, train %d: training data %v, want %v", name, held, seed, limit, got,
							train)
					}
					var got []int
					if set.Validation != nil {
						got = numbered(set.Validation)
					}
					if !slices.Equal(got, validation) {
						t.Errorf("%s, validation %s, seed %d, train %d: validation data %v, want %v", name, held, seed, limit, got,
							validation)
					}
				}
			}
		}
	}
}
