package formats

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/storetest"
)

// loadOwn loads the data set of l. The paths in l are relative to the folder dir.
func loadOwn(t testing.TB, dir string, l datasets.Loader) *datasets.Set {
	t.Helper()
	set, err := l.Load(context.Background(), datasets.Source{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	return set
}

func TestCoNLL(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "train", "a N\nb V\n\nc N\nd X\n")
	storetest.Write(t, dir, "packed", storetest.Gzip("a N\nb V\n\nc N\nd X\n"))
	storetest.Write(t, dir, "test", "z V\na N\n")
	set := loadOwn(t, dir, CoNLL{Path: "train", Columns: " word  pos", Validation: "test"})
	train, validation := set.Train.(*datasets.Sentences), set.Validation.(*datasets.Sentences)
	if datasettest.Written(train) != "a/N b/V | c/N d/X" || datasettest.Written(validation) != "z/V a/N" ||
		train.Heads != nil {
		t.Errorf("training sentences = %s, validation sentences = %s; want those of the two files",
			datasettest.Written(train), datasettest.Written(validation))
	}
	if !slices.Equal(train.Columns[0].Text, []string{"a", "b", "c", "d", "z"}) ||
		!slices.Equal(validation.Columns[1].Text, []string{"N", "V", "X"}) {
		t.Errorf("texts %q, %q; want first the texts of the training file, then those that only the validation file has",
			train.Columns[0].Text, validation.Columns[1].Text)
	}
	if set.Name != "train" || len(set.Files) != 2 || len(set.Warnings) != 0 {
		t.Errorf("set = %+v, want the name train, two files and no warnings", set)
	}
	packed := loadOwn(t, dir, CoNLL{Path: "packed", Columns: "word pos", Validation: "test"})
	few := loadOwn(t, dir, CoNLL{Path: "train", Columns: "word pos", Validation: "test", Train: 1})
	other := loadOwn(t, dir, CoNLL{Path: "train", Columns: "pos word", Validation: "test"})
	if packed.Checksum != set.Checksum || few.Checksum == set.Checksum || other.Checksum == set.Checksum {
		t.Error("the checksum does not depend on the content and the settings alone")
	}
	if datasettest.Written(few.Train.(*datasets.Sentences)) != "a/N b/V" ||
		!slices.Equal(few.Train.(*datasets.Sentences).Columns[0].Text, train.Columns[0].Text) {
		t.Error("train: 1 does not give the first sentence with the texts of the whole training file")
	}
}

func TestCoNLLValidationFraction(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "w%02d N\n\n", i)
	}
	storetest.Write(t, dir, "f", text.String())
	load := func(seed uint64, limit int) (train, validation string, texts []string) {
		set := loadOwn(t, dir, CoNLL{Path: "f", Columns: "word pos", Validation: "0.3", Seed: seed, Train: limit})
		return datasettest.Written(set.Train.(*datasets.Sentences)),
			datasettest.Written(set.Validation.(*datasets.Sentences)), set.Train.(*datasets.Sentences).Columns[0].Text
	}
	train, validation, texts := load(1, 0)
	words := append(strings.Split(train, " | "), strings.Split(validation, " | ")...)
	if len(words) != 20 || strings.Count(validation, "|") != 5 || !slices.IsSorted(words[:14]) ||
		!slices.IsSorted(words[14:]) {
		t.Errorf("train = %s, validation = %s; want 14 and 6 sentences, in the order of the file", train, validation)
	}
	for k, text := range texts {
		if text+"/N" != words[k] {
			t.Errorf("text %d = %s, want the texts of the training sentences first", k, text)
		}
	}
	if _, same, _ := load(1, 3); same != validation {
		t.Error("the validation sentences depend on the setting train, want the same")
	}
	if _, other, _ := load(2, 0); other == validation {
		t.Error("another seed draws the same validation sentences, want others")
	}
}

