package datasets

import (
	"fmt"
	"math"
)

// Values of the setting scale of data sets of labelled rows. The empty string is ScaleNone.
const (
	ScaleNone = "none" // the rows are not scaled
	ScaleUnit = "unit" // each row is divided by its Euclidean norm
	ScaleMax  = "max"  // each column is divided by its largest absolute value in the training rows
)

// Scaling describes how Set.Scale has scaled the rows of a set, so that other rows can be scaled in the same way:
//
//	unit: x ← x / |x|₂
//	max:  x_j ← x_j / f_j, where f_j = max |x_ij| over the training rows i
//
// Rows of zeros and columns of zeros do not change. Zeros stay zeros, so sparse rows stay sparse.
type Scaling struct {
	// Kind is ScaleNone, ScaleUnit or ScaleMax. It is "" if the data set has no setting scale, or if this setting has
	// other values.
	Kind string `json:"kind"`
	// Features is the number of features of the training rows. In other rows, features whose index is at least this number
	// do not count in the norm of the row.
	Features int       `json:"features"`
	Factors  []float64 `json:"factors,omitempty"` // max: f_j of each feature, 1 for a column of zeros
}

// Scale scales the training and the validation rows of a set, and adds the kind of scaling to the checksum. The factors
// of the columns are those of the training rows. Loaders of rows call Scale once, after the rows are split, with the
// value of their setting scale. Scale takes one or two passes over the values. It does not change the old rows. It
// returns a *SettingError if the kind is unknown, or if the data are not labelled rows and the kind is not ScaleNone.
func (set *Set) Scale(kind string) error {
	if kind == "" || kind == ScaleNone {
		set.Scaling = Scaling{Kind: ScaleNone}
		return nil
	}
	train, ok := set.Train.(*Labelled)
	if !ok {
		return &SettingError{Key: "scale", Value: kind,
			Want: fmt.Sprintf("%s, since only labelled rows are scaled and the data are %s", ScaleNone, set.Train.Kind())}
	}
	s := Scaling{Kind: kind, Features: train.X.Dim}
	switch kind {
	case ScaleUnit:
	case ScaleMax:
		s.Factors = train.X.largest()
		for j, f := range s.Factors {
			if f == 0 {
				s.Factors[j] = 1
			}
		}
	default:
		return &SettingError{Key: "scale", Value: kind, Want: ScaleNone + ", " + ScaleUnit + " or " + ScaleMax}
	}
	set.Train = s.Scaled(train)
	if held, ok := set.Validation.(*Labelled); ok {
		set.Validation = s.Scaled(held)
	}
	set.Scaling = s
	set.Checksum = Checksum(set.Checksum, "scale", kind)
	return nil
}

// Check checks a Scaling that was read from a file. It returns an error if Set.Scale cannot have made it.
func (s *Scaling) Check() error {
	switch {
	case s.Kind != ScaleUnit && s.Kind != ScaleMax:
		return fmt.Errorf("unknown scaling %q: want %s or %s", s.Kind, ScaleUnit, ScaleMax)
	case s.Features < 0 || s.Kind == ScaleMax && len(s.Factors) != s.Features:
		return fmt.Errorf("scaling %s has %d features and %d factors: want at least 0 features and, with %s, a factor "+
			"for each",
			s.Kind, s.Features, len(s.Factors), ScaleMax)
	}
	for j, f := range s.Factors {
		if !(f > 0) || math.IsInf(f, 1) {
			return fmt.Errorf("the factor of column %d is %v: want a positive finite number", j+1, f)
		}
	}
	return nil
}

// Scaled returns the rows of l, scaled as s describes. The result shares all memory with l except the values. If s.Kind
// is ScaleNone or "", Scaled returns l.
func (s *Scaling) Scaled(l *Labelled) *Labelled {
	if s.Kind != ScaleUnit && s.Kind != ScaleMax {
		return l
	}
	out := *l
	out.X.Value = make([]float64, len(l.X.Value))
	for i := range l.X.N {
		index, from := l.X.Row(i)
		_, to := out.X.Row(i)
		divisor := 1.0
		if s.Kind == ScaleUnit {
			divisor = s.norm(index, from)
		}
		for t, x := range from {
			j := t
			if index != nil {
				j = int(index[t])
			}
			if s.Kind == ScaleMax {
				divisor = 1 // for a feature that the training rows do not have
				if j < len(s.Factors) {
					divisor = s.Factors[j]
				}
			}
			to[t] = x / divisor
		}
	}
	return &out
}

// norm returns the Euclidean norm of a row. It leaves out the features that the training rows do not have. If the norm
// is 0, it returns 1.
func (s *Scaling) norm(index []int32, value []float64) float64 {
	n := 0 // number of values whose features the training rows have
	for n < len(value) && (index == nil && n < s.Features || index != nil && int(index[n]) < s.Features) {
		n++
	}
	largest := 0.0
	for _, x := range value[:n] {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return 1
	}
	sum := 0.0
	for _, x := range value[:n] {
		sum += (x / largest) * (x / largest) // no overflow, since each square is at most 1
	}
	return largest * math.Sqrt(sum)
}

// largest returns the largest absolute value of each column.
func (r *Rows) largest() []float64 {
	out := make([]float64, r.Dim)
	for i := range r.N {
		index, value := r.Row(i)
		for t, x := range value {
			j := t
			if index != nil {
				j = int(index[t])
			}
			out[j] = max(out[j], math.Abs(x))
		}
	}
	return out
}
