package real

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// TestCitationSettings checks that combinations of settings that conflict are errors. The conformance suite checks the
// range of each setting.
func TestCitationSettings(t *testing.T) {
	flat := func(edit func(*UMassCitations)) datasets.Loader {
		u := UMassCitations{TrainOn: "train", Validation: "test"}
		edit(&u)
		return u
	}
	for _, c := range []struct {
		loader datasets.Loader
		key    string
	}{
		{flat(func(u *UMassCitations) { u.TrainOn, u.Validation = "train+dev", "dev" }), "validation"},
		{flat(func(u *UMassCitations) { u.TrainOn, u.Validation = "dev", "dev" }), "validation"},
		{flat(func(u *UMassCitations) { u.TrainOn, u.Validation = "dev", "dev-1" }), "validation"},
		{flat(func(u *UMassCitations) { u.TrainOn, u.Validation = "dev-2", "dev" }), "validation"},
		{flat(func(u *UMassCitations) { u.TrainSentences = 1455 }), "train_sentences"},
		{flat(func(u *UMassCitations) { u.ValidationSentences = 368 }), "validation_sentences"},
	} {
		_, err := c.loader.Load(context.Background(), datasets.Source{})
		var setting *datasets.SettingError
		if !errors.As(err, &setting) || setting.Key != c.key {
			t.Errorf("%T%+v: error %v, want a SettingError with the key %s", c.loader, c.loader, err, c.key)
		}
	}
}

// TestHalvesOfDev checks that each reference of dev is either in dev-1 or in dev-2.
func TestHalvesOfDev(t *testing.T) {
	c := citationParts{sizes: [3]int{4, 5, 2}}
	first, second := c.of("dev-1"), c.of("dev-2")
	if whole := append(slices.Clone(first), second...); !slices.Equal(whole, c.of("dev")) || len(second)-len(first) != 1 {
		t.Errorf("indices of dev = %v, of its halves = %v and %v; want the halves together to be dev",
			c.of("dev"), first, second)
	}
	if got := c.of("train+dev"); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("indices of train+dev = %v, want 0 to 8", got)
	}
}

