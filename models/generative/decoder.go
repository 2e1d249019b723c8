package generative

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
)

// netVocabulary is the part of a network that predictions need besides the weights: the variables of its tables, and
// their families. A variable is given by its index in Variables.
type netVocabulary struct {
	Variables []netVariable `json:"variables"`
	Class     int           `json:"class"`
	Families  []netFamily   `json:"families"` // the family of the class comes first
}

type netVariable struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

type netFamily struct {
	Variable int   `json:"variable"`
	Parents  []int `json:"parents,omitempty"` // the parents other than the class
}

// newNetVocabulary returns the vocabulary of families. It contains only the variables that occur in them.
func newNetVocabulary(d *datasets.Discrete, families []family) netVocabulary {
	var v netVocabulary
	at := map[int]int{}
	place := func(variable int) int {
		if _, ok := at[variable]; !ok {
			at[variable] = len(v.Variables)
			v.Variables = append(v.Variables, netVariable(d.Variables[variable]))
		}
		return at[variable]
	}
	v.Class = place(d.Class)
	for _, f := range families {
		own := netFamily{Variable: place(f.variable)}
		for _, p := range f.parents {
			own.Parents = append(own.Parents, place(p))
		}
		v.Families = append(v.Families, own)
	}
	return v
}

// check returns an error if the vocabulary is damaged.
func (v *netVocabulary) check() error {
	n := len(v.Variables)
	if v.Class < 0 || v.Class >= n || len(v.Families) == 0 || v.Families[0].Variable != v.Class {
		return errors.New("the vocabulary has no class, or no family of the class")
	}
	for i, variable := range v.Variables {
		if k := len(variable.Values); k < 1 || k > 256 || i == v.Class && k < 2 {
			return fmt.Errorf("variable %q has %d values: want 1 to 256, and at least 2 for the class", variable.Name, k)
		}
	}
	for i, f := range v.Families {
		of := append([]int{f.Variable}, f.Parents...)
		cells := len(v.Variables[v.Class].Values)
		for k, p := range of {
			if p < 0 || p >= n || (p == v.Class) != (i == 0 && k == 0) {
				return fmt.Errorf("family %d has the variable %d: want 0 to %d, and the class only as the variable of "+
					"family 1", i+1, p, n-1)
			}
			if cells *= len(v.Variables[p].Values); cells > climbCells*256 {
				return fmt.Errorf("family %d has a table of more than %d numbers", i+1, climbCells*256)
			}
		}
	}
	return nil
}

// netDecoder predicts the class of rows of discrete variables.
type netDecoder struct {
	net    *bayesNetwork
	names  netVocabulary
	value  []map[string]uint8  // for each variable: the number of each value
	header []datasets.Variable // variables of the current data
	places []int               // for each variable of the network: its column in the data; −1: the data lack the class
	out    datasets.Discrete   // memory of Example and Output
}

// Dim implements models.Decoder.
func (d *netDecoder) Dim() int { return d.net.dim }

// Target implements models.Decoder.
func (d *netDecoder) Target() string { return d.names.Variables[d.names.Class].Name }

// Example implements models.Decoder. It finds variables by their names and values by their texts.
func (d *netDecoder) Example(data datasets.Data) (models.Example, error) {
	row, ok := data.(*datasets.Discrete)
	if !ok || row.Len() != 1 {
		return models.Example{}, fmt.Errorf("want one row of discrete variables at a time, not %d %s", data.Len(),
			data.Kind())
	}
	if err := d.find(row.Variables); err != nil {
		return models.Example{}, err
	}
	for v, at := range d.places {
		if v == d.names.Class {
			continue
		}
		text := row.Variables[at].Values[row.Value[at]]
		n, ok := d.value[v][text]
		if !ok {
			return models.Example{}, fmt.Errorf("variable %s has the value %q: want %s", row.Variables[at].Name, text,
				strings.Join(d.names.Variables[v].Values, ", "))
		}
		d.out.Value[v] = n
	}
	f := &bayesNetFeatures{d.net, &d.out, 0}
	return classes.Example(f, nil, nil), nil
}

// Sample implements models.Sampler. It returns a row with the first value of each variable but the class.
func (d *netDecoder) Sample() datasets.Data {
	out := &datasets.Discrete{Class: -1}
	for v, variable := range d.names.Variables {
		if v != d.names.Class {
			out.Variables = append(out.Variables, datasets.Variable(variable))
		}
	}
	out.Value = make([]uint8, len(out.Variables))
	return out
}

// find looks up the variables of the network by name among the variables of the data.
func (d *netDecoder) find(header []datasets.Variable) error {
	if len(header) == len(d.header) && len(header) > 0 && &header[0] == &d.header[0] {
		return nil
	}
	d.header, d.places = header, d.places[:0]
	for v, own := range d.names.Variables {
		at := slices.IndexFunc(header, func(other datasets.Variable) bool { return other.Name == own.Name })
		if at < 0 && v != d.names.Class {
			var names []string
			for _, other := range header {
				names = append(names, other.Name)
			}
			return fmt.Errorf("the data have no variable %s; their variables are %s", own.Name, strings.Join(names, ", "))
		}
		d.places = append(d.places, at)
	}
	return nil
}

// Output implements models.Decoder.
func (d *netDecoder) Output(_ datasets.Data, _ models.Example, y models.Vertex) datasets.Data {
	d.out.Value[d.out.Class] = uint8(y[0])
	return &d.out
}

// Choices implements models.Chooser.
func (d *netDecoder) Choices(models.Example) models.Choices {
	return classes.Choices(d.names.Variables[d.names.Class].Values)
}

// Warnings implements models.Decoder.
func (*netDecoder) Warnings() []string { return nil }
