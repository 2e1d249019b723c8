package lang

// Problem is what is optimised and how: data and a model, regularisation, the solvers, and how long they run. An
// experiment without the key problems has one, without a name. Data sets, models and solvers are listed without grids,
// one entry per combination.
type Problem struct {
	Name     string    `yaml:"-"` // its key in problems, the label problem of its runs; "" without that key
	Datasets []Dataset `yaml:"-"` // alternatives of dataset, one unless it holds a grid
	Models   []Model   `yaml:"-"` // alternatives of model
	// convention and values of the regularisation
	Regularisation Regularisation `yaml:"regularisation"`
	Solvers        []Solver       `yaml:"-"` // solvers with their grids multiplied out; alternatives share As
	// which runs go on after a trial
	Choose []Choose `yaml:"choose"`
	// seeds of the runs, the same for every solver; default [1]
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	// a run is done at the first record that meets one of these
	Stop Stop `yaml:"stop"`
	// a run is given up, and its figures are censored, beyond one of these
	Budget *Budget `yaml:"budget"`
	// when rows are written and what they hold
	Record Record `yaml:"record"`
	// which weights are the result of a run, for the problems that begin with them and for --save-weights: the last
	// ones, or those of the best row
	Keep *Keep `yaml:"keep"`
	// in problems: an earlier problem, whose model and weights this one's model is built on; of its runs the one
	// that agrees in all grids of the data set, folds and seeds
	From string `yaml:"from" jsonschema:"minLength=1"`
}

// problemsKey is the key of an experiment on several problems.
const problemsKey = "problems"

// problemKeys lists the keys that a problem may set; the rest belong to the experiment.
func problemKeys() []string {
	return []string{"from", "dataset", "model", "regularisation", "solvers", "choose", "seeds", "stop", "budget", "record",
		"keep"}
}

// seedsOf lists the solver's own seeds, or those of the problem.
func (p *Problem) seedsOf(v Solver) []uint64 {
	if len(v.Seeds) > 0 {
		return v.Seeds
	}
	return p.Seeds
}

// values returns the values of C or λ that a solver without a path is run with.
func (p *Problem) values(v Solver) []float64 {
	own := v.C
	if p.Regularisation.Convention == ConventionLambda {
		own = v.Lambda
	}
	if len(own) > 0 {
		return own
	}
	return p.Regularisation.Values()
}
