package datasettest

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"reflect"

	"github.com/gaplab/gaplab/datasets"
)

// Bits returns a hash of the training and validation data of a set, which changes if any bit of the data changes.
func Bits(set *datasets.Set) string {
	h := fnv.New64a()
	hashValue(h, reflect.ValueOf([]datasets.Data{set.Train, set.Validation}))
	return fmt.Sprintf("%016x", h.Sum64())
}

// Fingerprint returns a hash of the first n examples of the data, which changes if any bit of them changes. For
// sentences it hashes the texts of the tokens, not their indices in Column.Text.
func Fingerprint(data datasets.Data, n int) string {
	h := fnv.New64a()
	put := func(values ...any) { hashValue(h, reflect.ValueOf(values)) }
	for i := range n {
		switch d := data.(type) {
		case *datasets.Labelled:
			index, value := d.X.Row(i)
			put(index, value, d.Y[i])
		case *datasets.Sequences:
			for t := d.Start[i]; t < d.Start[i+1]; t++ {
				index, value := d.X.Row(t)
				put(index, value, d.Y[t])
			}
			put("end")
		case *datasets.Sentences:
			put(Written(d.Pick([]int{i})))
		case *datasets.Treebank:
			put(Bracketed(d.Trees[i]))
		case *datasets.Discrete:
			put(d.Row(i))
		default:
			panic(fmt.Sprintf("datasettest: Fingerprint does not accept data of type %T", d))
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// hashValue adds the content of a value to the hash h. It follows pointers and interfaces.
func hashValue(h hash.Hash64, v reflect.Value) {
	var b [8]byte
	put := func(x uint64) {
		binary.LittleEndian.PutUint64(b[:], x)
		h.Write(b[:])
	}
	switch {
	case !v.IsValid():
		put(0)
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		if v.IsNil() {
			put(0)
			return
		}
		put(1)
		hashValue(h, v.Elem())
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		put(uint64(v.Len()))
		if x, ok := v.Interface().([]float64); ok {
			for _, f := range x {
				put(math.Float64bits(f))
			}
			return
		}
		for i := range v.Len() {
			hashValue(h, v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			hashValue(h, v.Field(i))
		}
	case v.Kind() == reflect.String:
		put(uint64(v.Len()))
		h.Write([]byte(v.String()))
	case v.Kind() == reflect.Bool:
		put(map[bool]uint64{true: 1}[v.Bool()])
	case v.CanInt():
		put(uint64(v.Int()))
	case v.CanUint():
		put(v.Uint())
	case v.CanFloat():
		put(math.Float64bits(v.Float()))
	default:
		panic("datasettest: Bits cannot hash a field of type " + v.Type().String())
	}
}
