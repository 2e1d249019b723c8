package pack

import (
	"bytes"
	"math"
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

type tree struct {
	Label    string
	Children []*tree
}

func (*tree) Len() int { return 1 }

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

var types = []reflect.Type{reflect.TypeFor[rows](), reflect.TypeFor[tree](), reflect.TypeFor[other]()}

func packed(t testing.TB, s *set) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := NewWriter(&b, types).Put(s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpacked(b []byte) (*set, error) {
	var s set
	r := NewReader(bytes.NewReader(b), int64(len(b)), types)
	err := r.Get(&s)
	if err == nil {
		err = r.End()
	}
	return &s, err
}

// sample has each kind of value, and slices of each width and of more than a chunk.
func sample() *set {
	many := func(n, step int) (out []int) {
		for i := range n {
			out = append(out, i*step)
		}
		return out
	}
	var thirds, greys []float64
	for i := range 40_000 {
		thirds, greys = append(thirds, float64(i)/3), append(greys, float64(i%256)/255)
	}
	names := []string{"", "x", strings.Repeat("long", 30_000)}
	return &set{Name: "sample", Wild: true, Share: -0.1, Seed: math.MaxUint64, Small: -7,
		Files: map[string]string{"b": "2", "a": "1"},
		Train: &rows{N: -3, Start: many(70_000, 1<<33), Index: []int32{-1, math.MaxInt32}, Value: thirds, Names: names,
			Bytes: slices.Repeat([]byte{7}, 70_000)},
		Test: &rows{Start: many(70_000, 1), Index: []int32{}, Value: greys, Names: names}}
}

func TestPack(t *testing.T) {
	leaf := &tree{Label: "leaf"}
	for name, s := range map[string]*set{
		"zero":   {},
		"sample": sample(),
		"tree":   {Train: &tree{"S", []*tree{{"NP", []*tree{leaf, leaf}}, {"VP", []*tree{}}}}},
		"bits": {Train: &rows{Value: []float64{math.Copysign(0, -1), 0, math.NaN(), math.Inf(1),
			math.Float64frombits(0x7ff8000000000001), 5e-324}}, Files: map[string]string{}},
		"257 values": {Train: &rows{Value: sample().Train.(*rows).Value[:257]}},
		"256 values": {Train: &rows{Value: sample().Train.(*rows).Value[:256], Start: []int{255}, Index: []int32{256}}},
		"widths":     {Train: &rows{Start: []int{1 << 32}, Index: []int32{1 << 16}}, Test: &rows{Start: []int{1<<32 - 1}}},
	} {
		got, err := unpacked(packed(t, s))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "bits" {
			for i, v := range s.Train.(*rows).Value {
				if w := got.Train.(*rows).Value[i]; math.Float64bits(v) != math.Float64bits(w) {
					t.Errorf("%v comes back as %v", v, w)
				}
			}
			continue
		}
		if !reflect.DeepEqual(got, s) {
			t.Errorf("%s comes back as something else", name)
		}
	}
}

// What shares an array shares it again, and takes its room once.
func TestShared(t *testing.T) {
	s := sample()
	got, err := unpacked(packed(t, s))
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Train.(*rows).Names, got.Test.(*rows).Names
	if &a[0] != &b[0] {
		t.Error("the names are there twice")
	}
	b = slices.Clone(b)
	s.Test.(*rows).Names = b
	if one, two := packed(t, sample()), packed(t, s); len(two) < len(one)+len(b[2]) {
		t.Errorf("%d bytes with names of their own, %d with shared ones", len(two), len(one))
	}
}

func TestNarrow(t *testing.T) {
	n := 10_000
	s := &set{Train: &rows{Index: make([]int32, n), Value: make([]float64, n)}}
	if b := packed(t, s); len(b) > 2*n+200 {
		t.Errorf("%d zeros take %d bytes: want one each", 2*n, len(b))
	}
}

func TestNotPacked(t *testing.T) {
	loop := &tree{}
	loop.Children = []*tree{loop}
	var foreign struct{ X complex128 }
	for name, v := range map[string]any{
		"hidden":  &set{Train: &other{1}},
		"pointer": &set{Train: (*rows)(nil)},
		"loop":    &set{Train: loop},
		"complex": &foreign,
	} {
		if err := NewWriter(&bytes.Buffer{}, types).Put(v); err == nil {
			t.Errorf("%s is packed", name)
		}
	}
	s := &set{Train: &rows{}}
	if err := NewWriter(&bytes.Buffer{}, nil).Put(s); err == nil || !strings.Contains(err.Error(), "pack.rows") {
		t.Errorf("a type that is not listed: %v", err)
	}
}

// Cut off anywhere, or followed by more, it is refused.
func TestTruncated(t *testing.T) {
	b := packed(t, &set{Name: "n", Train: &rows{Start: []int{1, 2}, Value: []float64{.5, 1}, Names: []string{"a"}},
		Test: &tree{"S", []*tree{{}}}, Files: map[string]string{"a": "b"}})
	for i := range b {
		if _, err := unpacked(b[:i]); err == nil {
			t.Errorf("the first %d of %d bytes are taken for the whole", i, len(b))
		}
	}
	if _, err := unpacked(append(b, 0)); err == nil {
		t.Error("a byte too many is not noticed")
	}
}

// Any bytes are refused or read, without a panic and without memory out of proportion.
func FuzzReader(f *testing.F) {
	f.Add(packed(f, &set{Name: "n", Train: &rows{Start: []int{1, 2}, Value: []float64{.5, 1}, Names: []string{"a"}},
		Test: &tree{"S", []*tree{{}}}, Files: map[string]string{"a": "b"}}))
	f.Add(packed(f, &set{Train: &tree{"S", []*tree{{"NP", nil}, {"VP", []*tree{{}}}}}}))
	f.Add(bytes.Repeat([]byte{1, 3, 0}, 20_000))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := unpacked(b); err == nil {
			if again, err := unpacked(packed(t, s)); err != nil || !bytes.Equal(packed(t, again), packed(t, s)) {
				t.Errorf("what was read does not come back: %v", err)
			}
		}
	})
}
