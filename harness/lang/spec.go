package lang

// Version is the only apiVersion that this package reads.
const Version = "gaplab/v1"

// Spec is one experiment at one scale. It is checked, and overlays, --set items and defaults are applied. It has at
// least one problem; the other fields belong to all problems together.
type Spec struct {
	File  string `yaml:"-"` // the file's name as given to Parse
	Scale string `yaml:"-"` // smoke, quick, paper; own if the file has no scales
	// File.BuiltIn
	BuiltIn bool `yaml:"-"`
	// what the user changed: items of --set, and seed=N of Reseed
	Overrides []string `yaml:"-"`
	// File.Hash
	Hash string `yaml:"-"`
	// version of the language
	APIVersion string `yaml:"apiVersion" jsonschema:"required,enum=gaplab/v1"`
	// paper/item, such as eg/fig06
	ID string `yaml:"id" jsonschema:"required,maxLength=200,pattern=^[A-Za-z0-9][\\w.-]*(/[A-Za-z0-9][\\w.-]*)*$"`
	// heading of the figure or table
	Title string `yaml:"title" jsonschema:"maxLength=500"`
	// what the experiment shows; default: by the other keys
	Kind string `yaml:"kind" jsonschema:"enum=figure,enum=table,enum=theorem,enum=own"`
	// the item of a paper that the experiment reproduces
	Paper *Paper `yaml:"paper"`
	// run everything once per seed and fold
	Repeat Repeat `yaml:"repeat"`
	// one panel given directly, or several in panels
	Figure *FigureSpec `yaml:"figure"`
	// one row per value of a label, beside the paper's printed numbers
	Table *TableSpec `yaml:"table"`
	// statements of the paper with the expressions that check them
	Claims []Claim `yaml:"claims"`

	Problems []Problem `yaml:"-"` // in the order of the file
}

// Paper names the item of a paper that the experiment reproduces.
type Paper struct {
	// the paper: the first part of the id
	Key string `yaml:"key" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$"`
	// number of the figure
	Figure int `yaml:"figure" jsonschema:"minimum=1"`
	// number of the table
	Table int `yaml:"table" jsonschema:"minimum=1"`
	// section, if it is neither a figure nor a table
	Section string `yaml:"section"`
}

// Repeat runs everything once per seed and fold.
type Repeat struct {
	// the same as the top-level seeds; give only one of the two
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	// number of folds of the data
	Folds int `yaml:"folds" jsonschema:"minimum=2,maximum=1000"`
}

// folds returns 1 to the number of folds; 0 alone, which is the whole data set, if there are none.
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

// The scales. ScaleOwn is the only scale of a file without scales.
const (
	ScaleSmoke = "smoke" // seconds, on generated data
	ScaleQuick = "quick" // minutes
	ScalePaper = "paper" // the sizes of the paper
	ScaleOwn   = "own"
)

// scaleNames lists what the key scales accepts, smallest first.
func scaleNames() []string { return []string{ScaleSmoke, ScaleQuick, ScalePaper} }

// fixedKeys lists the keys that are the same at every scale.
func fixedKeys() []string { return []string{"apiVersion", "id", "paper", "scales"} }
