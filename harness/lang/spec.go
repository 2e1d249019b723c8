package lang

// Version is the one apiVersion that this package reads.
const Version = "gaplab/v1"

// Spec is one experiment at one scale: overlays and --set applied, defaults filled in, checked. What it runs is in its
// problems, of which there is at least one; the rest belongs to all of them together.
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
	ID string `yaml:"id" jsonschema:"required,pattern=^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$"`
	// heading of the figure or table
	Title string `yaml:"title"`
	// default: by what the spec has
	Kind string `yaml:"kind" jsonschema:"enum=figure,enum=table,enum=theorem,enum=own"`
	// the item that the experiment regenerates
	Paper *Paper `yaml:"paper"`
	// run everything once per seed and fold
	Repeat Repeat `yaml:"repeat"`
	// one panel given in place, or several in panels
	Figure *Figure `yaml:"figure"`
	// one row per value of a label, beside the paper's printed numbers
	Table *Table `yaml:"table"`
	// statements of the paper with the expressions that check them
	Claims []Claim `yaml:"claims"`

	Problems []Problem `yaml:"-"` // in the order of the file
}

// Paper says which item of which paper the experiment regenerates.
type Paper struct {
	// the paper: the first part of the id
	Key string `yaml:"key" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$"`
	// number of the figure
	Figure int `yaml:"figure" jsonschema:"minimum=1"`
	// number of the table
	Table int `yaml:"table" jsonschema:"minimum=1"`
	// section, if it is neither figure nor table
	Section string `yaml:"section"`
}

// Repeat runs everything once per seed and fold.
type Repeat struct {
	// the same as the top-level seeds: only one of the two may be given
	Seeds []uint64 `yaml:"seeds" jsonschema:"minItems=1,uniqueItems=true,maximum=9007199254740991"`
	// number of folds of the data
	Folds int `yaml:"folds" jsonschema:"minimum=2,maximum=1000"`
}
