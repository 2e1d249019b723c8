package datasettest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// listener is a testing.TB that records failures. The test that uses it does not fail.
type listener struct {
	testing.TB
	failures []string
}

func (l *listener) Helper() {}
func (l *listener) Errorf(format string, args ...any) {
	l.failures = append(l.failures, fmt.Sprintf(format, args...))
}
func (l *listener) Error(args ...any)                 { l.failures = append(l.failures, fmt.Sprint(args...)) }
func (l *listener) Fatalf(format string, args ...any) { l.Errorf(format, args...); runtime.Goexit() }
func (l *listener) Fatal(args ...any)                 { l.Error(args...); runtime.Goexit() }
func (l *listener) Skip(...any)                       { runtime.Goexit() }

// listen runs the conformance suite on an entry and returns the failures that the suite reports.
func listen(t *testing.T, e datasets.Entry, samples ...datasettest.Sample) string {
	l := &listener{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		datasettest.Check(l, e, samples...)
	}()
	<-done
	return strings.Join(l.failures, "\n")
}

// toy is a loader of a generated set whose Validate and Load can be replaced.
type toy struct {
	Train int     `yaml:"train" jsonschema:"minimum=2,maximum=1000"`
	Scale string  `yaml:"scale" jsonschema:"enum=raw,enum=unit"`
	Share float64 `yaml:"share" jsonschema:"exclusiveMinimum=0,maximum=1"`
	Seed  uint64  `yaml:"seed"`

	validate func(*toy) error
	load     func(*toy, context.Context) (*datasets.Set, error)
}

// Validate implements datasets.Validator.
func (l *toy) Validate() error {
	if l.validate != nil {
		return l.validate(l)
	}
	return l.sound()
}

func (l *toy) sound() error {
	switch {
	case l.Train < 2 || l.Train > 1000:
		return &datasets.SettingError{Key: "train", Value: l.Train, Want: "2 to 1000"}
	case l.Scale != "raw" && l.Scale != "unit":
		return &datasets.SettingError{Key: "scale", Value: l.Scale, Want: "raw or unit"}
	case !(l.Share > 0 && l.Share <= 1):
		return &datasets.SettingError{Key: "share", Value: l.Share, Want: "above 0, at most 1"}
	}
	return nil
}

// Load implements datasets.Loader.
func (l *toy) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	if l.load != nil {
		return l.load(l, ctx)
	}
	return l.draw(ctx)
}

func (l *toy) draw(ctx context.Context) (*datasets.Set, error) {
	rng := rand.New(rand.NewPCG(l.Seed, 1))
	d := &datasets.Labelled{X: datasets.Rows{Dim: 2, Start: []int{0}, Index: []int32{}}, Classes: []string{"a", "b"}}
	for i := range l.Train {
		d.X.Index, d.X.Value = append(d.X.Index, int32(i%2)), append(d.X.Value, 1+rng.Float64()*l.Share)
		d.X.Start, d.Y = append(d.X.Start, i+1), append(d.Y, i%2)
	}
	d.X.N = l.Train
	return &datasets.Set{Name: "toy", Train: d, Synthetic: true, Checksum: datasets.Checksum(l.settings()...)}, ctx.Err()
}

func (l *toy) settings() []string {
	return []string{strconv.Itoa(l.Train), l.Scale, fmt.Sprint(l.Share), strconv.FormatUint(l.Seed, 10)}
}

// entryOf returns an entry of a generated set. Each loader of the entry is a new toy, which the function change has
// changed.
func entryOf(change func(*toy)) datasets.Entry {
	return datasets.Entry{
		Revision: 1, Name: "toy", Title: "A toy", About: "two classes", Licence: "none needed", Synthetic: true,
		Expect: datasets.Counts{Train: 10, Features: 2, Classes: 2},
		New: func() datasets.Loader {
			l := &toy{Train: 10, Scale: "raw", Share: .5, Seed: 1}
			if change != nil {
				change(l)
			}
			return l
		},
	}
}

// changed returns a function that changes a toy. The Load of the changed toy draws a set and then calls fault, which
// damages the set.
func changed(fault func(*toy, *datasets.Set)) func(*toy) {
	return func(l *toy) {
		l.load = func(l *toy, ctx context.Context) (*datasets.Set, error) {
			set, err := l.draw(ctx)
			fault(l, set)
			return set, err
		}
	}
}

// unsound returns a function that changes a toy. The Load of the changed toy draws a set and then calls fault, which
// damages the training data.
func unsound(fault func(*datasets.Labelled)) func(*toy) {
	return changed(func(_ *toy, set *datasets.Set) { fault(set.Train.(*datasets.Labelled)) })
}

func TestSoundSetPasses(t *testing.T) {
	datasettest.Check(t, entryOf(nil))
}

