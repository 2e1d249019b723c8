package real

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// LIBSVMSet loads a data set of the catalogue that is published in LIBSVM format or in a similar format. It uses the
// published split into training and test rows. The zero value describes no data set; to get a LIBSVMSet, call New of an
// entry that LIBSVMSets returns.
type LIBSVMSet struct {
	// number of training rows to use, from the start of the training files
	Train int `yaml:"train" jsonschema:"minimum=1"`
	// number of test rows to use as validation data, from the start of the test file; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0"`
	// scaling of the labelled rows; unit: each row is divided by its Euclidean norm; max: each column is divided by its
	// largest absolute value in the training rows
	Scale string `yaml:"scale" jsonschema:"enum=none,enum=unit,enum=max" settings:"optional"`

	name  string
	train []datasets.File // training files, in the order in which they are read
	test  datasets.File
	size  datasets.Counts           // sizes of the whole files
	rows  func(io.Reader) io.Reader // converts the content of the files to LIBSVM format; nil: it is in this format
}

// LIBSVMSets returns the entries of data sets of the LIBSVM collection, and of other data sets that are published in
// the same format or in a similar format.
func LIBSVMSets() []datasets.Entry {
	const (
		binary     = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
		multiclass = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass/"
		tick       = "https://raw.githubusercontent.com/X-DataInitiative/tick-datasets/"
		cocoa      = "https://raw.githubusercontent.com/gingsmith/cocoa/ce2108f40b0ed1962c9f3b241586eff88bde49f7/data/"
		uci        = "CC BY 4.0 (UCI)"
	)
	file := func(name, url string, bytes int64, sum string) datasets.File {
		return datasets.File{Name: name, URLs: []string{url}, Bytes: bytes, SHA256: sum}
	}
	return []datasets.Entry{
		libsvmSetEntry("a9a", "Adult (a9a)", "census income above 50,000 dollars; 123 binary features", uci,
			datasets.Counts{Train: 32561, Validation: 16281, Features: 123, Classes: 2, NonZeros: 451592},
			file("binary/a9a/a9a.t.gz", binary+"a9a.t", 1164628,
				"1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9"),
			file("binary/a9a/a9a.gz", binary+"a9a", 2327314, "7ba53cccb27e2e525f0fb173e1f446d49856e3fb007eb43be4ec6d0f5b3335ca"),
		),
		libsvmSetEntry("ijcnn1", "IJCNN 2001 challenge (ijcnn1)",
			"engine misfires; the training rows are those of ijcnn1.tr, then those of ijcnn1.val", "none stated",
			datasets.Counts{Train: 49990, Validation: 91701, Features: 22, Classes: 2, NonZeros: 649869},
			file("binary/ijcnn1/ijcnn1.t.gz", binary+"ijcnn1.t.bz2", 14213968,
				"e7b0bbd518641980dc322746c6bc59d019d3153934e6258e48f9d8cfae2c4bb8"),
			file("binary/ijcnn1/ijcnn1.tr.gz", binary+"ijcnn1.tr.bz2", 5489789,
				"9454b7a9d98fcb83e4b79f1094b996aec75909677a77eede6094a9bb4f71c461"),
			file("binary/ijcnn1/ijcnn1.val.gz", binary+"ijcnn1.val.bz2", 2355088,
				"87b64ee77f4e0cb0d04e93ec7c292a669a8ad9f4ccfd85034bfef4810526b34a"),
		),
		libsvmSetEntry("letter", "Letter recognition, scaled",
			"16 statistics of letters in 20 fonts, scaled to [-1, 1]; 26 classes", uci,
			datasets.Counts{Train: 15000, Validation: 5000, Features: 16, Classes: 26, NonZeros: 240000},
			file("multiclass/letter/letter.scale.t.gz", multiclass+"letter.scale.t", 877223,
				"07522ccbf54187fae6d560d1712b88c41ea1f7e8d19491c5adcc22ee37a075da"),
			file("multiclass/letter/letter.scale.gz", multiclass+"letter.scale", 2630396,
				"ce2c7df15cc5742dc4382d59079181c97c21e0beaa0af53c84cc5745c69f1020"),
		),
		libsvmSetEntry("pendigits", "Pen-based digits",
			"8 points of each pen stroke, coordinates 0 to 100, not scaled; 10 classes", uci,
			datasets.Counts{Train: 7494, Validation: 3498, Features: 16, Classes: 10, NonZeros: 104535},
			file("multiclass/pendigits/pendigits.t.gz", multiclass+"pendigits.t", 274929,
				"5ddb2f034e1c5ca8a47b8a7e78510f8a9d68015cf40a5031534c693fba9773d3"),
			file("multiclass/pendigits/pendigits.gz", multiclass+"pendigits", 589457,
				"6e8a2f318a24d97d26a9c381642621dc955fed73ec44c4d417bd7afbb47ed67c"),
		),
		libsvmSetEntry("sector", "Industry sectors, scaled",
			"web pages of companies in 105 industry sectors; large and sparse", "none stated (McCallum and Nigam)",
			datasets.Counts{Train: 6412, Validation: 3207, Features: 55197, Classes: 105, NonZeros: 1045412},
			file("multiclass/sector/sector.t.scale.bz2", multiclass+"sector/sector.t.scale.bz2", 6524206,
				"be2e76ff48816c832823ab593e70970c599acb16ae311578b7308c6a8496db1b"),
			file("multiclass/sector/sector.scale.bz2", multiclass+"sector/sector.scale.bz2", 12995283,
				"92d5752b798bb88466b7142b07fc370eea99b19366b84e82e430fb74ada4293f"),
		),
		libsvmSetEntry("reuters-money-fx", "Reuters-21578, topic money-fx",
			"news stories in topic money-fx (7 % of them) or not; rows of unit norm", "none stated",
			datasets.Counts{Train: 7770, Validation: 3299, Features: 8315, Classes: 2, NonZeros: 339837},
			file("binary/reuters-money-fx/reuters.tst.bz2",
				tick+"82c320e4fa41d4ea53f2028ae165eebd64aa3b89/binary/reuters/reuters.tst.bz2", 2241732,
				"6e267dcb1f83c68bcb1c3f30d7a70dd9fe059e1da39b9c191456ff827507539f"),
			file("binary/reuters-money-fx/reuters.trn.bz2",
				tick+"05d934beb18c60386c0050a14d3ffb9517cac8ab/binary/reuters/reuters.trn.bz2", 8274096,
				"caacd2baf041b15b51ab65c0ec2ac834a439a561fb6708427c1c002c10ac7215"),
		),
		libsvmSetEntry("svmlight-example1", "SVM-light's first example",
			"news stories about corporate acquisitions or not, half of each", "free for scientific use (SVM-light)",
			datasets.Counts{Train: 2000, Validation: 600, Features: 9947, Classes: 2, NonZeros: 94790},
			file("binary/svmlight-example1/test.dat.gz", cocoa+"small_test.dat", 536387,
				"ff8f671dfe951635aefdcc6c709a44345dd5a8634b0fdff036246a836c3a0730"),
			file("binary/svmlight-example1/train.dat.gz", cocoa+"small_train.dat", 2154250,
				"e49c95459a812ad6f76bfe1abc8ef274b050911420c78cb96010e4c783e54af1"),
		),
		rcv1SampleEntry(),
	}
}

