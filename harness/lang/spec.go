package lang

// Version is the only apiVersion that this package reads.
const Version = "gaplab/v1"

// Spec is one experiment at one scale, without faults: overlays, --set items and defaults are applied. It has at least
// one problem; the other fields belong to all problems together.
type Spec struct {
	File  string `yaml:"-"` // the file's name as given to Parse
	Scale string `yaml:"-"` // smoke, quick, paper; own if the file has no scales
	// same as File.BuiltIn
	BuiltIn bool `yaml:"-"`
	// the user's changes: items of --set, and seed=N of Reseed
	Overrides []string `yaml:"-"`
	// same as File.Hash
	Hash string `yaml:"-"`
	// version of the language
	APIVersion string `yaml:"apiVersion" jsonschema:"required,enum=gaplab/v1"`
	// the paper and its item, such as eg/fig06
	ID string `yaml:"id" jsonschema:"required,maxLength=200,pattern=^[A-Za-z0-9][\\w.-]*(/[A-Za-z0-9][\\w.-]*)*$"`
	// heading of the figure or table
	Title string `yaml:"title" jsonschema:"maxLength=500"`
	// what the experiment shows; default: follows from the other keys
	Kind string `yaml:"kind" jsonschema:"enum=figure,enum=table,enum=theorem,enum=own"`
	// the item of a paper that the experiment reproduces
	Paper *Paper `yaml:"paper"`
	// seeds, folds and repetitions: every run is made once for each of them
	Repeat Repeat `yaml:"repeat"`
	// the figure: the keys of its only panel, or a list of panels under the key panels
	Figure *FigureSpec `yaml:"figure"`
	// the table: one row for each value of a label, with the paper's printed numbers beside it
	Table *TableSpec `yaml:"table"`
	// statements of the paper with the expressions that check them
	Claims []Claim `yaml:"claims"`

	Problems []Problem `yaml:"-"` // in the order of the file
}

// Paper names the item of a paper that the experiment reproduces.
type Paper struct {
	// key of the paper, the first element of the id
	Key string `yaml:"key" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$"`
	// number of the figure
	Figure int `yaml:"figure" jsonschema:"minimum=1"`
	// number of the table
	Table int `yaml:"table" jsonschema:"minimum=1"`
	// section of the paper, for an item that is neither figure nor table
	Section string `yaml:"section"`
}

// Repeat lists seeds, folds and repetitions: every run is made once for each seed, fold and repetition.
type Repeat struct {
	// seeds of the runs, as the top-level key "seeds"; give only one of the two
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	// number of folds into which the data are split
	Folds int `yaml:"folds" jsonschema:"minimum=2,maximum=1000"`
	// number of repetitions of each run, for claims and figures about time. The repetitions have the same rows and
	// differ only in times. The runs of the experiment are repeated in turn: all are made once before any is made again
	Times int `yaml:"times" jsonschema:"minimum=2,maximum=100"`
}

// folds returns the numbers 1 to Folds. Without folds it returns only 0, which means the whole data set.
func (r Repeat) folds() []int {
	if r.Folds == 0 {
		return []int{0}
	}
	out := make([]int, r.Folds)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// The names of the scales. ScaleOwn is the only scale of a file without the key scales.
const (
	ScaleSmoke = "smoke" // takes seconds, on generated data
	ScaleQuick = "quick" // takes minutes
	ScalePaper = "paper" // has the sizes of the paper
	ScaleOwn   = "own"
)

// scaleNames lists the scales that the key "scales" may contain, smallest first.
func scaleNames() []string { return []string{ScaleSmoke, ScaleQuick, ScalePaper} }

// fixedKeys lists the keys that are the same at every scale.
func fixedKeys() []string { return []string{"apiVersion", "id", "paper", "scales"} }
