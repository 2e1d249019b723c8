package lang

import "math"

// Convention is one of the ways in which papers write the regularised risk. Inside the program there is only λ, in λ/2
// |w|² + 1/n Σ losses:
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

// Lambda converts a value in this convention (C, or λ itself) to λ, for n training examples.
func (c Convention) Lambda(value float64, n int) float64 {
	switch c {
	case ConventionEG:
		return value / float64(n)
	case ConventionSVMStruct:
		return 1 / value
	}
	return value
}

// key returns the key of the convention's values in specs, labels and columns: C or lambda.
func (c Convention) key() string {
	if c == ConventionLambda {
		return "lambda"
	}
	return "C"
}

// Regularisation is a convention and its values: Lambda in convention lambda, C in the other conventions.
type Regularisation struct {
	// eg: (sum of losses) + C/2 |w|^2; svm-struct: 1/2 |w|^2 + C/n (sum of losses); lambda: lambda/2 |w|^2 + 1/n (sum of
	// losses)
	Convention Convention `yaml:"convention" jsonschema:"required,enum=eg,enum=svm-struct,enum=lambda"`
	// values of C in conventions eg and svm-struct: one value, a list, or {grid: list}
	C Values `yaml:"C"`
	// values of lambda in convention lambda: one value, a list, or {grid: list}
	Lambda Values `yaml:"lambda"`
}

// values returns the values of C or λ, in the convention and the order of the spec.
func (r Regularisation) values() []float64 {
	if r.Convention == ConventionLambda {
		return r.Lambda
	}
	return r.C
}

// Path makes one run go through a geometric sequence of values of C (or λ) in stages. Each stage starts from the dual
// variables of the stage before (warm start) and ends at Until.
type Path struct {
	// values of C, one for each stage; in conventions eg and svm-struct
	C *Geometric `yaml:"C"`
	// values of lambda, one for each stage; in convention lambda
	Lambda *Geometric `yaml:"lambda"`
	// rules that end each stage; gap is required
	Until Stop `yaml:"until" jsonschema:"required"`
}

// Values returns the values of C or λ of all stages, in the spec's convention.
func (p *Path) Values() []float64 {
	if p.Lambda != nil {
		return p.Lambda.values()
	}
	return p.C.values()
}

// Geometric is the sequence From, From·Factor, From·Factor², ... of Steps values.
type Geometric struct {
	// first value
	From float64 `yaml:"from" jsonschema:"required,exclusiveMinimum=0"`
	// ratio of two successive values, not 1
	Factor float64 `yaml:"factor" jsonschema:"required,exclusiveMinimum=0"`
	// number of values
	Steps int `yaml:"steps" jsonschema:"required,minimum=1,maximum=10000"`
}

// values returns the sequence; value k, from 0, is From·Factor^k.
func (g *Geometric) values() []float64 {
	values := make([]float64, g.Steps)
	for k := range values {
		values[k] = g.From * math.Pow(g.Factor, float64(k))
	}
	return values
}

// Anneal starts a run with C (or λ) at From and moves it to the run's own C, the target, during the run:
//
//	C_t = From for t ≤ Hold, then C + (From − C)·Factor^(t−Hold),   t in epochs.
type Anneal struct {
	// value of C or lambda at the start, in the spec's convention
	From float64 `yaml:"from" jsonschema:"required,exclusiveMinimum=0"`
	// number of epochs at the start during which the value stays at from
	Hold float64 `yaml:"hold" jsonschema:"minimum=0"`
	// factor by which the distance to the target shrinks in each epoch after hold
	Factor float64 `yaml:"factor" jsonschema:"required,exclusiveMinimum=0,exclusiveMaximum=1"`
}

// At returns the value of C (or λ) at epoch t of a run with the given target.
func (a *Anneal) At(t, target float64) float64 {
	if t <= a.Hold {
		return a.From
	}
	return target + (a.From-target)*math.Pow(a.Factor, t-a.Hold)
}