// dense returns a function that changes a toy. The Load of the changed toy draws a set with dense rows and then calls
// fault, which damages the training data.
func dense(fault func(*datasets.Labelled)) func(*toy) {
	return unsound(func(d *datasets.Labelled) {
		value := make([]float64, d.X.N*d.X.Dim)
		for i := range d.X.N {
			index, v := d.X.Row(i)
			for k, j := range index {
				value[i*d.X.Dim+int(j)] = v[k]
			}
		}
		d.X.Start, d.X.Index, d.X.Value = nil, nil, value
		fault(d)
	})
}

func TestDenseRowsPass(t *testing.T) {
	datasettest.Check(t, entryOf(dense(func(*datasets.Labelled) {})))
}

func TestFaultsOfEntries(t *testing.T) {
	shared := &toy{Train: 10, Scale: "raw", Share: .5, Seed: 1}
	for _, c := range []struct {
		name, says string
		plant      func(*datasets.Entry)
	}{
		{"name", "the name is", func(e *datasets.Entry) { e.Name = "Toy set" }},
		{"title", "Title is empty", func(e *datasets.Entry) { e.Title = "" }},
		{"licence", "Licence is empty", func(e *datasets.Entry) { e.Licence = "" }},
		{"about", "About is empty", func(e *datasets.Entry) { e.About = "" }},
		{"revision", "Revision is 0", func(e *datasets.Entry) { e.Revision = 0 }},
		{"no kind", "of 0 kinds", func(e *datasets.Entry) { e.Synthetic = false }},
		{"two kinds", "of 2 kinds", func(e *datasets.Entry) { e.Files = []datasets.File{{Name: "toy/a"}} }},
		{"no New", "New is nil", func(e *datasets.Entry) { e.New = nil }},
		{"shared loader", "the same loader twice", func(e *datasets.Entry) {
			e.New = func() datasets.Loader { return shared }
		}},
		{"refused defaults", "the default settings are refused", func(e *datasets.Entry) {
			e.New = func() datasets.Loader { return &toy{} }
		}},
		{"counts", "counts = ", func(e *datasets.Entry) { e.Expect.Classes = 3 }},
		{"set with another name", "the set is called", func(e *datasets.Entry) { e.Name = "other" }},
	} {
		e := entryOf(nil)
		c.plant(&e)
		if got := listen(t, e); !strings.Contains(got, c.says) {
			t.Errorf("%s: the suite reports %q, want %q", c.name, got, c.says)
		}
	}
}

func TestFaultsOfGenerators(t *testing.T) {
	calls := uint64(0)
	for _, c := range []struct {
		name, says string
		plant      func(*toy)
	}{
		{"range not checked", "train 1001 is outside", func(l *toy) {
			l.validate = func(l *toy) error { l.Train = min(l.Train, 1000); return l.sound() }
		}},
		{"text not checked", "scale no-such-value is outside", func(l *toy) {
			l.validate = func(l *toy) error { s := *l; s.Scale = "raw"; return s.sound() }
		}},
		{"NaN", "share NaN is outside", func(l *toy) {
			l.validate = func(l *toy) error {
				s := *l
				if l.Share != l.Share {
					s.Share = 1
				}
				return s.sound()
			}
		}},
		{"bound excluded", "share 0 is outside", func(l *toy) {
			l.validate = func(l *toy) error {
				s := *l
				if l.Share == 0 {
					s.Share = 1
				}
				return s.sound()
			}
		}},
		{"error without a key", "want a SettingError of train", func(l *toy) {
			l.validate = func(l *toy) error {
				if l.sound() != nil {
					return errors.New("wrong settings")
				}
				return nil
			}
		}},
		{"panic", "panic: ", func(l *toy) {
			l.load = func(l *toy, ctx context.Context) (*datasets.Set, error) {
				_ = make([]int, 500-l.Train)
				return l.draw(ctx)
			}
		}},
		{"other bits", "different data, or a different checksum", changed(func(_ *toy, set *datasets.Set) {
			calls++
			set.Train.(*datasets.Labelled).X.Value[0] += float64(calls) * 1e-15
		})},
		{"seed ignored", "another seed gave the same data", changed(func(l *toy, set *datasets.Set) {
			s := *l
			s.Seed, s.load = 1, nil
			other, _ := s.draw(context.Background())
			set.Train = other.Train
		})},
		{"checksum without a setting", "the checksum does not change with scale", changed(
			func(l *toy, set *datasets.Set) {
				s := *l
				s.Scale = "raw"
				set.Checksum = datasets.Checksum(s.settings()...)
			})},
		{"checksum of nothing", "want 64 hexadecimal digits", changed(func(_ *toy, set *datasets.Set) {
			set.Checksum = ""
		})},
		{"not synthetic", "synthetic: false", changed(func(_ *toy, set *datasets.Set) { set.Synthetic = false })},
		{"never cancelled", "error of Load with a cancelled context", func(l *toy) {
			l.load = func(l *toy, _ context.Context) (*datasets.Set, error) { return l.draw(context.Background()) }
		}},
		{"no stream", "the first 10 of 60 training examples differ", changed(func(l *toy, set *datasets.Set) {
			set.Train.(*datasets.Labelled).X.Value[0] += float64(l.Train) * 1e-9
		})},
		{"validation of the same stream", "training and validation examples are the same",
			changed(func(_ *toy, set *datasets.Set) { set.Validation = set.Train })},
		{"validation after the training", "the validation examples depend on", changed(
			func(l *toy, set *datasets.Set) {
				s := *l
				s.Train, s.Seed, s.load = 10, uint64(l.Train), nil
				other, _ := s.draw(context.Background())
				set.Validation = other.Train
			})},
		{"no data", "Load returns", changed(func(_ *toy, set *datasets.Set) { set.Train = nil })},
		{"class", "the class is 2, want 0 to 1", unsound(func(d *datasets.Labelled) { d.Y[3] = 2 })},
		{"feature", "feature 7 after feature -1 (-1: none): want increasing numbers below 2",
			unsound(func(d *datasets.Labelled) { d.X.Index[0] = 7 })},
		{"value", "stored value 0", unsound(func(d *datasets.Labelled) { d.X.Value[0] = 0 })},
		{"dense value", "stored value NaN", dense(func(d *datasets.Labelled) { d.X.Value[1] = math.NaN() })},
		{"dense lengths", "lengths do not agree", dense(func(d *datasets.Labelled) { d.X.Value = d.X.Value[1:] })},
		{"lengths", "lengths do not agree", unsound(func(d *datasets.Labelled) { d.Y = d.Y[1:] })},
	} {
		if got := listen(t, entryOf(c.plant)); !strings.Contains(got, c.says) {
			t.Errorf("%s: the suite reports %q, want %q", c.name, got, c.says)
		}
	}
}

