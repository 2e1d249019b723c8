package real

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

func loadReal(t testing.TB, name string, l datasets.Loader) *datasets.Set {
	t.Helper()
	set, err := l.Load(context.Background(), realSource(t, name))
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	return set
}

func TestOCRLetters(t *testing.T) {
	src := realSource(t, "ocr-letters")
	var folds [10]*ocrPart
	for f := range folds {
		folds[f] = newOCRPart(0)
	}
	err := src.Read(context.Background(), "ocr-letters", ocrFiles()[0], func(path string, r io.Reader) error {
		return readOCR(path, r, func(fold int) *ocrPart { return folds[fold] })
	})
	if err != nil {
		t.Fatal(err)
	}
	letters := 0
	for f, words := range ocrWords() {
		letters += folds[f].X.N
		if folds[f].Len() != words {
			t.Errorf("fold %d has %d words, want %d", f, folds[f].Len(), words)
		}
	}
	if letters != 52152 {
		t.Errorf("there are %d letters, want 52152", letters)
	}
	alone := loadReal(t, "ocr-letters", OCRLetters{Fold: 3, TrainOn: "fold"})
	if got := alone.Train.(*datasets.Sequences); !slices.Equal(got.Y, folds[3].Y) ||
		!slices.Equal(got.X.Index, folds[3].X.Index) ||
		alone.Validation.Len() != 6877-698 {
		t.Error("train_on: fold does not train on the words of the fold and validate on the others")
	}
	few := loadReal(t, "ocr-letters", OCRLetters{TrainOn: "others", TrainWords: 3, ValidationWords: 2})
	train, validation := few.Train.(*datasets.Sequences), few.Validation.(*datasets.Sequences)
	if got := spelt(validation); !slices.Equal(got, []string{"ommanding", "ommanding"}) {
		t.Errorf("first two words of fold 0 = %q, want ommanding twice", got)
	}
	index, value := validation.X.Row(0)
	if train.Len() != 3 || validation.X.N != 18 || len(index) < 10 ||
		slices.ContainsFunc(value, func(v float64) bool { return v != 1 }) {
		t.Errorf("training words = %d, validation letters = %d, pixels of the first image = %v; want 3, 18, 10 or more",
			train.Len(), validation.X.N, index)
	}
	rest := loadReal(t, "ocr-letters", OCRLetters{TrainOn: "others", TrainWords: 3, ValidationWords: 2, HeldOut: true})
	five := loadReal(t, "ocr-letters", OCRLetters{TrainOn: "others", TrainWords: 5, ValidationWords: 2})
	all, first, then := five.Train.(*datasets.Sequences), rest.Train.(*datasets.Sequences),
		rest.Validation.(*datasets.Sequences)
	if !slices.Equal(all.Y, slices.Concat(first.Y, then.Y)) || first.Len() != 3 || then.Len() != 2 ||
		rest.Checksum == few.Checksum {
		t.Error("with held_out, the validation words are not the two after the first three of the training folds")
	}
	unseen := loadReal(t, "ocr-letters", OCRLetters{TrainOn: "fold", TrainWords: 100, ValidationWords: 1300, Unseen: true})
	known := spelt(unseen.Train.(*datasets.Sequences))
	left := spelt(unseen.Validation.(*datasets.Sequences))
	var want []string
	for _, word := range spelt(loadReal(t, "ocr-letters",
		OCRLetters{TrainOn: "fold", TrainWords: 100, ValidationWords: 1300}).Validation.(*datasets.Sequences)) {
		if !slices.Contains(known, word) {
			want = append(want, word)
		}
	}
	if len(known) != 100 || len(left) == 0 || !slices.Equal(left, want) {
		t.Errorf("with unseen, %d validation words: want the %d whose spelling is not among the 100 training words",
			len(left), len(want))
	}
	var words []string
	for f := range folds {
		words = append(words, spelt(&folds[f].Sequences)...)
	}
	if slices.Sort(words); len(slices.Compact(words)) != 55 {
		t.Error("the number of different words is not 55")
	}
	if alone.Checksum == few.Checksum {
		t.Error("the checksum does not depend on the settings")
	}
}

