package formats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// everyFormat returns, for each format, a text of n examples and a function that makes a loader of it.
func everyFormat(n int) map[string]func(path string, held Held, train int, encoding string) (string, datasets.Loader) {
	repeated := func(head, each string) string { return head + strings.Repeat(each, n) }
	return map[string]func(string, Held, int, string) (string, datasets.Loader){
		"LIBSVM": func(path string, held Held, train int, code string) (string, datasets.Loader) {
			return repeated("", "a 1:1\n"), LIBSVM{Path: path, Validation: held, Train: train, Encoding: code}
		},
		"CSV": func(path string, held Held, train int, code string) (string, datasets.Loader) {
			return repeated("x,kind\n", "1,a\n"), CSV{Path: path, Validation: held, Train: train, Encoding: code}
		},
		"CoNLL": func(path string, held Held, train int, code string) (string, datasets.Loader) {
			return repeated("", "v A\n\n"), CoNLL{Path: path, Columns: "word pos", Validation: held, Train: train,
				Encoding: code}
		},
		"CoNLL-U": func(path string, held Held, train int, code string) (string, datasets.Loader) {
			return repeated("", "1\tv\tv\tV\tV\t_\t0\troot\t_\t_\n\n"), CoNLLU{Path: path, Validation: held, Train: train,
				Encoding: code}
		},
		"treebank": func(path string, held Held, train int, code string) (string, datasets.Loader) {
			return repeated("", "(S (A v) (B w))\n"), PTB{Path: path, Validation: held, Train: train, Encoding: code}
		},
	}
}

// TestTrainAtItsLimit checks for every format that the setting train may be the number of training examples, without
// those that are held out and without those of the validation file, and that one more is refused.
func TestTrainAtItsLimit(t *testing.T) {
	const n = 10
	dir := t.TempDir()
	for name, form := range everyFormat(n) {
		text, _ := form("", "", 0, "")
		storetest.Write(t, dir, "own", text)
		for held, most := range map[Held]int{"": n, "own": n, "0.25": n - 2, "0.9": 1} {
			_, l := form("own", held, most, "")
			if set := loadOwn(t, dir, l); set.Train.Len() != most {
				t.Errorf("%s, validation %q, train %d: %d examples", name, held, most, set.Train.Len())
			}
			_, l = form("own", held, most+1, "")
			_, err := l.Load(context.Background(), datasets.Source{Dir: dir})
			var setting *datasets.SettingError
			if !errors.As(err, &setting) || setting.Key != "train" || !strings.Contains(err.Error(),
				fmt.Sprintf("train is %d: want at most the %d training ", most+1, most)) ||
				!strings.HasSuffix(err.Error(), " of own") {
				t.Errorf("%s, validation %q, train %d: error %v, want one with the limit %d", name, held, most+1, err, most)
			}
		}
	}
}

// TestSettingsOfEveryFormat checks for every format the paths, the errors of several wrong settings, which are all
// reported, and the errors of a missing file, which have the key of the file.
func TestSettingsOfEveryFormat(t *testing.T) {
	dir := t.TempDir()
	for name, form := range everyFormat(4) {
		for held, want := range map[Held][]string{"": {"a"}, "0.5": {"a"}, "b": {"a", "b"}, "./0.5": {"a", "./0.5"}} {
			_, l := form("a", held, 0, "")
			if got := l.(datasets.Owned).Paths(); !slices.Equal(got, want) {
				t.Errorf("%s, validation %s: paths %q, want %q", name, held, got, want)
			}
		}
		_, l := form("", "1", -1, "klingon")
		want := []string{`dataset: path is "": want the ` + name + " file to train on", "dataset: train is -1: ",
			"dataset: validation is 1: want the path of a file, or a fraction",
			`dataset: encoding is "klingon": want an IANA name`}
		var lines []string
		for line := range strings.Lines(l.(datasets.Validator).Validate().Error()) {
			if !strings.Contains(line, "path is \"\": ") || !slices.ContainsFunc(lines, func(s string) bool {
				return strings.Contains(s, "path is \"\": ")
			}) { // the tag of path refuses the empty path too
				lines = append(lines, line)
			}
		}
		if !slices.EqualFunc(lines, want, strings.HasPrefix) {
			t.Errorf("%s: errors %q, want %q", name, lines, want)
		}
		text, _ := form("", "", 0, "")
		storetest.Write(t, dir, "own", text)
		for _, c := range []struct {
			path string
			held Held
			want string
		}{{"none", "", "path"}, {"none", "own", "path"}, {"own", "none", "validation"}} {
			_, l := form(c.path, c.held, 0, "")
			_, err := l.Load(context.Background(), datasets.Source{Dir: dir})
			if !errors.Is(err, datasets.ErrMissing) || !strings.HasPrefix(err.Error(),
				"dataset: "+c.want+": data not found: stat "+filepath.Join(dir, "none")) {
				t.Errorf("%s, path %s, validation %s: error %v, want one about %s", name, c.path, c.held, err, c.want)
			}
		}
		_, l = form("own", "own", 0, "")
		set := loadOwn(t, dir, l)
		_, l = form("own", "0.5", 0, "")
		if half := loadOwn(t, dir, l); len(set.Files) != 1 || len(half.Files) != 1 || set.Name != "own" ||
			set.Files["own"] != half.Files["own"] || set.Synthetic {
			t.Errorf("%s: files %v and %v, name %s; want the file own", name, set.Files, half.Files, set.Name)
		}
	}
}

