package pack

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type data interface{ Len() int }

type rows struct {
	N     int
	Start []int
	Index []int32
	Value []float64
	Names []string
	Bytes []uint8
}

func (r *rows) Len() int { return r.N }

type nested struct{ Rows []rows }

func (*nested) Len() int { return 1 }

type other struct{ hidden int }

func (*other) Len() int { return 1 }

type set struct {
	Name        string
	Train, Test data
	Wild        bool
	Files       map[string]string
	Share       float64
	Seed        uint64
	Small       int8
}

var kinds = []reflect.Type{reflect.TypeFor[rows](), reflect.TypeFor[nested](), reflect.TypeFor[other]()}

func packed(t testing.TB, s *set) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, math.MaxInt64, kinds)
	if err := errors.Join(w.Value(s), w.End()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpacked(b []byte) (*set, error) {
	var s set
	r := NewReader(bytes.NewReader(b), int64(len(b)), kinds)
	return &s, errors.Join(r.Value(&s), r.End())
}

// sample returns a set with each kind of value, with shared slices and with slices that fill several buffers.
func sample() *set {
	var thirds []float64
	var start []int
	for i := range 70_000 {
		thirds, start = append(thirds, float64(i)/3), append(start, i<<33)
	}
	names := []string{"", "x", strings.Repeat("long", 30_000)}
	return &set{Name: "sample", Wild: true, Share: -0.1, Seed: math.MaxUint64, Small: -7,
		Files: map[string]string{"b": "2", "a": "1"},
		Train: &rows{N: -3, Start: start, Index: []int32{-1, math.MaxInt32}, Value: thirds, Names: names,
			Bytes: slices.Repeat([]byte{7}, 70_000)},
		Test: &rows{Index: []int32{}, Names: names}}
}

// TestPack checks that values are the same, to the bit, after they have been written and read.
func TestPack(t *testing.T) {
	bits := []float64{math.Copysign(0, -1), 0, math.NaN(), math.Inf(1), math.Float64frombits(0x7ff8000000000001), 5e-324}
	for name, s := range map[string]*set{
		"zero":   {},
		"sample": sample(),
		"nested": {Train: &nested{[]rows{{N: 1}, {Names: []string{"a"}}}}, Test: &nested{}},
		"bits":   {Train: &rows{Value: bits}, Files: map[string]string{}},
	} {
		got, err := unpacked(packed(t, s))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "bits" { // this field has a NaN, which is not equal to itself
			for i, v := range bits {
				if w := got.Train.(*rows).Value[i]; math.Float64bits(v) != math.Float64bits(w) {
					t.Errorf("%v is read as %v, want the same bits", v, w)
				}
			}
			continue
		}
		if !reflect.DeepEqual(got, s) {
			t.Errorf("%s: the values that are read differ from those written", name)
		}
	}
}

// TestShared checks that slices that share memory are written only once, and share memory after they are read.
func TestShared(t *testing.T) {
	s := sample()
	got, err := unpacked(packed(t, s))
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Train.(*rows).Names, got.Test.(*rows).Names
	if &a[0] != &b[0] {
		t.Error("the names that were shared are in memory twice after reading, want once")
	}
	b = slices.Clone(b)
	s.Test.(*rows).Names = b
	if one, two := packed(t, sample()), packed(t, s); len(two) < len(one)+len(b[2]) {
		t.Errorf("bytes with two copies of the names = %d, with shared names = %d; want more with two copies", len(two),
			len(one))
	}
}

// TestRandomShares checks on random values, whose slices are parts of a few arrays and have any capacity, that the
// values are the same after they have been written and read, and that two slices share their memory then if they did
// before, and only then.
func TestRandomShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 30))
	numbers, values, names := make([]int, 5), make([]float64, 5), make([]string, 5)
	for i := range numbers {
		numbers[i], values[i], names[i] = i, float64(i)/3, strings.Repeat("n", i)
	}
	for range 300 {
		part := func() (from, to, end int) { // end is the end of the capacity
			from = rng.IntN(3)
			to = from + rng.IntN(3)
			return from, to, to + rng.IntN(2)
		}
		made := &nested{Rows: make([]rows, rng.IntN(6))}
		for i := range made.Rows {
			r := &made.Rows[i]
			if from, to, end := part(); rng.IntN(4) > 0 {
				r.Start = numbers[from:to:end]
			}
			if from, to, end := part(); rng.IntN(4) > 0 {
				r.Value = values[from:to:end]
			}
			if from, to, end := part(); rng.IntN(4) > 0 {
				r.Names = names[from:to:end]
			}
		}
		s := &set{Train: made}
		got, err := unpacked(packed(t, s))
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("%+v is read as %+v, error %v", made, got.Train, err)
		}
		read := got.Train.(*nested).Rows
		for i := range made.Rows {
			for j := range i {
				a, b, c, d := made.Rows[i], made.Rows[j], read[i], read[j]
				if same(a.Start, b.Start) != same(c.Start, d.Start) || same(a.Value, b.Value) != same(c.Value, d.Value) ||
					same(a.Names, b.Names) != same(c.Names, d.Names) {
					t.Fatalf("rows %d and %d of %+v share other slices after reading: %+v and %+v", j, i, made, d, c)
				}
			}
		}
	}
}

