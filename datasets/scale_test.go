package datasets_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// matrix returns an n×dim matrix of which about 60 % is zero. Its columns have scales from 10⁻³ to 10³, its row 1
// is zero, and its column 1 is zero in rows other than the last.
func matrix(rng *rand.Rand, n, dim int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, dim)
		for j := range m[i] {
			if rng.Float64() < .4 && i != 1 && (j != 1 || i == n-1) {
				m[i][j] = rng.NormFloat64() * math.Pow(10, float64(j%7-3))
			}
		}
	}
	m[0][0], m[n-1][1] = 5, 7
	return m
}

// rowsOf returns a matrix as dense or sparse rows.
func rowsOf(m [][]float64, sparse bool) *datasets.Labelled {
	x := datasets.Rows{N: len(m), Dim: len(m[0]), Value: slices.Concat(m...)}
	if sparse {
		x.Start, x.Value = []int{0}, nil
		x.Index = []int32{}
		for _, row := range m {
			for j, v := range row {
				if v != 0 {
					x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
				}
			}
			x.Start = append(x.Start, len(x.Value))
		}
	}
	return &datasets.Labelled{X: x, Y: make([]int, len(m)), Classes: []string{"a", "b"}}
}

// denseOf returns rows as a matrix.
func denseOf(data datasets.Data) [][]float64 {
	l := data.(*datasets.Labelled)
	m := make([][]float64, l.X.N)
	for i := range m {
		m[i] = make([]float64, l.X.Dim)
		index, value := l.X.Row(i)
		for t, v := range value {
			if index == nil {
				m[i][t] = v
			} else {
				m[i][index[t]] = v
			}
		}
	}
	return m
}

// near reports whether two matrices differ by at most a few rounding errors.
func near(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(v, w float64) bool { return math.Abs(v-w) <= 2e-15*math.Abs(w) })
	})
}

// scaled returns a set with the given rows after Scale, and checks that Scale does not change the given rows.
func scaled(t *testing.T, kind string, train, held [][]float64, sparse bool) *datasets.Set {
	t.Helper()
	before, beforeHeld := rowsOf(train, sparse), rowsOf(held, sparse)
	set := &datasets.Set{Train: before, Validation: beforeHeld, Checksum: "sum"}
	if err := set.Scale(kind); err != nil {
		t.Fatal(err)
	}
	if !near(denseOf(before), train) || !near(denseOf(beforeHeld), held) {
		t.Errorf("%s: Scale changed the rows of the loader", kind)
	}
	stored := set.Train.(*datasets.Labelled).X
	if len(stored.Value) != len(before.X.Value) || (stored.Index == nil) == sparse {
		t.Errorf("%s: %d stored values, sparse: %v; want %d, %v", kind, len(stored.Value), stored.Index != nil,
			len(before.X.Value), sparse)
	}
	return set
}

// TestScaleUnit compares the scaling "unit" with loops over a dense matrix. All norms must become 1 or 0, and a second
// scaling may change only the last digits.
func TestScaleUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	train, held := matrix(rng, 30, 12), matrix(rng, 20, 12)
	for _, sparse := range []bool{false, true} {
		set := scaled(t, datasets.ScaleUnit, train, held, sparse)
		for _, part := range []struct {
			got, of [][]float64
		}{{denseOf(set.Train), train}, {denseOf(set.Validation), held}} {
			want := make([][]float64, len(part.of))
			for i, row := range part.of {
				square := 0.0
				for _, x := range row {
					square += x * x
				}
				want[i] = slices.Clone(row)
				for j := range row {
					if square > 0 {
						want[i][j] /= math.Sqrt(square)
					}
				}
			}
			if !near(part.got, want) {
				t.Errorf("sparse %v: rows of unit norm differ from those of plain loops", sparse)
			}
		}
		again := scaled(t, datasets.ScaleUnit, denseOf(set.Train), denseOf(set.Validation), sparse)
		if !near(denseOf(again.Train), denseOf(set.Train)) {
			t.Errorf("sparse %v: scaling to unit norm twice differs from scaling once", sparse)
		}
	}
	for _, x := range []float64{1e-300, 1e300} { // the square of x underflows or overflows
		set := scaled(t, datasets.ScaleUnit, [][]float64{{3 * x, -4 * x}}, [][]float64{{0, 0}}, false)
		if got := denseOf(set.Train); !near(got, [][]float64{{.6, -.8}}) {
			t.Errorf("the row (3, -4) · %g is scaled to %v, want (0.6, -0.8)", x, got)
		}
	}
}

