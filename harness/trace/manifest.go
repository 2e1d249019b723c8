package trace

// Format names the layout of a file: its end line carries a digest over all its bytes. Read also accepts files of the
// first layout, which have none, and refuses others.
const (
	Format      = "gaplab-trace/2"
	formatFirst = "gaplab-trace/1"
)

// Manifest says what a run is and where its rows come from. It is the first line of the file. In JSON the fields of
// all groups are on one level.
type Manifest struct {
	Format     string `json:"format"` // Format; Create fills it in
	Experiment string `json:"experiment"`
	Key        string `json:"key"`            // hash of the run's spec, of the revisions and of the data's checksum
	Plan       string `json:"plan,omitempty"` // hash of the run's spec alone: finds its results without the data
	Order      int    `json:"order"`          // position in the plan, from 0: the order of curves in figures
	Scale      string `json:"scale"`
	Components
	// Labels tell curves apart: as, solver, dataset, model, loss, C, lambda, seed, n, and the keys of grids.
	Labels map[string]any `json:"labels"`
	Spec   map[string]any `json:"spec"` // the run's own spec, resolved
	Data   DataManifest   `json:"data"`
	Size
	Origin
	Conditions
	Outside bool `json:"outside,omitempty"` // another program did the work; its rows are not compared
	Thinning
	Warnings []string `json:"warnings,omitempty"`
	Auto     string   `json:"auto,omitempty"` // why this solver was chosen, if the spec left that open
}

// Components are the data set, the model, the solver and the recorder of a run, by names such as "solver eg".
type Components struct {
	Revisions map[string]int    `json:"revisions,omitempty"`
	Sources   map[string]string `json:"sources,omitempty"` // hashes of their code
}

// DataManifest names the data of a run.
type DataManifest struct {
	Name      string            `json:"name"`
	Synthetic bool              `json:"synthetic"`
	Checksum  string            `json:"checksum"`
	Files     map[string]string `json:"files,omitempty"`
}

// Size is the size of a problem.
type Size struct {
	N          int `json:"n"`                    // training examples
	Validation int `json:"validation,omitempty"` // validation examples; 0: none, or made before this was recorded
	Dim        int `json:"dim"`                  // weights
}

// Origin names the program and the machine that made a run.
type Origin struct {
	Commit    string   `json:"commit,omitempty"`
	Dirty     bool     `json:"dirty,omitempty"`   // the sources had changed since the commit
	Program   string   `json:"program,omitempty"` // hash of all sources, with tests: tells uncommitted changes apart
	Command   []string `json:"command,omitempty"` // the command line without folders; nil: made in Go
	GoVersion string   `json:"go"`
	Platform  string   `json:"platform"` // GOOS/GOARCH
	CPU       string   `json:"cpu"`
}

// Conditions are those under which a run was timed.
type Conditions struct {
	Workers    int      `json:"workers"`              // runs at a time
	Processors int      `json:"processors,omitempty"` // that the program could use at a time
	Alone      bool     `json:"alone,omitempty"`      // no other run of the same folder ran at the same time
	Load       *float64 `json:"load,omitempty"`       // of the machine at the start: see End
	Start      string   `json:"start"`                // RFC 3339
	// DataCPUSeconds is the CPU time of the process to read the data (from their files, or as datasets.Parsed cached
	// them) and to build the task, which runs on the same data share; 0: not known, or not alone in the process.
	DataCPUSeconds float64 `json:"data_cpu_seconds,omitempty"`
}

// Thinning says which rows a thinned copy or a reference keeps.
type Thinning struct {
	Thinned int    `json:"thinned,omitempty"` // rows before thinning, if this is a thinned copy
	Kept    []int  `json:"kept,omitempty"`    // of a reference: which of them it keeps, from 0; nil: all, or not known
	Exact   string `json:"exact,omitempty"`   // of a reference: Exact of the rows before thinning
	Because string `json:"because,omitempty"` // of a reference: why it replaced another
}