func TestCoNLL2000(t *testing.T) {
	set := loadReal(t, "conll2000", CoNLL2000{Train: 8936, Validation: 2012})
	train, validation := set.Train.(*datasets.Sentences), set.Validation.(*datasets.Sentences)
	for k, c := range []struct {
		name                string
		inTrain, validation int // numbers of distinct texts in the training and the validation data
	}{{"word", 19122, 8118}, {"pos", 44, 43}, {"chunk", 22, 19}} {
		column, held := &train.Columns[k], &validation.Columns[k]
		if column.Name != c.name || len(datasettest.TextsUsed(column)) != c.inTrain ||
			len(datasettest.TextsUsed(held)) != c.validation {
			t.Errorf("column %s: %d and %d texts; want %s, %d and %d", column.Name, len(datasettest.TextsUsed(column)),
				len(datasettest.TextsUsed(held)),
				c.name, c.inTrain, c.validation)
		}
	}
	word, pos, chunk := train.Columns[0], train.Columns[1], train.Columns[2]
	if word.Text[word.ID[0]]+pos.Text[pos.ID[0]]+chunk.Text[chunk.ID[0]] != "ConfidenceNNB-NP" ||
		datasettest.TextsUsed(&word)["#"] == 0 {
		t.Error("the first token is not Confidence NN B-NP, or the tokens # were lost")
	}
	small := loadReal(t, "conll2000", CoNLL2000{Train: 100})
	if few := small.Train.(*datasets.Sentences); small.Validation != nil ||
		!slices.Equal(few.Columns[0].ID, train.Pick(parse.Between(0, 100)).Columns[0].ID) ||
		len(few.Columns[2].Text) != 22 || small.Checksum == set.Checksum {
		t.Error("Train: 100 does not give the first 100 sentences, with the texts of all training sentences and another " +
			"checksum")
	}
	rest := loadReal(t, "conll2000", CoNLL2000{Train: 100, Validation: 20, HeldOut: true})
	if got := rest.Validation.(*datasets.Sentences); !slices.Equal(got.Columns[2].ID,
		train.Pick(parse.Between(100, 120)).Columns[2].ID) || rest.Train.Len() != 100 || rest.Checksum == small.Checksum {
		t.Error("with held_out, the validation sentences are not the 20 after the first 100")
	}
}

func TestCAST3LB(t *testing.T) {
	var eg *datasets.Set
	for _, c := range []struct {
		loader                               CAST3LB
		train, tokens, validation, heldWords int
		dropped                              string
	}{
		{CAST3LB{Split: "eg", Validation: 1000}, 2306, 58771, 1000, 30563, ""},
		{CAST3LB{Split: "eg", Projective: true, Validation: 10}, 2267, 57357, 10, 0, "39 of 2306"},
		{CAST3LB{Split: "conllx", Validation: 1000}, 3306, 89334, 206, 5694, ""},
		{CAST3LB{Split: "conllx", Projective: true, Train: 3249}, 3249, 0, 0, 0, "57 of 3306"},
	} {
		set := loadReal(t, "cast3lb", c.loader)
		if eg == nil {
			eg = set
		}
		held, heldWords := 0, 0
		if set.Validation != nil {
			held, heldWords = set.Validation.Len(), datasettest.TokensOf(set.Validation)
		}
		if n := datasettest.TokensOf(set.Train); set.Train.Len() != c.train || c.tokens > 0 && n != c.tokens ||
			held != c.validation ||
			c.heldWords > 0 && heldWords != c.heldWords {
			t.Errorf("%+v: %d sentences of %d tokens, %d of %d; want %d of %d, %d of %d",
				c.loader, set.Train.Len(), n, held, heldWords, c.train, c.tokens, c.validation, c.heldWords)
		}
		if (c.dropped != "") != (len(set.Warnings) == 1) || c.dropped != "" &&
			!strings.HasPrefix(set.Warnings[0], c.dropped) {
			t.Errorf("%+v: warnings %q; want %q, and no warning about several roots", c.loader, set.Warnings, c.dropped)
		}
	}
	train, validation := eg.Train.(*datasets.Sentences), eg.Validation.(*datasets.Sentences)
	_, dropped := parse.ProjectiveOnly(validation, parse.Between(0, 1000))
	if dropped != 18 {
		t.Errorf("%d validation sentences are not projective, want 18", dropped)
	}
	names := []string{"word", "lemma", "cpos", "pos", "feats", "deprel"}
	for k, c := range train.Columns {
		if c.Name != names[k] {
			t.Errorf("column %d is %s, want %s", k, c.Name, names[k])
		}
	}
	all := datasettest.TextsUsed(&train.Columns[2])
	maps.Copy(all, datasettest.TextsUsed(&validation.Columns[2]))
	if len(all) != 15 {
		t.Errorf("there are %d coarse tags, want 15", len(all))
	}
	var setting *datasets.SettingError
	_, err := CAST3LB{Split: "eg", Projective: true, Train: 2268}.Load(context.Background(), realSource(t, "cast3lb"))
	if !errors.As(err, &setting) ||
		!strings.Contains(err.Error(), "train is 2268: want at most the 2267 training sentences of cast3lb") {
		t.Errorf("error of one training sentence too many = %v, want a SettingError with the number 2267", err)
	}
}

