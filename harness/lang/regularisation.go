package lang

import "math"

// Convention is one of the papers' ways to write the regularised risk. Inside the project only λ is used, in
// λ/2 |w|² + 1/n Σ losses:
//
//	eg          Σ losses + C/2 |w|²          λ = C/n
//	svm-struct  1/2 |w|² + C/n Σ losses      λ = 1/C
//	lambda      λ/2 |w|² + 1/n Σ losses
type Convention string

// The conventions.
const (
	ConventionEG        Convention = "eg"
	ConventionSVMStruct Convention = "svm-struct"
	ConventionLambda    Convention = "lambda"
)

// Lambda converts a value in this convention (C, or λ itself) for n training examples.
func (c Convention) Lambda(value float64, n int) float64 {
	switch c {
	case ConventionEG:
		return value / float64(n)
	case ConventionSVMStruct:
		return 1 / value
	}
	return value
}

// Key is the name of the convention's values in specs, labels and columns: C or lambda.
func (c Convention) Key() string {
	if c == ConventionLambda {
		return "lambda"
	}
	return "C"
}

// Regularisation is a convention and its values: C, or with convention lambda Lambda.
type Regularisation struct {
	// eg: sum of losses + C/2 |w|^2; svm-struct: 1/2 |w|^2 + C/n sum; lambda: lambda/2 |w|^2 + 1/n sum
	Convention Convention `yaml:"convention" jsonschema:"required,enum=eg,enum=svm-struct,enum=lambda"`
	// one value, a list, or {grid: list}; with conventions eg and svm-struct
	C Values `yaml:"C"`
	// one value, a list, or {grid: list}; with convention lambda
	Lambda Values `yaml:"lambda"`
}

// Values returns the values in the convention, in the order listed.
func (r Regularisation) Values() []float64 {
	if r.Convention == ConventionLambda {
		return r.Lambda
	}
	return r.C
}

// Path runs a geometric sequence of C (or λ), each stage from the dual variables of the one before, until its own stop.
type Path struct {
	// values of C, one stage each
	C *Geometric `yaml:"C"`
	// values of lambda, one stage each; with convention lambda
	Lambda *Geometric `yaml:"lambda"`
	// end of a stage; needs a gap
	Until Stop `yaml:"until" jsonschema:"required"`
}

// Values returns the stages' values in the spec's convention.
func (p *Path) Values() []float64 {
	if p.Lambda != nil {
		return p.Lambda.Values()
	}
	return p.C.Values()
}

// Geometric is the sequence From, From·Factor, From·Factor², ... of Steps values.
type Geometric struct {
	// first value
	From float64 `yaml:"from" jsonschema:"required,exclusiveMinimum=0"`
	// ratio of two neighbours, not 1
	Factor float64 `yaml:"factor" jsonschema:"required,exclusiveMinimum=0"`
	// number of values
	Steps int `yaml:"steps" jsonschema:"required,minimum=1,maximum=10000"`
}

// Values returns the sequence; value k is From·Factor^k.
func (g *Geometric) Values() []float64 {
	values := make([]float64, g.Steps)
	for k := range values {
		values[k] = g.From * math.Pow(g.Factor, float64(k))
	}
	return values
}

// Anneal starts a run at From and lets C (or λ) move to its target:
//
//	C_t = From for t ≤ Hold, then C + (From − C)·Factor^(t−Hold),   t in epochs.
type Anneal struct {
	// value at the start, in the spec's convention
	From float64 `yaml:"from" jsonschema:"required,exclusiveMinimum=0"`
	// epochs that the first value is held
	Hold float64 `yaml:"hold" jsonschema:"minimum=0"`
	// ratio of the distances to the target in two neighbouring epochs
	Factor float64 `yaml:"factor" jsonschema:"required,exclusiveMinimum=0,exclusiveMaximum=1"`
}

// At returns the value in force at epoch t on the way to target.
func (a *Anneal) At(t, target float64) float64 {
	if t <= a.Hold {
		return a.From
	}
	return target + (a.From-target)*math.Pow(a.Factor, t-a.Hold)
}