// published is a loader of a published set with one file.
type published struct {
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=5"`

	missing error // if not nil, Load returns this error in place of the error of the source
}

func (l *published) Validate() error {
	if l.Train < 1 || l.Train > 5 {
		return &datasets.SettingError{Key: "train", Value: l.Train, Want: "1 to 5"}
	}
	return nil
}

func (l *published) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	set := &datasets.Set{Name: "posted", Files: map[string]string{}}
	err := set.ReadFiles(ctx, src, publishedEntry(nil).Files, nil, func(string, io.Reader) error { return nil })
	if l.missing != nil {
		err = l.missing
	}
	return nil, err
}

func publishedEntry(missing error) datasets.Entry {
	return datasets.Entry{
		Revision: 1, Name: "posted", Title: "Posted", About: "a file", Licence: "none stated",
		Files: []datasets.File{{Name: "posted/rows.gz", URLs: []string{"https://example.org/rows.gz"}, Bytes: 9,
			SHA256: strings.Repeat("ab", 32)}},
		New: func() datasets.Loader { return &published{Train: 3, missing: missing} },
	}
}

func TestFaultsOfPublishedSets(t *testing.T) {
	t.Setenv("GAPLAB_DATA", "")
	if got := listen(t, publishedEntry(nil)); got != "" {
		t.Errorf("a sound set: %s", got)
	}
	if got := listen(t, publishedEntry(errors.New("no file"))); !strings.Contains(got, "wraps ErrMissing") {
		t.Errorf("an error that does not wrap ErrMissing: the suite reports %q", got)
	}
	if got := listen(t, publishedEntry(datasets.ErrMissing)); !strings.Contains(got, "gaplab data fetch posted") {
		t.Errorf("an error without the command: the suite reports %q", got)
	}
	for says, plant := range map[string]func(*datasets.File){
		"is not a slash-separated path": func(f *datasets.File) { f.Name = "../rows.gz" },
		"is no SHA-256":                 func(f *datasets.File) { f.SHA256 = "12" },
		"its size is 0":                 func(f *datasets.File) { f.Bytes = 0 },
		"there is no URL":               func(f *datasets.File) { f.URLs = nil },
		"is not an http or https URL":   func(f *datasets.File) { f.URLs = []string{"example.org/rows"} },
		"set Member exactly if":         func(f *datasets.File) { f.URLs = []string{"https://example.org/rows.zip"} },
	} {
		e := publishedEntry(nil)
		plant(&e.Files[0])
		if got := listen(t, e); !strings.Contains(got, says) {
			t.Errorf("the suite reports %q, want %q", got, says)
		}
	}
}