// TestZeroBased checks that with zero_based, features count from 0 in the training file, the validation file and the
// stream.
func TestZeroBased(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "train0", "a 0:5 2:1\nb 1:3\n")
	storetest.Write(t, dir, "train1", "a 1:5 3:1\nb 2:3\n")
	storetest.Write(t, dir, "held0", "b 0:2 2:9 3:7\n")
	storetest.Write(t, dir, "held1", "b 1:2 3:9 4:7\n")
	zero, one := LIBSVM{Path: "train0", Validation: "held0", ZeroBased: true}, LIBSVM{Path: "train1", Validation: "held1"}
	got, want := loadOwn(t, dir, zero), loadOwn(t, dir, one)
	if datasettest.Bits(got) != datasettest.Bits(want) || got.Train.(*datasets.Labelled).X.Dim != 3 {
		t.Errorf("features that count from 0: %+v, %+v; want %+v, %+v", got.Train, got.Validation, want.Train,
			want.Validation)
	}
	for l, text := range map[LIBSVM]string{zero: "a 0:5 2:1\n", one: "a 1:5 3:1\n"} {
		s, err := l.Stream("f", strings.NewReader(text), "")
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if index, _ := data.(*datasets.Labelled).X.Row(0); !slices.Equal(index, []int32{0, 2}) {
			t.Errorf("zero_based %v: the stream reads the features %v, want 0 and 2", l.ZeroBased, index)
		}
	}
}

// TestCommentsOfSentences checks that a line that begins with # is a comment only with the setting comments, in the
// file and in the stream, and always in CoNLL-U.
func TestCommentsOfSentences(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "f", "# A\nv B\n\n")
	for comments, want := range map[bool]string{false: "#/A v/B", true: "v/B"} {
		l := CoNLL{Path: "f", Columns: "word pos", Comments: comments}
		if got := datasettest.Written(loadOwn(t, dir, l).Train.(*datasets.Sentences)); got != want {
			t.Errorf("comments %v: the file has %s, want %s", comments, got, want)
		}
		s, err := l.Stream("f", strings.NewReader("# A\nv B\n\n"), "pos")
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := datasettest.Written(data.(*datasets.Sentences)); got != want {
			t.Errorf("comments %v: the stream has %s, want %s", comments, got, want)
		}
	}
}

// TestTokens checks the names of the columns of a stream, and that the stream reads the token that it shows, for each
// format of sentences and each target.
func TestTokens(t *testing.T) {
	const conllu = "id word lemma upos xpos _ head deprel _ _"
	for _, c := range []struct {
		form                  datasets.Form
		target, fields, token string
	}{
		{&CoNLL{Columns: "word pos"}, "pos", "word pos", "word"},
		{&CoNLL{Columns: "pos word"}, "pos", "pos word", "word"},
		{&CoNLL{Columns: "word _ pos head", Encoding: "ISO-8859-1"}, "pos", "word _ pos head", "word _ _"},
		{&CoNLL{Columns: "id word head"}, datasets.Heads, "id word head", "1 word _"},
		{CoNLLU{}, "upos", conllu, "1 word lemma _ xpos _ _ deprel _ _"},
		{CoNLLU{}, datasets.Heads, conllu, "1 word lemma upos xpos _ _ deprel _ _"},
		{CoNLLU{Encoding: "ISO-8859-1"}, "lemma", conllu, "1 word _ upos xpos _ _ deprel _ _"},
	} {
		s, err := c.form.Stream("f", strings.NewReader(strings.ReplaceAll(c.token, " ", "\t")+"\n"), c.target)
		if err != nil {
			t.Fatal(err)
		}
		columns, ok := s.(datasets.Columnar)
		if !ok {
			t.Fatalf("%+v: the stream does not name its columns", c.form)
		}
		if got := strings.Join(columns.Fields(), " "); got != c.fields {
			t.Errorf("%+v: columns %s, want %s", c.form, got, c.fields)
		}
		if got := strings.Join(columns.Token(), " "); got != c.token {
			t.Errorf("%+v, target %s: token %s, want %s", c.form, c.target, got, c.token)
		}
		if data, err := s.Next(); err != nil || data.Len() != 1 {
			t.Errorf("%+v, target %s: the token is read as %v, %v; want one sentence", c.form, c.target, data, err)
		}
	}
}