// labelled reads references with nested tags and returns each as text of the form word/label word/label ...
func labelled(t testing.TB, segments, text string) []string {
	t.Helper()
	r := newTagReader(segments)
	if err := r.read("f", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSentences(t, &r.all)
	word, label := datasettest.Texts(t, &r.all, "word"), datasettest.Texts(t, &r.all, "label")
	var list []string
	for i := range r.all.Len() {
		var tokens []string
		for k := r.all.Start[i]; k < r.all.Start[i+1]; k++ {
			tokens = append(tokens, word[k]+"/"+label[k])
		}
		list = append(list, strings.Join(tokens, " "))
	}
	return list
}

// TestNestedTags checks the labels of invented references. Their tags, including errors, are like those of the real
// files.
func TestNestedTags(t *testing.T) {
	text, err := os.ReadFile("testdata/citations/nested.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, segments := range []string{segmentsInnermost, segmentsFields, segmentsOutermost} {
		want, err := os.ReadFile("testdata/citations/" + segments + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		got := labelled(t, segments, string(text))
		for i, line := range strings.Split(strings.TrimSpace(string(want)), "\n") {
			if i >= len(got) || got[i] != line {
				t.Errorf("%s, reference %d:\n got %s\nwant %s", segments, i+1, got[min(i, len(got)-1)], line)
			}
		}
	}
}

func TestNestedTagFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f:1:1: no references: want lines such as <title> On trees . </title>"},
		{"\n <title> </title>\n", "f:2:1: no references"},
		{"<title> On </title>\n<titel> On </titel>\n", "f:2:1: tag <titel> is unknown: want one of authors, person, "},
		{"<title> On </tilte>\n", "f:1:12: tag </tilte> is unknown"},
		{"<title> \xff\n", "f:1:9: byte 0xff is not text"},
	} {
		err := newTagReader(segmentsFields).read("f", strings.NewReader(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
	got := labelled(t, segmentsFields, "<title> a<b , <B> and </> x< <title>y</title> </title>")[0]
	if want := "a<b/B-title ,/I-title <B>/I-title and/I-title </>/I-title x</I-title y/B-title"; got != want {
		t.Errorf("labels of text that looks like tags = %s, want %s", got, want)
	}
}

func FuzzNestedTags(f *testing.F) {
	f.Add("<title> On trees . </title> <venue> <date> <year> (1990 </date> ) </year>")
	f.Add("< </ </> <> <a <title </title")
	f.Fuzz(func(t *testing.T, text string) {
		for _, segments := range []string{segmentsInnermost, segmentsFields, segmentsOutermost} {
			r := newTagReader(segments)
			if r.read("f", strings.NewReader(text)) == nil {
				datasettest.CheckSentences(t, &r.all)
				datasettest.CheckSegments(t, &r.all)
			}
		}
	})
}

func TestUMassCitations(t *testing.T) {
	for _, c := range []struct {
		trainOn, validation                       string
		train, tokens, held, heldTokens, headless int
	}{
		{"train", "dev", 1454, 40532, 651, 16460, 2},
		{"dev", "test", 651, 16460, 367, 9512, 1},
		{"train+dev", "test", 2105, 56992, 367, 9512, 1},
	} {
		set := loadReal(t, "umass-citations", UMassCitations{TrainOn: c.trainOn, Validation: c.validation})
		train, held := set.Train.(*datasets.Sentences), set.Validation.(*datasets.Sentences)
		if train.Len() != c.train || datasettest.TokensOf(train) != c.tokens || held.Len() != c.held ||
			datasettest.TokensOf(held) != c.heldTokens ||
			datasettest.Headless(t, held) != c.headless {
			t.Errorf("%s, %s: %d references of %d tokens, %d of %d, %d segments that begin with I-; want %+v",
				c.trainOn, c.validation, train.Len(), datasettest.TokensOf(train), held.Len(), datasettest.TokensOf(held),
				datasettest.Headless(t, held), c)
		}
	}
	whole := loadReal(t, "umass-citations", UMassCitations{TrainOn: "train", Validation: "test"})
	few := loadReal(t, "umass-citations",
		UMassCitations{TrainOn: "train", Validation: "test", TrainSentences: 30, ValidationSentences: 7})
	train := whole.Train.(*datasets.Sentences)
	if got := datasettest.Fields(t, train); len(got) != 20 || !slices.Contains(got, "booktitle") {
		t.Errorf("fields = %q, want 20", got)
	}
	if n := few.Validation.Len(); n != 7 ||
		!slices.Equal(few.Train.(*datasets.Sentences).Columns[0].ID, train.Pick(parse.Between(0, 30)).Columns[0].ID) ||
		few.Checksum == whole.Checksum {
		t.Errorf("with limits: %d validation references; want 7, the first training references and another checksum", n)
	}
}

func TestUMassNested(t *testing.T) {
	sums := map[string]bool{}
	for _, c := range []struct {
		segments string
		fields   int
		spans    map[string]int // for some names of segments: the number of such segments in the training references
	}{
		{segmentsInnermost, 35, map[string]int{"person-last": 3245, "editor-last": 101, "title": 879, "year": 1409,
			"ref-marker": 1050}},
		{segmentsFields, 20, map[string]int{"author": 3250, "editor": 100, "title": 881, "year": 1409, "journal": 1051}},
		{segmentsOutermost, 8, map[string]int{"authors": 1447, "title": 879, "venue": 1474}},
	} {
		set := loadReal(t, "umass-nested", UMassNested{Segments: c.segments, TrainOn: "train", Validation: "test"})
		train := set.Train.(*datasets.Sentences)
		datasettest.CheckSegments(t, train)
		datasettest.CheckSegments(t, set.Validation.(*datasets.Sentences))
		used := datasettest.TextsUsed(&train.Columns[1])
		for field, n := range c.spans {
			if used["B-"+field] != n {
				t.Errorf("%s: %d segments of %s, want %d", c.segments, used["B-"+field], field, n)
			}
		}
		if got := datasettest.Fields(t, train); len(got) != c.fields {
			t.Errorf("%s: fields %q, want %d", c.segments, got, c.fields)
		}
		sums[set.Checksum] = true
	}
	if len(sums) != 3 {
		t.Error("the checksum does not depend on the setting segments")
	}
}
