package real

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// TestTinyCitations checks which references become training and validation references for each choice of subsets and
// limits, and that no two settings have the same checksum. Reference i has the single word wi.
func TestTinyCitations(t *testing.T) {
	src := datasets.Source{Data: t.TempDir(), Offline: true}
	var files []datasets.File
	sizes, number := [3]int{3, 5, 2}, 0
	for k, n := range sizes {
		var text strings.Builder
		for range n {
			fmt.Fprintf(&text, "w%d\tB-x\n\n", number)
			number++
		}
		files = append(files, fixture(t, src.Data, fmt.Sprintf("citations/tiny/%d.gz", k), text.String()))
	}
	words := func(d datasets.Data) string {
		s, _ := d.(*datasets.Sentences)
		if s == nil {
			return "none"
		}
		return strings.Join(datasettest.Texts(t, s, "word"), " ")
	}
	load := func(c citationParts, more ...string) (*datasets.Set, error) {
		set := &datasets.Set{Name: "tiny", Files: map[string]string{}}
		reader := parse.NewSentenceReader([]string{"word", "label"}, false)
		return set, c.load(context.Background(), src, set, files, more, reader.Read, &reader.All)
	}
	sums := map[string]bool{}
	for _, c := range []struct {
		on, held         string
		limit, heldLimit int
		train, validate  string
	}{
		{"train", "dev", 0, 0, "w0 w1 w2", "w3 w4 w5 w6 w7"},
		{"train", "dev", 2, 0, "w0 w1", "w3 w4 w5 w6 w7"},
		{"train", "dev", 0, 2, "w0 w1 w2", "w3 w4"},
		{"train", "test", 1, 1, "w0", "w8"},
		{"dev", "test", 4, 2, "w3 w4 w5 w6", "w8 w9"},
		{"train+dev", "test", 5, 0, "w0 w1 w2 w3 w4", "w8 w9"},
		{"dev-1", "dev-2", 0, 0, "w3 w4", "w5 w6 w7"},
		{"dev-2", "dev-1", 2, 1, "w5 w6", "w3"},
	} {
		set, err := load(citationParts{c.on, c.held, c.limit, c.heldLimit, sizes})
		if err != nil {
			t.Fatal(err)
		}
		datasettest.CheckSet(t, set)
		if a, b := words(set.Train), words(set.Validation); a != c.train || b != c.validate || len(set.Files) != 3 {
			t.Errorf("%+v: training references %s, validation references %s, %d files; want those of the case", c, a, b,
				len(set.Files))
		}
		more, err := load(citationParts{c.on, c.held, c.limit, c.heldLimit, sizes}, "more")
		if sums[set.Checksum] || sums[more.Checksum] || set.Checksum == more.Checksum || err != nil {
			t.Errorf("%+v: other settings have the same checksum; error %v", c, err)
		}
		sums[set.Checksum], sums[more.Checksum] = true, true
	}
	for k := range sizes {
		other := sizes
		other[k]++
		if _, err := load(citationParts{"train", "test", 0, 0, other}); err == nil ||
			err.Error() != "tiny: 10 references: want 11" {
			t.Errorf("error of one reference too few = %v", err)
		}
	}
}