// TestProjectiveIsBeforeTrain checks that sentences that are not projective are omitted before the first training
// sentences are chosen, in both formats of sentences, and that the limit of train counts only the others.
func TestProjectiveIsBeforeTrain(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i, heads := range [][]int{{0, 4, 1, 1}, {0}, {0, 4, 1, 1}, {2, 0}, {0, 1}} {
		for k, h := range heads {
			fmt.Fprintf(&text, "%d\tw%d%d\tl\tV\tV\t_\t%d\td\t_\t_\n", k+1, i, k+1, h)
		}
		text.WriteString("\n")
	}
	storetest.Write(t, dir, "f", text.String())
	loader := map[string]func(projective bool, train int, held Held) datasets.Loader{
		"CoNLL": func(p bool, n int, h Held) datasets.Loader {
			return CoNLL{Path: "f", Columns: "id word _ _ _ _ head _ _ _", Projective: p, Train: n, Validation: h}
		},
		"CoNLL-U": func(p bool, n int, h Held) datasets.Loader {
			return CoNLLU{Path: "f", Projective: p, Train: n, Validation: h}
		},
	}
	for name, form := range loader {
		for _, c := range []struct {
			projective bool
			train      int
			want       string // first words of the sentences
		}{{false, 0, "w01 w11 w21 w31 w41"}, {false, 2, "w01 w11"}, {true, 0, "w11 w31 w41"}, {true, 2, "w11 w31"},
			{true, 3, "w11 w31 w41"}} {
			set := loadOwn(t, dir, form(c.projective, c.train, "f"))
			s := set.Train.(*datasets.Sentences)
			var first []string
			words := datasettest.Texts(t, s, "word")
			for i := range s.Len() {
				first = append(first, words[s.Start[i]])
			}
			if got := strings.Join(first, " "); got != c.want || set.Validation.Len() != 5 {
				t.Errorf("%s, projective %v, train %d: sentences %s and %d for validation; want %s and 5", name, c.projective,
					c.train, got, set.Validation.Len(), c.want)
			}
		}
		_, err := form(true, 4, "").Load(context.Background(), datasets.Source{Dir: dir})
		if err == nil || err.Error() != "dataset: train is 4: want at most the 3 training sentences of f" {
			t.Errorf("%s: error of train above the projective sentences = %v", name, err)
		}
	}
}

// TestWarningsOfTables checks the warnings about a table and its validation file, in their order, with the path of the
// validation file before its own.
func TestWarningsOfTables(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "train", "colour,x,kind\nred,1,a\nblue,2,b\nred,3,c\n")
	storetest.Write(t, dir, "held", "colour,x,kind\ngreen,1,a\nred,2,z\n")
	set, err := CSV{Path: "train", Validation: "held", Train: 2}.Load(context.Background(), datasets.Source{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.Validation.(*datasets.Labelled).Y, []int{0, 3}) || set.Train.Len() != 2 {
		t.Errorf("validation classes %v, want a, and 3 for a class that the training rows lack",
			set.Validation.(*datasets.Labelled).Y)
	}
	want := []string{"held: ", "held: 1 validation rows have labels that no training row has, and count as errors: z",
		"no training rows of class c"}
	if !slices.EqualFunc(set.Warnings, want, strings.HasPrefix) {
		t.Errorf("warnings %q, want %q", set.Warnings, want)
	}
}

// TestPlain checks the text formats of rows, of sequences and of discrete variables, and that other kinds of data have
// none.
func TestPlain(t *testing.T) {
	for _, c := range []struct {
		data         datasets.Data
		text, target string
		shown        func(datasets.Data) string
		want         string
	}{
		{&datasets.Labelled{}, "a 1:5 3:1\nb 2:1\n", "", func(d datasets.Data) string {
			l := d.(*datasets.Labelled)
			return fmt.Sprint(l.X.Index, l.X.Value, l.Classes[l.Y[0]])
		}, "[0 2] [5 1]a|[1] [1]b"},
		{&datasets.Sequences{}, "a qid:1 1:5\nb qid:1 2:1\na qid:2 3:1\n", "", func(d datasets.Data) string {
			s := d.(*datasets.Sequences)
			return fmt.Sprint(s.Len(), s.X.N, s.X.Index)
		}, "1 2 [0 1]|1 1 [2]"},
		{&datasets.Discrete{}, "x,class\nu,a\nv,b\n", "class", func(d datasets.Data) string {
			r := d.(*datasets.Discrete)
			return fmt.Sprint(r.Variables[0].Name, r.Variables[0].Values[r.Value[0]], r.Class)
		}, "xu1|xv1"},
	} {
		form, ok := Plain(c.data.Kind())
		if !ok {
			t.Fatalf("%s: there is no text format", c.data.Kind())
		}
		s, err := form.Stream("f", strings.NewReader(c.text), c.target)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for {
			d, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, c.shown(d))
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: read %s, want %s", c.data.Kind(), text, c.want)
		}
	}
	for _, d := range []datasets.Data{&datasets.Sentences{}, &datasets.Treebank{}, &datasets.CellCounts{}} {
		if _, ok := Plain(d.Kind()); ok {
			t.Errorf("%s have a plain text format, want none", d.Kind())
		}
	}
}
