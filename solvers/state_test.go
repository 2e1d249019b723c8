package solvers_test

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/solvers"
)

// variables has a variable of each kind that a State can save.
type variables struct {
	rate   float64
	single float32
	steps  int
	wall   time.Duration
	index  []int32
	w      []float64
	rows   [][]float64
	coming [3]int
	done   []bool
	names  []string
	spent  map[string][2]int64
	rng    *rand.PCG
}

func (v *variables) carry(to *solvers.State) {
	to.Carry(&v.rate, &v.single, &v.steps, &v.wall, &v.index, &v.w, &v.rows, &v.coming, &v.done, &v.names, &v.spent, v.rng)
}

func sample() *variables {
	nan := math.Float64frombits(0x7ff8_0000_0000_0123)
	return &variables{rate: math.Copysign(0, -1), single: 0.1, steps: -3, wall: time.Hour, index: []int32{-1, 1 << 30},
		w: []float64{math.Inf(1), nan, 5e-324}, rows: [][]float64{{1}, nil, {2, 3}}, coming: [3]int{1, 2, 3},
		done: []bool{true, false, true}, names: []string{"a", "", "é"}, spent: map[string][2]int64{"": {1, 2}, "setup": {3}},
		rng: rand.NewPCG(1, 2)}
}

// saved returns the bytes of a state.
func saved(t testing.TB, names func(*solvers.State)) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := solvers.SaveState(&b, names); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// load loads a state and returns the number of bytes that this has allocated.
func load(text []byte, names func(*solvers.State)) (allocated uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = solvers.LoadState(&io.LimitedReader{R: bytes.NewReader(text), N: int64(len(text))}, names)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// TestStateKeepsAllBits checks that a loaded state equals the saved one: saving it again gives the same bytes, and the
// random numbers continue.
func TestStateKeepsAllBits(t *testing.T) {
	v := sample()
	v.rng.Uint64()
	text := saved(t, v.carry)
	got := &variables{rng: rand.NewPCG(5, 5), w: []float64{9}, steps: 7}
	if _, err := load(text, got.carry); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved(t, got.carry), text) {
		t.Errorf("loaded %+v, want %+v", got, v)
	}
	if a, b := v.rng.Uint64(), got.rng.Uint64(); a != b {
		t.Errorf("the next random number is %d, want %d", b, a)
	}
	nan := math.Float64bits(got.w[1])
	if !reflect.DeepEqual(got.spent, v.spent) || got.rows[1] != nil || nan != 0x7ff8_0000_0000_0123 {
		t.Errorf("loaded %+v, want %+v", got, v)
	}
}

// TestHostileStates checks that loading a state with a false length gives an error that names the length, also if the
// function that reads the variables panics after the error, and that it allocates little. The gob is a state in another
// format, for which a decoder of gobs allocated 10 GB.
func TestHostileStates(t *testing.T) {
	const little = 64 << 10 // bytes
	huge := func(names func(*solvers.State), at int) []byte {
		text := saved(t, names)
		binary.LittleEndian.PutUint64(text[len(text)-at:], 1<<40)
		return text
	}
	var w []float64
	var rows [][]float64
	var name string
	var spent map[string][2]int64
	var drawn rand.PCG
	var wide uint64
	var narrow uint32
	one := func(v any) func(*solvers.State) { return func(to *solvers.State) { to.Carry(v) } }
	var gobbed bytes.Buffer
	if err := gob.NewEncoder(&gobbed).Encode(map[string][2]int64{"a": {1, 2}}); err != nil {
		t.Fatal(err)
	}
	careless := func(to *solvers.State) {
		to.Carry(&w)
		_ = w[0]
	}
	for says, c := range map[string]struct {
		text  []byte
		names func(*solvers.State)
	}{
		"[]float64: 1099511627776 elements should follow, but only 0 bytes do":        {huge(one(&w), 8), one(&w)},
		"[]float64: 1099511627776 elements should follow, but only 0 bytes":           {huge(one(&w), 8), careless},
		"[][]float64: 1099511627776 elements should follow, but only 0 bytes do":      {huge(one(&rows), 8), one(&rows)},
		"string: 1099511627776 elements should follow, but only 0 bytes do":           {huge(one(&name), 8), one(&name)},
		"map[string][2]int64: 1099511627776 elements should follow, but only 0 bytes": {huge(one(&spent), 8), one(&spent)},
		"rand.PCG: 1099511627776 elements should follow, but only 20 bytes do":        {huge(one(&drawn), 28), one(&drawn)},
		"the file has another variable here; want one of type map[string][2]int64":    {gobbed.Bytes(), one(&spent)},
		"the file has a variable of type uint64 here; want uint32":                    {saved(t, one(&wide)), one(&narrow)},
		"*int: unexpected EOF": {saved(t, one(new(int)))[:15], one(new(int))},
		"the saved variables are inconsistent: runtime error: index out of range": {nil, func(*solvers.State) { _ = w[0] }},
	} {
		allocated, err := load(c.text, c.names)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one with %q", err, says)
		}
		if allocated > little {
			t.Errorf("%s: loading %d bytes allocated %d bytes, want at most %d", says, len(c.text), allocated, little)
		}
	}
}