// same reports whether two slices are the same elements in memory.
func same[E any](a, b []E) bool { return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] }

// TestNotPacked checks that a writer refuses types that the format does not support, and values that need more bytes
// than the limit.
func TestNotPacked(t *testing.T) {
	var foreign struct{ X complex128 }
	for name, v := range map[string]any{
		"hidden":  &set{Train: &other{1}},
		"pointer": &set{Train: (*rows)(nil)},
		"complex": &foreign,
	} {
		if err := NewWriter(&bytes.Buffer{}, 1000, kinds).Value(v); err == nil {
			t.Errorf("writing a value of the type %s returns no error, want one", name)
		}
	}
	s := &set{Train: &rows{}}
	if err := NewWriter(&bytes.Buffer{}, 1000, nil).Value(s); err == nil || !strings.Contains(err.Error(), "pack.rows") {
		t.Errorf("error of a kind that is not listed = %v, want one that names pack.rows", err)
	}
	size := int64(len(packed(t, s)))
	for limit, want := range map[int64]error{size: nil, size - 1: errFull} {
		w := NewWriter(&bytes.Buffer{}, limit, kinds)
		if err := errors.Join(w.Value(s), w.End()); !errors.Is(err, want) {
			t.Errorf("%d bytes with a limit of %d: error %v, want %v", size, limit, err, want)
		}
	}
}

// TestDamaged checks that a reader refuses written bytes if some are missing at the end, if more bytes follow, or if
// any byte is changed.
func TestDamaged(t *testing.T) {
	b := packed(t, small())
	for i := range b {
		if _, err := unpacked(b[:i]); err == nil {
			t.Errorf("reading only the first %d of %d bytes gives no error, want one", i, len(b))
		}
		changed := slices.Clone(b)
		changed[i] ^= 1
		if _, err := unpacked(changed); err == nil {
			t.Errorf("a flipped bit in byte %d of %d gives no error, want one", i, len(b))
		}
	}
	if _, err := unpacked(append(b, 0)); err == nil {
		t.Error("an additional byte at the end gives no error, want one")
	}
}

func small() *set {
	names := []string{"a"}
	return &set{Name: "n", Train: &rows{Start: []int{1, 2}, Value: []float64{.5, 1}, Names: names},
		Test: &nested{[]rows{{Names: names}}}, Files: map[string]string{"a": "b"}}
}

// FuzzReader checks that a reader does not panic for any bytes: it reads a value or returns an error. It does not check
// the digest, which is wrong for almost every input.
func FuzzReader(f *testing.F) {
	f.Add(packed(f, small()))
	f.Add(bytes.Repeat([]byte{1, 3, 0}, 20_000))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s set
		if err := NewReader(bytes.NewReader(b), int64(len(b)), kinds).Value(&s); err != nil {
			return
		}
		if again, err := unpacked(packed(t, &s)); err != nil || !bytes.Equal(packed(t, again), packed(t, &s)) {
			t.Errorf("the value that was read changes when it is written and read again: %v", err)
		}
	})
}