// TestPTBSample checks the numbers of trees, words, tags, phrase labels and rules of the sample against those that
// result from the preprocessing that is usual in the literature.
func TestPTBSample(t *testing.T) {
	set := loadReal(t, "ptb-sample", PTBSample{})
	tags, phrases := map[string]int{}, map[string]int{}
	for _, tree := range set.Train.(*datasets.Treebank).Trees {
		countLabels(tree, tags, phrases)
	}
	if set.Train.Len() != 3914 || datasettest.TokensOf(set.Train) != 94084 || len(tags) != 45 || len(phrases) != 26 ||
		set.Validation != nil {
		t.Errorf("%d trees, %d words, %d tags, %d labels; want 3914, 94084, 45, 26", set.Train.Len(),
			datasettest.TokensOf(set.Train),
			len(tags), len(phrases))
	}
	if tags["-LRB-"] != 120 || tags["-NONE-"] != 0 {
		t.Errorf("%d tags -LRB-, %d -NONE-; want 120, 0", tags["-LRB-"], tags["-NONE-"])
	}
	for words, want := range map[int]int{10: 393, 15: 922, 40: 3629} {
		if got := loadReal(t, "ptb-sample", PTBSample{MaxWords: words}).Train.Len(); got != want {
			t.Errorf("there are %d trees of at most %d words, want %d", got, words, want)
		}
	}
	short := loadReal(t, "ptb-sample", PTBSample{MaxWords: 15})
	rules, lexicon := map[string]int{}, map[string]int{}
	for _, tree := range short.Train.(*datasets.Treebank).Trees {
		countRules(tree, rules, lexicon)
	}
	if len(rules) != 868 || len(lexicon) != 3366 {
		t.Errorf("%d rules of phrases, %d of words; want 868, 3366", len(rules), len(lexicon))
	}
	split := loadReal(t, "ptb-sample", PTBSample{MaxWords: 15, Train: 800, Validation: 122})
	every := short.Train.(*datasets.Treebank).Trees
	for _, c := range []struct{ got, want []*datasets.Tree }{{split.Train.(*datasets.Treebank).Trees, every[:800]},
		{split.Validation.(*datasets.Treebank).Trees, every[800:]}} {
		if len(c.got) != len(c.want) || datasettest.Bracketed(c.got[0]) != datasettest.Bracketed(c.want[0]) {
			t.Errorf("%d trees, the first is %s; want %d, %s", len(c.got), datasettest.Bracketed(c.got[0]), len(c.want),
				datasettest.Bracketed(c.want[0]))
		}
	}
	if want := "(S (NP (NNP Mr.) (NNP Vinken)) (VP (VBZ is) (NP (NP (NN chairman)) (PP (IN of) (NP (NP (NNP Elsevier) " +
		"(NNP N.V.)) (, ,) (NP (DT the) (NNP Dutch) (VBG publishing) (NN group)))))) (. .))"; datasettest.Bracketed(
		every[0]) != want {
		t.Errorf("first tree of at most 15 words = %s, want that in the test", datasettest.Bracketed(every[0]))
	}
	var setting *datasets.SettingError
	if _, err := (PTBSample{MaxWords: 15, Validation: 922}).Load(context.Background(),
		realSource(t, "ptb-sample")); !errors.As(err, &setting) {
		t.Errorf("error if no training trees are left = %v, want a SettingError", err)
	}
}

func countLabels(tree *datasets.Tree, tags, phrases map[string]int) {
	if tree.Children == nil {
		tags[tree.Label]++
		return
	}
	phrases[tree.Label]++
	for _, c := range tree.Children {
		countLabels(c, tags, phrases)
	}
}

func countRules(tree *datasets.Tree, rules, lexicon map[string]int) {
	if tree.Children == nil {
		lexicon[tree.Label+" "+tree.Word]++
		return
	}
	rule := tree.Label
	for _, c := range tree.Children {
		rule += " " + c.Label
		countRules(c, rules, lexicon)
	}
	rules[rule]++
}