// TestScaleMax compares the scaling max with loops over a dense matrix. The largest absolute value of each training
// column must become exactly 1 or 0, and validation rows must be divided by the factors of the training rows.
func TestScaleMax(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	train, held := matrix(rng, 30, 12), matrix(rng, 20, 12)
	for i := range train {
		train[i][3] = 0 // a column that only validation rows have
	}
	held[0][3] = 9
	for _, sparse := range []bool{false, true} {
		set := scaled(t, datasets.ScaleMax, train, held, sparse)
		got, gotHeld := denseOf(set.Train), denseOf(set.Validation)
		for j := range train[0] {
			largest, scaledLargest := 0.0, 0.0
			for i := range train {
				largest, scaledLargest = max(largest, math.Abs(train[i][j])), max(scaledLargest, math.Abs(got[i][j]))
			}
			factor := largest
			if largest == 0 {
				factor = 1
			}
			for i := range train {
				if got[i][j] != train[i][j]/factor {
					t.Fatalf("sparse %v: training value %d,%d = %v, want %v", sparse, i, j, got[i][j], train[i][j]/factor)
				}
			}
			for i := range held {
				if gotHeld[i][j] != held[i][j]/factor {
					t.Fatalf("sparse %v: validation value %d,%d = %v, want %v", sparse, i, j, gotHeld[i][j], held[i][j]/factor)
				}
			}
			if scaledLargest != min(1, math.Ceil(largest)) {
				t.Errorf("sparse %v: the largest absolute value of column %d is %v, want 1 or 0", sparse, j, scaledLargest)
			}
		}
	}
}

// TestScaledRowsBeyond checks that features which the training rows lack do not change how the other features are
// scaled. A model ignores features that the training rows lack.
func TestScaledRowsBeyond(t *testing.T) {
	for _, kind := range []string{datasets.ScaleUnit, datasets.ScaleMax} {
		for _, sparse := range []bool{false, true} {
			set := scaled(t, kind, [][]float64{{2, 0}, {0, 8}}, [][]float64{{6, 8}}, sparse)
			got := denseOf(set.Scaling.Scaled(rowsOf([][]float64{{6, 8, 100, 0, 3}}, sparse)))[0]
			if want := denseOf(set.Validation)[0]; !slices.Equal(got[:2], want) {
				t.Errorf("%s, sparse %v: the row is scaled to %v, want %v in its first two columns", kind, sparse, got, want)
			}
		}
	}
}

// TestScaleIdentity checks that the kind none changes neither the data nor the checksum, and that each other kind gives
// another checksum.
func TestScaleIdentity(t *testing.T) {
	sums := map[string]string{}
	for _, kind := range []string{"", datasets.ScaleNone, datasets.ScaleUnit, datasets.ScaleMax} {
		rows := rowsOf([][]float64{{1, 2}}, true)
		set := &datasets.Set{Train: rows, Checksum: "sum"}
		if err := set.Scale(kind); err != nil || set.Validation != nil {
			t.Fatalf("%q: error %v, validation %v; want nil, nil", kind, err, set.Validation)
		}
		none := kind == "" || kind == datasets.ScaleNone
		if (set.Checksum == "sum") != none || (set.Train == rows) != none || none && set.Scaling.Kind != datasets.ScaleNone {
			t.Errorf("%q: checksum %q, scaling %+v; want rows and checksum unchanged only with the kind none", kind,
				set.Checksum, set.Scaling)
		}
		if err := set.Scaling.Check(); (err != nil) != none {
			t.Errorf("%q: error of Check = %v, want one only with the kind none", kind, err)
		}
		if other, ok := sums[set.Checksum]; ok && !none {
			t.Errorf("the kinds %q and %q give the same checksum, want different ones", kind, other)
		}
		sums[set.Checksum] = kind
	}
}

// TestScaleErrors checks the errors of an unknown kind and of data that are no rows, and that damaged scalings are
// refused.
func TestScaleErrors(t *testing.T) {
	for _, c := range []struct {
		kind, want string
		train      datasets.Data
	}{
		{"mean", `scale is "mean": want none, unit or max`, rowsOf([][]float64{{1}}, false)},
		{"max", `scale is "max": want none, since only labelled rows are scaled and the data are bracketed trees`,
			&datasets.Treebank{}},
	} {
		set := &datasets.Set{Train: c.train, Checksum: "sum"}
		err := set.Scale(c.kind)
		var setting *datasets.SettingError
		if !errors.As(err, &setting) || setting.Key != "scale" || !strings.Contains(err.Error(), c.want) ||
			set.Checksum != "sum" {
			t.Errorf("%s: error %v, want %q", c.kind, err, c.want)
		}
	}
	for _, s := range []datasets.Scaling{
		{}, {Kind: "none"}, {Kind: "unit", Features: -1}, {Kind: "max", Features: 2, Factors: []float64{1}},
		{Kind: "max", Features: 1, Factors: []float64{0}}, {Kind: "max", Features: 1, Factors: []float64{math.NaN()}},
		{Kind: "max", Features: 1, Factors: []float64{math.Inf(1)}},
	} {
		if s.Check() == nil {
			t.Errorf("the damaged scaling %+v is accepted, want an error", s)
		}
	}
}