// TestTinyLIBSVM checks a set of two training files and a test file: which rows are selected, the features and classes,
// which are those of all training rows, the warnings, the files and the checksum.
func TestTinyLIBSVM(t *testing.T) {
	src := datasets.Source{Data: t.TempDir(), Offline: true}
	first := fixture(t, src.Data, "x/first.gz", "2 1:3 2:4\n-1 1:6\n")
	second := fixture(t, src.Data, "x/second.gz", "7 5:1\n2 3:8\n")
	test := fixture(t, src.Data, "x/test.gz", "7 1:1 2:1\n9 2:5 6:1\n-1 4:2 5:2\n")
	shown := func(d datasets.Data) string {
		l, _ := d.(*datasets.Labelled)
		if l == nil {
			return "none"
		}
		var out []string
		for i, y := range l.Y {
			index, value := l.X.Row(i)
			name := "?"
			if y < len(l.Classes) {
				name = l.Classes[y]
			}
			out = append(out, fmt.Sprintf("%s%v%.4g", name, index, value))
		}
		return strings.Join(out, " ")
	}
	base := LIBSVMSet{name: "tiny", train: []datasets.File{first, second}, test: test,
		size: datasets.Counts{Train: 4, Validation: 3}}
	sums := map[string]bool{}
	for _, c := range []struct {
		train, validation int
		scale             string
		want, held        string
		warnings          []string
	}{
		{4, 3, "none", "2[0 1][3 4] -1[0][6] 7[4][1] 2[2][8]", "7[0 1][1 1] ?[1][5] -1[3 4][2 2]",
			[]string{"dropped 1 values", "validation"}},
		{4, 0, "none", "2[0 1][3 4] -1[0][6] 7[4][1] 2[2][8]", "none", nil},
		{1, 1, "none", "2[0 1][3 4]", "7[0 1][1 1]", []string{"no training rows of class -1, 7"}},
		{3, 1, "", "2[0 1][3 4] -1[0][6] 7[4][1]", "7[0 1][1 1]", nil},
		{2, 2, "unit", "2[0 1][0.6 0.8] -1[0][1]", "7[0 1][0.7071 0.7071] ?[1][1]",
			[]string{"no training rows of class 7", "dropped 1 values", "validation"}},
		{2, 1, "max", "2[0 1][0.5 1] -1[0][1]", "7[0 1][0.1667 0.25]", []string{"no training rows of class 7"}},
	} {
		l := base
		l.Train, l.Validation, l.Scale = c.train, c.validation, c.scale
		set, err := l.Load(context.Background(), src)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := shown(set.Train), shown(set.Validation); a != c.want || b != c.held || set.Name != "tiny" {
			t.Errorf("%+v: %s: training rows %s, validation rows %s; want %s, %s", c, set.Name, a, b, c.want, c.held)
		}
		if rows := set.Train.(*datasets.Labelled); rows.X.Dim != 5 || !slices.Equal(rows.Classes, []string{"-1", "2", "7"}) {
			t.Errorf("%+v: %d features, classes %q; want those of all training rows", c, rows.X.Dim, rows.Classes)
		}
		if !slices.EqualFunc(set.Warnings, c.warnings, strings.Contains) {
			t.Errorf("%+v: warnings %q, want %q", c, set.Warnings, c.warnings)
		}
		files := map[string]string{first.Name: first.SHA256, second.Name: second.SHA256, test.Name: test.SHA256}
		if c.validation == 0 {
			delete(files, test.Name)
		}
		if !maps.Equal(set.Files, files) {
			t.Errorf("%+v: files %v, want %v", c, set.Files, files)
		}
		if sums[set.Checksum] {
			t.Errorf("%+v: other settings have the same checksum", c)
		}
		sums[set.Checksum] = true
	}
	for what, edit := range map[string]func(*LIBSVMSet){
		"another name":       func(l *LIBSVMSet) { l.name = "other" },
		"files in turn":      func(l *LIBSVMSet) { l.train = []datasets.File{second, first} },
		"test file is first": func(l *LIBSVMSet) { l.test = first },
	} {
		l := base
		l.Train, l.Validation, l.Scale = 4, 3, "none"
		if edit(&l); what == "test file is first" {
			l.Validation = 2
		}
		set, err := l.Load(context.Background(), src)
		if err != nil || sums[set.Checksum] {
			t.Errorf("%s: the same checksum, or the error %v", what, err)
		}
	}
	l := base
	l.Train, l.size.Train = 1, 5
	if _, err := l.Load(context.Background(), src); err == nil || err.Error() != "tiny: 4 training rows: want 5" {
		t.Errorf("error of one row too few = %v", err)
	}
}

// TestRealStreams checks how the streams of three published sets read a text and write it with predictions: a line that
// begins with # is a token, CoNLL-X lines keep their number of fields, and trees are written in brackets.
func TestRealStreams(t *testing.T) {
	score := 2.5
	for _, c := range []struct {
		form         datasets.Form
		text, target string
		predicted    datasets.Data
		want         string
	}{
		{CoNLL2000{}, "# # B-NP\na DT I-NP\n", "chunk", &datasets.Sentences{Start: []int{0, 2},
			Columns: []datasets.Column{{Name: "chunk", Text: []string{"O", "B-NP"}, ID: []int32{1, 0}}}},
			"# score = 2.5\n# # B-NP B-NP\na DT I-NP O\n\n"},
		{CAST3LB{}, "1\ta\tb\tc\td\te\t0\tROOT\t_\t_\n2\tf\tg\th\ti\tj\t1\tSUJ\t_\t_\n", datasets.Heads,
			&datasets.Sentences{Start: []int{0, 2}, Heads: []int32{2, 0},
				Columns: []datasets.Column{{Name: "word", Text: []string{"a", "f"}, ID: []int32{0, 1}}}},
			"# score = 2.5\n1\ta\tb\tc\td\te\t2\t_\t_\t_\n2\tf\tg\th\ti\tj\t0\t_\t_\t_\n\n"},
		{CAST3LB{}, "1\ta\tb\tc\td\te\t0\tROOT\t_\t_\n", "pos", &datasets.Sentences{Start: []int{0, 1},
			Columns: []datasets.Column{{Name: "pos", Text: []string{"x"}, ID: []int32{0}}}},
			"# score = 2.5\n1\ta\tb\tc\tx\te\t0\tROOT\t_\t_\n\n"},
		{PTBSample{}, "( (S (NP-SBJ (NN a)) (VP (VB b))) )\n", "",
			&datasets.Treebank{Trees: []*datasets.Tree{{Label: "X", Children: []*datasets.Tree{{Label: "NN", Word: "a"}}}}},
			"(X (NN a))\t2.5\n"},
	} {
		s, err := c.form.Stream("f", strings.NewReader(c.text), c.target)
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if bank, ok := data.(*datasets.Treebank); ok {
			if got := datasettest.Bracketed(bank.Trees[0]); got != "(S (NP (NN a)) (VP (VB b)))" {
				t.Errorf("%T: the tree is %s, without function tags", c.form, got)
			}
		}
		if got := string(s.Append(nil, c.predicted, datasets.Beside{Score: &score})); got != c.want {
			t.Errorf("%T: the stream writes\n%q\nwant\n%q", c.form, got, c.want)
		}
	}
}