// TestStateRefusesOtherTypes checks that saving a variable of a type that a State cannot save is an error.
func TestStateRefusesOtherTypes(t *testing.T) {
	err := solvers.SaveState(io.Discard, func(to *solvers.State) { to.Carry(new(chan int)) })
	want := "*chan int: this type cannot be saved; accepted: numbers, "
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

// TestStateAfterAnError checks that the first error is the one returned, with the type of its variable, that variables
// before it are loaded, and that the variable at fault and those after it keep their values.
func TestStateAfterAnError(t *testing.T) {
	type all struct {
		a int
		b []float64
		c string
		d map[string]int
	}
	first := func(v *all) func(*solvers.State) { return func(to *solvers.State) { to.Carry(&v.a, &v.b) } }
	whole := all{7, []float64{1, 2}, "text", map[string]int{"x": 1}}
	text := saved(t, first(&whole))
	for n, says := range map[int]string{len(text): "*string: EOF", len(text) - 1: "*[]float64: 2 elements", 3: "*int: "} {
		v := all{1, []float64{9}, "old", map[string]int{"old": 2}}
		var loading []bool
		_, err := load(text[:n], func(to *solvers.State) {
			loading = append(loading, to.Loading())
			to.Carry(&v.a, &v.b)
			to.Carry(&v.c)
			to.Carry(&v.d)
			loading = append(loading, to.Loading())
		})
		want := all{1, []float64{9}, "old", map[string]int{"old": 2}}
		if n > 3 {
			want.a = 7
		}
		if n == len(text) {
			want.b = whole.b
		}
		if err == nil || !strings.HasPrefix(err.Error(), says) || !reflect.DeepEqual(v, want) || !loading[0] || loading[1] {
			t.Errorf("the first %d bytes of %d: loaded %+v, error %v, loading %v; want %+v, %q", n, len(text), v, err, loading,
				want, says)
		}
	}
	if err := solvers.SaveState(io.Discard, func(to *solvers.State) {
		to.Carry(&whole.a, new(chan int), new(func()))
		to.Carry(new(func()))
		if to.Loading() {
			t.Error("a state that is saved is loading")
		}
	}); err == nil || !strings.HasPrefix(err.Error(), "*chan int: ") {
		t.Errorf("error %v, want that of the first variable that cannot be saved", err)
	}
}

// FuzzLoadState checks that loading any bytes allocates at most eight times their number, and a constant, and that a
// state that is loaded without an error can be saved again.
func FuzzLoadState(f *testing.F) {
	text := saved(f, sample().carry)
	f.Add(text, uint32(0), uint64(0))
	for at := range uint32(len(text)) {
		f.Add(text, at, uint64(1)<<(at%64))
	}
	long := sample()
	long.rows = make([][]float64, 10_000) // a slice of empty slices: 8 bytes each in the file, 24 in memory
	for k := range 10_000 {
		long.spent[strconv.Itoa(k)] = [2]int64{}
	}
	f.Add(saved(f, long.carry), uint32(0), uint64(0))
	f.Fuzz(func(t *testing.T, text []byte, at uint32, number uint64) {
		if at := int(at); number != 0 && at+8 <= len(text) {
			text = bytes.Clone(text)
			binary.LittleEndian.PutUint64(text[at:], number)
		}
		v := sample()
		allocated, err := load(text, v.carry)
		if most := uint64(8*len(text) + 64<<10); allocated > most {
			t.Fatalf("loading %d bytes allocated %d, want at most %d", len(text), allocated, most)
		}
		if err == nil {
			saved(t, v.carry)
		}
	})
}
