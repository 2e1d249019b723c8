package nonlocal

import "strings"

// field is a type of segments, such as title with the labels B-title and I-title. If the labels do not have this form,
// each label is a field, and each position with the label is a segment.
type field struct {
	name   string
	begin  int   // label of the first token of a segment
	labels []int // labels of all tokens of a segment
}

// fieldsOf returns the fields of the labels. The label O gives no field, and I-x gives none if there is no label B-x.
func fieldsOf(names []string) []field {
	var list []field
	if !segments(names) {
		for y, name := range names {
			list = append(list, field{name, y, []int{y}})
		}
		return list
	}
	at := map[string]int{}
	for y, name := range names {
		if of, ok := strings.CutPrefix(name, "B-"); ok {
			at[of] = len(list)
			list = append(list, field{of, y, []int{y}})
		}
	}
	for y, name := range names {
		if of, ok := strings.CutPrefix(name, "I-"); ok {
			if i, ok := at[of]; ok {
				list[i].labels = append(list[i].labels, y)
			}
		}
	}
	return list
}

// segments reports whether the labels have the form B-x, I-x and O. It ignores labels without a name in the data.
func segments(names []string) bool {
	some := false
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, "B-"):
			some = true
		case !strings.HasPrefix(name, "I-") && !strings.HasPrefix(name, "label ") && name != "O":
			return false
		}
	}
	return some
}

// combination is a linear function a·U − b of the totals U of a labelling. U has the counts of the k labels, then the
// counts of the k² pairs of neighbours.
type combination struct {
	k int
	a map[int32]float64
	b float64
}

// constant returns the combination with the constant value c.
func constant(k int, c float64) combination { return combination{k, map[int32]float64{}, -c} }

// segmentsOf adds a term to the combination z: c times the number of segments of the field f.
func (z combination) segmentsOf(f field, c float64) combination {
	z.a[int32(f.begin)] += c
	return z
}

// tokensOf adds a term to the combination z: c times the number of tokens of the field f.
func (z combination) tokensOf(f field, c float64) combination {
	for _, y := range f.labels {
		z.a[int32(y)] += c
	}
	return z
}

// next adds a term to the combination z: c times the number of segments of g that directly follow a segment of f.
func (z combination) next(f, g field, c float64) combination {
	for _, y := range f.labels {
		z.a[int32(z.k+y*z.k+g.begin)] += c
	}
	return z
}

// of returns the value of the combination for the totals of a labelling.
func (z combination) of(totals []int32) float64 {
	v := -z.b
	for r, a := range z.a {
		v += a * float64(totals[r])
	}
	return v
}