// TestScaleAdvice checks for which rows ScaleAdvice returns a sentence, and that the sentence has the columns and the
// values. Columns of zeros must change nothing and take no memory.
func TestScaleAdvice(t *testing.T) {
	text := make([][]float64, 40) // rows of unit norm whose columns differ
	for i := range text {
		text[i] = make([]float64, 3)
		text[i][0], text[i][1+i%2] = math.Sqrt(1-1e-8), 1e-4
	}
	short := make([][]float64, 10) // one large value, but the mean of |x|² is 97
	for i := range short {
		short[i] = []float64{0, 1, 0}
	}
	short[0][1] = 31
	for name, c := range map[string]struct {
		rows [][]float64
		want []string // pieces of the advice; nil: there is none
	}{
		"pixels":        {[][]float64{{.5, 1, 0}, {1, 1, 0}}, nil},
		"large and few": {[][]float64{{20, 29, 0}, {29, 1, 0}}, nil},
		"short rows":    {short, nil},
		"coordinates": {[][]float64{{100, 80, 0}, {20, -120, 0}},
			[]string{"120 (column 2)", "|x|² is 1.56e+04", "scale: max"}},
		"different scales": {[][]float64{{0, 1, .002}, {0, -3, -.0001}}, []string{"3 in column 2 and 0.002 in column 3"}},
		"equal columns": {[][]float64{{0, 3, .002, .002, 3, .5}, {0, 3, .002, .001, -3, .5}, {0, 0, 0, 0, 0, 1}},
			[]string{"3 in column 2 and 0.002 in column 3"}},
		"equal large columns": {[][]float64{{1, 100, -100}, {1, 100, 100}}, []string{"100 (column 2)"}},
		"near scales":         {[][]float64{{0, 1, .002}, {0, -1.9, -.0001}}, nil},
		"text":                {text, nil},
		"norms 0.2 % apart":   {[][]float64{{1, 0, 1e-4}, {0, 0, 0}, {0, 1.002, 0}}, nil},
		"norms 2 % apart": {[][]float64{{1, 0, 1e-4}, {0, 1.02, 0}},
			[]string{"1.02 in column 2 and 0.0001 in column 3"}},
		"scales before size": {[][]float64{{500, 0, .4}, {0, 400, 0}}, []string{"500 in column 1 and 0.4 in column 3"}},
		"a large value":      {[][]float64{{31, 0, 0}, {1, 1, 1}}, []string{"31 (column 1)", "|x|² is 482"}},
		"a mean above 100":   {[][]float64{{29, 0, 1}, {0, 29, 0}}, nil},
		"zeros":              {[][]float64{{0, 0}}, nil},
	} {
		for _, kind := range []string{"", datasets.ScaleNone, datasets.ScaleMax} {
			set := &datasets.Set{Train: rowsOf(c.rows, true)}
			if kind != "" {
				if err := set.Scale(kind); err != nil {
					t.Fatal(err)
				}
			}
			advice, want := set.ScaleAdvice(), c.want
			if kind != datasets.ScaleNone {
				want = nil
			}
			if (advice == "") != (want == nil) {
				t.Errorf("%s, scale %q: advice %q", name, kind, advice)
			}
			for _, piece := range want {
				if !strings.Contains(advice, piece) {
					t.Errorf("%s: advice %q, want %q in it", name, advice, piece)
				}
			}
			set.Train.(*datasets.Labelled).X.Dim = math.MaxInt32 // further columns of zeros
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			wider := set.ScaleAdvice()
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; wider != advice || used > 1<<20 {
				t.Errorf("%s, with 2³¹ − 1 columns: advice %q, %d bytes of memory; want %q, at most 1 MB", name, wider, used,
					advice)
			}
			for range 20 { // the columns come in random order
				if wider := set.ScaleAdvice(); wider != advice {
					t.Fatalf("%s, with 2³¹ − 1 columns: advice %q, want %q", name, wider, advice)
				}
			}
		}
	}
	trees := &datasets.Set{Train: &datasets.Treebank{}, Scaling: datasets.Scaling{Kind: datasets.ScaleNone}}
	if advice := trees.ScaleAdvice(); advice != "" {
		t.Errorf("advice for trees = %q, want none", advice)
	}
}
