package examples

import (
	"context"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
)

// Data is a small data set for the conformance suite, with the structures that labellings of its examples may have.
type Data struct {
	Name              string
	Train, Validation datasets.Data // Validation may be nil
	Structures        []Structure
}

// All lists at least one data set for each kind of data. The conformance suite tries every model of package catalogue
// on each of them, so a model for a new kind of data needs a data set here. The suite enumerates the labellings of the
// first three training examples and the first three validation examples. These should differ, and have at most a few
// thousand labellings each.
func All(t testing.TB) []Data {
	fields := Sentences([]string{"word", "pos"},
		"Ann/B-author wrote/O Trees/B-title", "Cy/B-author Graphs/B-title 2001/B-year", "Rome/B-title",
		"Bee/B-author Trees/B-title in/I-title Rome/I-title", "Dee/B-author Graphs/B-title", "Ann/B-author Rome/B-title",
		"Cy/B-author Trees/B-title 1999/B-year", "Bee/B-author Graphs/B-title", "Dee/B-author Trees/B-title 2001/B-year",
		"Ann/B-author Trees/B-title", "Cy/B-author Rome/B-title", "Bee/B-author Trees/B-title", "Dee/B-author Rome/B-title",
		"Ann/B-author wrote/O Graphs/B-title 1999/B-year", "Bee/B-author Rome/B-title 2001/B-year")
	fieldsTrain, fieldsHeld := Split(fields, 13)
	rows := Sequences(1, "dense", 3, 2, 1, 4, 3, 2, 2, 1, 4, 3, 2, 1, 1, 3)
	rows.Labels = []string{"B-x", "I-x", "O"}
	symbols := Symbols(1, 3, 4, true, 3, 1, 4, 2, 2, 3, 1, 4, 2, 3, 1, 2)
	words := Dependencies("the/D/2 dog/N/3 barks/V/0", "go/V/0", "a/D/2 cat/N/3 sees/V/0 dogs/N/3",
		"dogs/N/2 bark/V/0 at/P/2 the/D/5 cat/N/3")
	bank := Ambiguous()
	return []Data{
		{"rows of two classes", Signed(6, 4, true), Signed(4, 4, false), []Structure{OneOf()}},
		{"rows of three classes", Rows(6, 4, 3, false), Rows(4, 4, 3, true), []Structure{OneOf()}},
		{"rows of discrete variables", network(t, 40), network(t, 5), []Structure{OneOf()}},
		{"sequences of rows", rows, rows, []Structure{OneOf(), Chain()}},
		{"sequences of symbols", symbols, symbols, []Structure{OneOf(), Chain()}},
		{"sentences", fieldsTrain, fieldsHeld, []Structure{Chain()}},
		{"sentences with heads", words, words, []Structure{Projective(), Chain()}},
		{"bracketed trees", bank, Trees("(S (NP (NP (N I)) (PP (P with) (NP (N dogs)))) (VP (V saw)))"),
			[]Structure{Derivations(bank, 1)}},
		{"counts of a population", load(t, generated.Migration{Side: 2, Steps: 3, Walkers: 50, Distance: 1, Drift: 0.5,
			Noise: 0.3, Rate: 0.5, Seed: 1}), nil, []Structure{Moves(3, 4)}},
	}
}

// network returns n rows with twelve variables and a class. The networks of the model bayes-net have the same number of
// variables by default.
func network(t testing.TB, n int) datasets.Data {
	return load(t, generated.RandomNetwork{Train: n, Variables: 12, Values: 2, Classes: 3, Contrast: 1, Seed: 2})
}

// load returns the training data of a generator.
func load(t testing.TB, l datasets.Loader) datasets.Data {
	t.Helper()
	set, err := l.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return set.Train
}