// libsvmSetEntry returns the entry of one data set. The last arguments are the test file and the training files, in the
// order in which they are read.
func libsvmSetEntry(name, title, about, licence string, size datasets.Counts, test datasets.File,
	train ...datasets.File) datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     name, Title: title, About: about, Licence: licence, Expect: size,
		Files: append(train[:len(train):len(train)], test),
		New: func() datasets.Loader {
			return &LIBSVMSet{Train: size.Train, Validation: size.Validation, Scale: datasets.ScaleNone, name: name,
				train: train, test: test, size: size}
		},
	}
}

// Validate implements Validator.
func (l LIBSVMSet) Validate() error {
	return errors.Join(check.Settings(l), check.Limit("train", l.Train, l.size.Train, "training rows"),
		check.Limit("validation", l.Validation, l.size.Validation, "test rows"))
}

// Load implements Loader. Classes and features are those of the whole training files, even if Train is smaller.
func (l LIBSVMSet) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: l.name, Files: map[string]string{}}
	identity := []string{l.name, strconv.Itoa(l.Train), strconv.Itoa(l.Validation)}
	part := func(files ...datasets.File) parse.RowFiles {
		return func(parse func(string, io.Reader) error) error {
			parse = l.converted(parse)
			for _, f := range files {
				if err := src.Read(ctx, l.name, f, parse); err != nil {
					return err
				}
				set.Files[f.Name] = f.SHA256
				identity = append(identity, f.SHA256)
			}
			return nil
		}
	}
	train, total, err := parse.ReadTraining(part(l.train...), l.Train, false)
	if err != nil {
		return nil, err
	}
	if total != l.size.Train {
		return nil, fmt.Errorf("%s: %d training rows: want %d", l.name, total, l.size.Train)
	}
	set.Train = train
	set.Warnings = parse.Doubts(train)
	if l.Validation > 0 {
		validation, doubts, err := parse.ReadValidation(part(l.test), train, l.Validation, false)
		if err != nil {
			return nil, err
		}
		set.Validation = validation
		set.Warnings = append(set.Warnings, doubts...)
	}
	set.Checksum = datasets.Checksum(identity...)
	return set, set.Scale(l.Scale)
}

// converted returns a function that calls parse with the content of a file. Before that, it converts the content to
// LIBSVM format if necessary.
func (l LIBSVMSet) converted(parse func(string, io.Reader) error) func(string, io.Reader) error {
	if l.rows == nil {
		return parse
	}
	return func(path string, r io.Reader) error { return parse(path, l.rows(r)) }
}