func TestCoNLLProjective(t *testing.T) {
	dir := t.TempDir()
	crossing := "1 a 0\n2 b 4\n3 c 1\n4 d 1\n\n"
	storetest.Write(t, dir, "f", crossing+"1 e 0\n2 f 0\n\n1 g 0\n\n"+crossing)
	storetest.Write(t, dir, "none", crossing)
	names := "id word head"
	set := loadOwn(t, dir, CoNLL{Path: "f", Columns: names, Projective: true, Validation: "f"})
	if got := datasettest.Written(set.Train.(*datasets.Sentences)); got != "e>0 f>0 | g>0" || set.Validation.Len() != 4 {
		t.Errorf("train %s, %d validation sentences; want the projective sentences, and all 4", got, set.Validation.Len())
	}
	if want := []string{"2 of 4 training sentences are not projective and left out",
		"1 of 2 training sentences have several roots",
		"1 of 4 validation sentences have several roots"}; !slices.Equal(set.Warnings, want) {
		t.Errorf("warnings %q, want %q", set.Warnings, want)
	}
	if all := loadOwn(t, dir, CoNLL{Path: "f", Columns: names}); all.Train.Len() != 4 || all.Checksum == set.Checksum {
		t.Error("without Projective, sentences were left out or the checksum is the same: want all, and another checksum")
	}
	_, err := CoNLL{Path: "none", Columns: names, Projective: true}.Load(context.Background(), datasets.Source{Dir: dir})
	if err == nil || err.Error() != "dataset: projective is true: "+
		"want at least one projective sentence among the 1 training sentences of none" {
		t.Errorf("error without projective sentences = %v, want one of the setting projective", err)
	}
}

func TestCoNLLU(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "f", `# sent_id = 1
# text = Vámonos al mar.
1-2	Vámonos	_	_	_	_	_	_	_	_
1	Vamos	ir	VERB	vm	Mood=Imp	0	root	_	_
2	nos	yo	PRON	_	_	1	obj	_	_
3-4	al	_	_	_	_	_	_	_	_
3	a	a	ADP	_	_	5	case	_	_
4	el	el	DET	_	_	5	det	_	_
5	mar	mar	NOUN	_	_	1	obl	_	SpaceAfter=No
5.1	ir	ir	VERB	_	_	_	_	0:x	_
6	.	.	PUNCT	_	_	1	punct	_	_

`)
	s := loadOwn(t, dir, CoNLLU{Path: "f"}).Train.(*datasets.Sentences)
	want := "Vamos/ir/VERB/vm/root>0 nos/yo/PRON/_/obj>1 a/a/ADP/_/case>5 el/el/DET/_/det>5 mar/mar/NOUN/_/obl>1 " +
		"././PUNCT/_/punct>1"
	if datasettest.Written(s) != want {
		t.Errorf("read %s, want %s", datasettest.Written(s), want)
	}
	for k, name := range []string{"word", "lemma", "upos", "xpos", "deprel"} {
		if s.Columns[k].Name != name {
			t.Errorf("column %d is %s, want %s", k, s.Columns[k].Name, name)
		}
	}
}

func TestPTB(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "f", "( (S (A a) (B b)) )\n(S (-NONE- *))\n(S (A a))\n(X (A a) (A a) (A a))\n(Y (B b))\n")
	storetest.Write(t, dir, "long", "(X (A a) (A a) (A a))\n")
	set := loadOwn(t, dir, PTB{Path: "f", MaxWords: 2, Validation: "f", Train: 2})
	train := set.Train.(*datasets.Treebank).Trees
	if len(train) != 2 || datasettest.Bracketed(train[1]) != "(S (A a))" || set.Validation.Len() != 3 {
		t.Errorf("%d training trees, %d validation trees; want 2 and 3", len(train), set.Validation.Len())
	}
	if want := []string{"left out 2 trees without words"}; !slices.Equal(set.Warnings, want) {
		t.Errorf("warnings %q, want %q", set.Warnings, want)
	}
	if half := loadOwn(t, dir, PTB{Path: "f", Validation: "0.5", Seed: 1}); half.Train.Len() != 2 ||
		half.Validation.Len() != 2 || half.Checksum == set.Checksum {
		t.Errorf("%d training trees, %d validation trees; want 2 and 2", half.Train.Len(), half.Validation.Len())
	}
	_, err := PTB{Path: "f", MaxWords: 2, Validation: "long"}.Load(context.Background(), datasets.Source{Dir: dir})
	if err == nil || err.Error() != "dataset: validation: "+filepath.Join(dir, "long")+": no trees of at most 2 words" {
		t.Errorf("error if all validation trees are too long = %v, want one with the path of their file", err)
	}
}

