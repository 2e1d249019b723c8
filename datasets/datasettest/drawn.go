package datasettest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// checkDrawn checks a generated set that is drawn with the default settings. It also checks smaller sets, with the
// default settings and with each setting changed in turn.
func checkDrawn(t testing.TB, e datasets.Entry) {
	set := load(t, e.New(), datasets.Source{})
	if set == nil {
		return
	}
	if !set.Synthetic || set.Name != e.Name {
		t.Errorf("%s: the set is called %q, synthetic: %v; want %q, true", e.Name, set.Name, set.Synthetic, e.Name)
	}
	checkIdentity(t, e, set)
	set = load(t, small(e.New)(), datasets.Source{})
	again := load(t, small(e.New)(), datasets.Source{})
	if set == nil || again == nil {
		return
	}
	if again.Checksum != set.Checksum || Bits(again) != Bits(set) {
		t.Errorf("%s: the same settings gave different data, or a different checksum", e.Name)
	}
	list := settingsOf(e.New())
	checkStreams(t, e, set)
	checkScaled(t, e.Name, small(e.New), datasets.Source{})
	for _, s := range list {
		changed, other := loadOther(small(e.New), s, datasets.Source{})
		switch {
		case other == nil:
			t.Errorf("%s: every change of the setting %s was refused, so it should not be a setting", e.Name, s.key)
		case other.Checksum == set.Checksum:
			t.Errorf("%s: the checksum does not change with %s, so results of %+v would have the key of the defaults",
				e.Name, s.key, changed)
		case s.key == "seed" && Bits(other) == Bits(set):
			t.Errorf("%s: another seed gave the same data", e.Name)
		}
	}
	if len(list) == 0 || settingNamed(list, "seed") == nil {
		return // Load draws no random numbers
	}
	if _, err := e.New().Load(stopped(), datasets.Source{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%s: error of Load with a cancelled context = %v, want context.Canceled", e.Name, err)
	}
	if _, err := e.New().Load(&stopping{Context: context.Background()}, datasets.Source{}); err != nil &&
		!errors.Is(err, context.Canceled) {
		t.Errorf("%s: error of Load if the context is cancelled while it draws = %v, want context.Canceled", e.Name, err)
	}
}

// stopping is a context whose Err returns context.Canceled from the second call on.
type stopping struct {
	context.Context
	asked int
}

// Err implements context.Context.
func (s *stopping) Err() error {
	if s.asked++; s.asked > 1 {
		return context.Canceled
	}
	return nil
}

// small returns a function that makes loaders like those of base, but with at most 100 training and 100 validation
// examples. With these, a check can draw many sets in a short time.
func small(base func() datasets.Loader) func() datasets.Loader {
	return func() datasets.Loader {
		l := base()
		for _, s := range settingsOf(l) {
			if s.key == "train" || s.key == "validation" {
				field := reflect.ValueOf(l).Elem().Field(s.field)
				field.SetInt(min(field.Int(), 100))
			}
		}
		return l
	}
}

// checkStreams checks that training and validation examples are drawn from two separate streams of random numbers, and
// that a set consists of the first examples of each stream. For this it draws a set with 50 more training examples.
func checkStreams(t testing.TB, e datasets.Entry, set *datasets.Set) {
	train := settingNamed(settingsOf(e.New()), "train")
	if train == nil {
		return
	}
	n := set.Train.Len()
	l, _ := train.with(small(e.New), float64(n+50))
	longer := load(t, l, datasets.Source{})
	if longer == nil {
		return
	}
	if Fingerprint(longer.Train, n) != Fingerprint(set.Train, n) {
		t.Errorf("%s: the first %d of %d training examples differ from the training examples of a set of %d", e.Name, n,
			n+50, n)
	}
	if set.Validation == nil {
		return
	}
	if m := set.Validation.Len(); Fingerprint(longer.Validation, m) != Fingerprint(set.Validation, m) {
		t.Errorf("%s: the validation examples depend on the number of training examples", e.Name)
	}
	if m := min(n, set.Validation.Len()); Fingerprint(set.Train, m) == Fingerprint(set.Validation, m) {
		t.Errorf("%s: training and validation examples are the same", e.Name)
	}
}

// load loads a set, and checks its data with CheckSet. If Load fails, the test fails and load returns nil.
func load(t testing.TB, l datasets.Loader, src datasets.Source) *datasets.Set {
	t.Helper()
	set, err := l.Load(context.Background(), src)
	if err != nil || set == nil || set.Train == nil {
		t.Errorf("%+v: Load returns %v and the error %v, want a set", l, set, err)
		return nil
	}
	CheckSet(t, set)
	return set
}

// checkIdentity checks that a set has the counts in the entry, and a checksum.
func checkIdentity(t testing.TB, e datasets.Entry, set *datasets.Set) {
	got := countsOf(set)
	if e.Expect.NonZeros == 0 {
		got.NonZeros = 0
	}
	if e.Synthetic && e.Expect.Tokens == 0 {
		got.Tokens, got.ValidationTokens = 0, 0
	}
	if got != e.Expect {
		t.Errorf("%s: counts = %+v, want %+v as in the entry", e.Name, got, e.Expect)
	}
	if len(set.Checksum) != 64 {
		t.Errorf("%s: checksum = %q, want 64 hexadecimal digits", e.Name, set.Checksum)
	}
}

// loadOther loads a set with the setting s changed. It tries several values, and returns the first set that loads
// without an error, together with the loader of this set. If no value is accepted, it returns nil.
func loadOther(base func() datasets.Loader, s setting, src datasets.Source) (datasets.Loader, *datasets.Set) {
	field := reflect.ValueOf(base()).Elem().Field(s.field)
	var values []any
	switch {
	case field.CanInt():
		x := float64(field.Int())
		values = []any{x + 1, x - 1, x + 2}
	case field.CanUint():
		values = []any{float64(field.Uint() + 1)}
	case field.CanFloat():
		x := field.Float()
		values = []any{x * 1.25, x / 2, x + .25}
	case field.Kind() == reflect.Bool:
		values = []any{!field.Bool()}
	}
	for _, text := range s.accept {
		values = append(values, text)
	}
	before := field.Interface()
	for _, value := range values {
		l, ok := s.with(base, value)
		if !ok || reflect.ValueOf(l).Elem().Field(s.field).Interface() == before {
			continue
		}
		if set, err := l.Load(context.Background(), src); err == nil {
			return l, set
		}
	}
	return nil, nil
}

// settingNamed returns the setting with the given key, or nil.
func settingNamed(list []setting, key string) *setting {
	for i := range list {
		if list[i].key == key {
			return &list[i]
		}
	}
	return nil
}
