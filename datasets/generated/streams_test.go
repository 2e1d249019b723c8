package generated

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// TestStreamsReadTheirOwnData writes generated sentences in columns, with a head as the last column if they have heads,
// and generated trees in brackets. The stream of the loader must read the same data, whatever will be predicted.
func TestStreamsReadTheirOwnData(t *testing.T) {
	read := func(l datasets.Streamer, text, target string, want datasets.Data, heads bool) {
		t.Helper()
		s, err := l.Stream("a.txt", strings.NewReader(text), target)
		if err != nil {
			t.Fatalf("%T, %s: %v", l, target, err)
		}
		for i := range want.Len() {
			got, err := s.Next()
			if err != nil {
				t.Fatalf("%T, %s: example %d: %v", l, target, i, err)
			}
			if w, ok := want.(*datasets.Sentences); ok && !heads {
				w = w.Pick([]int{i})
				w.Heads = nil
				if a, b := datasettest.Written(got.(*datasets.Sentences)), datasettest.Written(w); a != b {
					t.Errorf("%T, %s: sentence %d is %s, want %s", l, target, i, a, b)
				}
				for k, c := range w.Columns {
					if name := got.(*datasets.Sentences).Columns[k].Name; name != c.Name {
						t.Errorf("%T, %s: column %d is called %s, want %s", l, target, k, name, c.Name)
					}
				}
				continue
			}
			alone := want
			switch w := want.(type) {
			case *datasets.Sentences:
				alone = w.Pick([]int{i})
			case *datasets.Treebank:
				alone = &datasets.Treebank{Trees: w.Trees[i : i+1]}
			}
			if datasettest.Fingerprint(got, 1) != datasettest.Fingerprint(alone, 1) {
				t.Errorf("%T, %s: example %d differs from that of the set", l, target, i)
			}
		}
		if _, err := s.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%T, %s: error after the last example = %v, want EOF", l, target, err)
		}
	}
	columns := func(s *datasets.Sentences) string {
		var b strings.Builder
		for i := range s.Len() {
			for k := s.Start[i]; k < s.Start[i+1]; k++ {
				for j, c := range s.Columns {
					if j > 0 {
						b.WriteByte(' ')
					}
					b.WriteString(c.Text[c.ID[k]])
				}
				if s.Heads != nil {
					fmt.Fprintf(&b, " %d", s.Heads[k])
				}
				b.WriteByte('\n')
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	sentences := GrammarSentences{Train: 10, MaxWords: 25, Seed: 2}
	s, _ := sample[*datasets.Sentences](t, sentences)
	for _, target := range []string{"cpos", "pos", "chunk", datasets.Heads} {
		read(sentences, columns(s), target, s, target == datasets.Heads)
	}
	references := References{Names: namesWhole, Train: 10, Seed: 2}
	r, _ := sample[*datasets.Sentences](t, references)
	read(references, columns(r), "label", r, false)
	trees := GrammarTrees{Train: 10, MaxWords: 15, Seed: 2}
	bank, _ := sample[*datasets.Treebank](t, trees)
	var b strings.Builder
	for _, tree := range bank.Trees {
		b.WriteString(datasettest.Bracketed(tree) + "\n")
	}
	read(trees, b.String(), "", bank, false)
	for l, want := range map[datasets.Streamer]string{
		sentences:  `a.txt: the column to predict, "label", is not among word cpos pos chunk head`,
		references: `a.txt: the column to predict, "pos", is not among word label`,
	} {
		target := map[bool]string{true: "pos", false: "label"}[l == datasets.Streamer(references)]
		if _, err := l.Stream("a.txt", strings.NewReader(""), target); err == nil || err.Error() != want {
			t.Errorf("%T: error of the target %s: %v, want %s", l, target, err, want)
		}
	}
}

// cancelled is a context that is cancelled when its error is asked for the nth time, from 1; 0: never.
type cancelled struct {
	context.Context
	n, asked int
}

// Err implements context.Context.
func (c *cancelled) Err() error {
	if c.asked++; c.n > 0 && c.asked >= c.n {
		return context.Canceled
	}
	return nil
}

// TestDrawingEndsAtOnce checks that every generator asks its context at least once for each 1024 examples, training and
// validation, and that whenever the context is cancelled, Load ends with an error that names the set.
func TestDrawingEndsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test draws thousands of examples")
	}
	const train, validation = 1025, 1
	for _, l := range []datasets.Loader{
		Digits{Train: train, Validation: validation},
		Words{Train: train, Validation: validation, MaxLetters: 3},
		GrammarSentences{Train: train, Validation: validation, MaxWords: 15},
		GrammarTrees{Train: train, Validation: validation, MaxWords: 15},
		References{Names: namesWhole, Train: train, Validation: validation},
		SparseText{Train: train, Validation: validation, Features: 10, Density: .5},
		Terrain{Train: train, Validation: validation, Scale: "raw"},
		RandomNetwork{Train: train, Validation: validation, Variables: 1, Values: 2, Classes: 2},
		Tracking{Train: train, Validation: validation, Length: 1, States: 2, Observations: 2},
		Markov{Train: train, Validation: validation, Length: 1, Labels: 2},
		Migration{Side: 2, Steps: 4, Walkers: 1, Rate: 1},
	} {
		all := &cancelled{Context: context.Background()}
		whole, err := l.Load(all, datasets.Source{})
		if err != nil {
			t.Fatal(err)
		}
		if _, one := l.(Migration); !one {
			few := &cancelled{Context: context.Background()}
			v := reflect.New(reflect.TypeOf(l)).Elem()
			v.Set(reflect.ValueOf(l))
			v.FieldByName("Train").SetInt(1)
			if _, err := v.Interface().(datasets.Loader).Load(few, datasets.Source{}); err != nil {
				t.Fatal(err)
			}
			if all.asked <= few.asked {
				t.Errorf("%T asks its context %d times with 1 training example and %d times with %d, want more", l, few.asked,
					all.asked, train)
			}
		}
		for _, n := range []int{2, all.asked} {
			set, err := l.Load(&cancelled{Context: context.Background(), n: n}, datasets.Source{})
			if set != nil || !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), whole.Name+": ") {
				t.Errorf("%T, cancelled at question %d of %d: set %v, error %v; want no set, and context.Canceled with the name",
					l, n, all.asked, set != nil, err)
			}
		}
	}
}
