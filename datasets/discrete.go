package datasets

// Discrete are rows of discrete variables, one of which is the class.
type Discrete struct {
	Variables []Variable // the same for training and validation data
	Class     int        // index of the variable that is the class; −1 in a stream without a class
	Value     []uint8    // value of variable v in row i: Value[i·len(Variables) + v], an index into Variables[v].Values
}

// Variable is a discrete variable with at most 256 values.
type Variable struct {
	Name   string   // unique among the variables
	Values []string // Values[x] is the name of the value x
}

var _ Data = (*Discrete)(nil)

// Len returns the number of rows.
func (d *Discrete) Len() int { return len(d.Value) / len(d.Variables) }

// Kind returns "rows of discrete variables".
func (d *Discrete) Kind() string { return "rows of discrete variables" }

// Row returns the values of row i. The slice shares memory with d.
func (d *Discrete) Row(i int) []uint8 {
	n := len(d.Variables)
	return d.Value[i*n : (i+1)*n]
}

// Pick returns a copy of the rows with the given indices, in this order.
func (d *Discrete) Pick(list []int) *Discrete {
	out := &Discrete{Variables: d.Variables, Class: d.Class, Value: make([]uint8, 0, len(list)*len(d.Variables))}
	for _, i := range list {
		out.Value = append(out.Value, d.Row(i)...)
	}
	return out
}