func TestOwnFileErrors(t *testing.T) {
	dir := t.TempDir()
	storetest.Write(t, dir, "bad", "a N\nb\n")
	storetest.Write(t, dir, "ok", "a N\n")
	for _, c := range []struct {
		loader datasets.Loader
		want   string
		is     error
	}{
		{CoNLL{Path: "absent", Columns: "word"}, "dataset: path: data not found: stat " + filepath.Join(dir, "absent"),
			datasets.ErrMissing},
		{CoNLL{Path: "bad", Columns: "word pos"}, "dataset: path: " + filepath.Join(dir, "bad") +
			":2:1: 1 instead of 2 columns: want word pos", nil},
		{CoNLL{Path: "ok", Columns: "word pos", Validation: "bad"}, "dataset: validation: " + filepath.Join(dir, "bad") +
			":2:1:", nil},
		{CoNLL{Path: "ok", Columns: "word pos", Train: 2}, "dataset: train is 2: want at most the 1 training sentences of ok",
			nil},
		{CoNLL{Path: "ok", Columns: "word pos", Validation: "0.5"},
			"want a fraction that holds out at least one of the 1 sentences", nil},
		{CoNLLU{Path: "ok"}, "ok:1:3: 2 instead of 10 columns: want id word lemma upos xpos _ head deprel _ _", nil},
		{PTB{Path: "ok"}, `ok:1:1: "a" outside of brackets`, nil},
		{PTB{Path: "absent"}, "", datasets.ErrMissing},
	} {
		_, err := c.loader.Load(context.Background(), datasets.Source{Dir: dir})
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%T%+v: error %v, want %q, %v", c.loader, c.loader, err, c.want, c.is)
		}
	}
}

// TestSettingsOfColumnsAndTrees checks which names of columns, which forms of leaves and which beginnings of comments
// are accepted.
func TestSettingsOfColumnsAndTrees(t *testing.T) {
	for _, c := range []struct {
		loader interface{ Validate() error }
		key    string // the key of the error; "": there is none
	}{
		{CoNLL{Columns: "word"}, ""}, {CoNLL{Columns: "_ word _"}, ""}, {CoNLL{Columns: "id word head"}, ""},
		{CoNLL{Columns: " "}, "columns"}, {CoNLL{Columns: "_"}, "columns"}, {CoNLL{Columns: "id"}, "columns"},
		{CoNLL{Columns: "head"}, "columns"}, {CoNLL{Columns: "id _ head _"}, "columns"},
		{CoNLL{Columns: "word pos word"}, "columns"}, {CoNLL{Columns: "word head head"}, "columns"},
		{CoNLL{Columns: "word pos", Projective: true}, "projective"}, {CoNLL{Columns: "word head", Projective: true}, ""},
		{PTB{}, ""}, {PTB{Leaf: "tag word"}, ""}, {PTB{Leaf: "lemma word tag"}, ""}, {PTB{Leaf: "word"}, "leaf"},
		{PTB{Leaf: "tag"}, "leaf"}, {PTB{Leaf: "tag word tag"}, "leaf"}, {PTB{Leaf: "word tag word"}, "leaf"},
		{PTB{Comments: "%%"}, ""}, {PTB{Comments: "(("}, "comments"},
		{LIBSVM{Validation: "1"}, "validation"}, {LIBSVM{Validation: "-0.1"}, "validation"}, {LIBSVM{Validation: "0.99"}, ""},
		{LIBSVM{Encoding: "klingon"}, "encoding"}, {LIBSVM{Encoding: "UTF-16"}, ""}, {LIBSVM{Train: -1}, "train"},
	} {
		switch l := c.loader.(type) {
		case CoNLL:
			l.Path = "f"
			c.loader = l
		case PTB:
			l.Path = "f"
			c.loader = l
		case LIBSVM:
			l.Path = "f"
			c.loader = l
		}
		var setting *datasets.SettingError
		err := c.loader.Validate()
		if (err != nil) != (c.key != "") || err != nil && (!errors.As(err, &setting) || setting.Key != c.key) {
			t.Errorf("%T%+v: error %v, want one about %q", c.loader, c.loader, err, c.key)
		}
	}
}
