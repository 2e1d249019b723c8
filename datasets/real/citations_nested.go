package real

import (
	"context"

	"github.com/gaplab/gaplab/datasets"
)

// UMassNested is the UMass citation field extraction data set (Anzaroot and McCallum 2013) with its original tags,
// which are nested: a reference has authors, a title and a venue, authors have persons, a person has a first and a last
// name. The data are tokens with the columns word and label. The setting Segments determines which tags become labels:
//
//	innermost  the innermost tag around a token: person-first, person-last, journal, year ...; inside editor:
//	           editor-first ...
//	fields     the corresponding field of UMassCitations, if there is one: author for a person, school for
//	           department ...
//	outermost  the outermost tag around a token: authors, title, venue, ref-marker ...
//
// A label is this name with B- for the first token of a segment and with I- for its other tokens. A token has the label
// O if it is in no tag, or only in tags that contain other tags. An example is the "and" between persons. Unlike in
// UMassCitations, punctuation belongs to the field before it, and a token such as (1991) is not split.
type UMassNested struct {
	// innermost: labels are innermost tags, such as person-first, journal, year; fields: the fields of umass-citations;
	// outermost: outermost tags, such as authors, title, venue
	Segments string `yaml:"segments" jsonschema:"enum=innermost,enum=fields,enum=outermost"`
	// subset to train on; dev-1 and dev-2 are the halves of dev
	TrainOn string `yaml:"train_on" jsonschema:"enum=train,enum=dev,enum=train+dev,enum=dev-1,enum=dev-2"`
	// subset to validate on
	Validation string `yaml:"validation" jsonschema:"enum=dev,enum=test,enum=dev-1,enum=dev-2"`
	// number of training references to use, from the start of the subset; 0: all
	TrainSentences int `yaml:"train_sentences" jsonschema:"minimum=0,maximum=2117"`
	// number of validation references to use, from the start of the subset; 0: all
	ValidationSentences int `yaml:"validation_sentences" jsonschema:"minimum=0,maximum=660"`
}

// umassNestedSizes returns the numbers of references of train, dev and test.
func umassNestedSizes() [3]int { return [3]int{1457, 660, 367} }

// UMassNestedEntry returns the catalogue entry of UMassNested.
func UMassNestedEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "umass-nested",
		Title:    "UMass citation field extraction, nested tags",
		About: "the references of umass-citations with their nested tags, flattened to innermost or outermost segments " +
			"or to fields: columns word and label",
		Licence: umassLicence,
		Files:   umassNestedFiles(),
		Expect:  datasets.Counts{Train: 1457, Validation: 367, Tokens: 37280, ValidationTokens: 9237},
		New: func() datasets.Loader {
			return &UMassNested{Segments: segmentsInnermost, TrainOn: "train", Validation: "test"}
		},
	}
}

func umassNestedFiles() []datasets.File {
	file := func(name string, bytes int64, sum string) datasets.File {
		return datasets.File{
			Name:   "citations/umass/" + name + ".gz",
			URLs:   []string{"https://raw.githubusercontent.com/chowyiwai/ReferenceStringParser/23393a5/dataset/umass-citation/" + name},
			Bytes:  bytes,
			SHA256: sum,
		}
	}
	return []datasets.File{
		file("training.txt", 712622, "6b90765624fbc8d68d0b21a4d8a51508be71baafd8f621fb5c1a6a7d0cbef8d7"),
		file("dev.txt", 310926, "5431462b8f73d4e8f60cb83da2223eb939fc3c31ae15f23204546121a46c870b"),
		file("testing.txt", 175889, "c1a19f5a9fd95c79ec5bcf7db9d408c057336f72c8b8552c1ff767167c509ff9"),
	}
}

func (u UMassNested) parts() citationParts {
	return citationParts{u.TrainOn, u.Validation, u.TrainSentences, u.ValidationSentences, umassNestedSizes()}
}

// Validate implements Validator.
func (u UMassNested) Validate() error { return u.parts().check(u) }

// Load implements Loader.
func (u UMassNested) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := u.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: "umass-nested", Files: map[string]string{}}
	reader := newTagReader(u.Segments)
	if err := u.parts().load(ctx, src, set, umassNestedFiles(), []string{u.Segments}, reader.read,
		&reader.all); err != nil {
		return nil, err
	}
	return set, nil
}
