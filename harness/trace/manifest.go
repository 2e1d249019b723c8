package trace

// Format names the layout of a trace, whose end line has a digest of all bytes before it. Read also accepts the first
// layout, which has no digest, and refuses all others.
const (
	Format      = "gaplab-trace/2"
	formatFirst = "gaplab-trace/1"
)

// Manifest describes a run and the origin of its rows. It is the first line of the file. In JSON the fields of all
// groups are on one level.
type Manifest struct {
	Format     string `json:"format"` // Format; the Writer fills it in
	Experiment string `json:"experiment"`
	Key        string `json:"key"`            // hash of the run's spec, of the revisions and of the data's checksum
	Plan       string `json:"plan,omitempty"` // hash of the run's spec alone, to find its results without the data
	Order      int    `json:"order"`          // position in the plan, from 0; also the order of curves in figures
	Scale      string `json:"scale"`
	Components
	// Labels distinguish curves: as, solver, dataset, model, loss, C, lambda, seed, n, and the keys of grids.
	Labels map[string]any `json:"labels"`
	Spec   map[string]any `json:"spec"` // the run's own spec, resolved
	Data   DataManifest   `json:"data"`
	Size
	Origin
	Conditions
	Outside bool `json:"outside,omitempty"` // another program did the work; the gate does not compare its rows
	Thinning
	Warnings []string `json:"warnings,omitempty"`
	Auto     string   `json:"auto,omitempty"` // why gaplab chose this solver, if the spec did not name one
}

// Components holds the revisions and sources of a run's data set, model, solver and recorder, by names such as
// "solver eg".
type Components struct {
	Revisions map[string]int    `json:"revisions,omitempty"`
	Sources   map[string]string `json:"sources,omitempty"` // hashes of their code
}

// DataManifest describes the data of a run.
type DataManifest struct {
	Name      string            `json:"name"`
	Synthetic bool              `json:"synthetic"`
	Checksum  string            `json:"checksum"`
	Files     map[string]string `json:"files,omitempty"`
}

// Size is the size of a problem.
type Size struct {
	N          int `json:"n"`                    // number of training examples
	Validation int `json:"validation,omitempty"` // number of validation examples; 0: none, or an old run without it
	Dim        int `json:"dim"`                  // number of weights
}

// Origin names the program and the machine that made a run.
type Origin struct {
	Commit    string   `json:"commit,omitempty"`
	Dirty     bool     `json:"dirty,omitempty"`   // the sources had uncommitted changes
	Program   string   `json:"program,omitempty"` // hash of all sources and tests; distinguishes uncommitted changes
	Command   []string `json:"command,omitempty"` // the command line without folders; nil: the run was started from Go
	GoVersion string   `json:"go"`
	Platform  string   `json:"platform"` // GOOS/GOARCH
	CPU       string   `json:"cpu"`
}

// Conditions describes the circumstances under which a run was timed.
type Conditions struct {
	Workers    int      `json:"workers"`              // number of runs at the same time
	Processors int      `json:"processors,omitempty"` // number of processors that the program could use
	Alone      bool     `json:"alone,omitempty"`      // no other run of the same folder ran at the same time
	Load       *float64 `json:"load,omitempty"`       // load of the machine at the start (see End.Load)
	Start      string   `json:"start"`                // time of the start (RFC 3339)
	// DataCPUSeconds is the CPU time that the process needed to read the data (from their files, or from the cache of
	// datasets.Parsed) and to build the task. Runs on the same data share both; 0: not known, or other runs shared the
	// process.
	DataCPUSeconds float64 `json:"data_cpu_seconds,omitempty"`
}

// Thinning records which rows a thinned copy or a reference keeps.
type Thinning struct {
	Thinned int    `json:"thinned,omitempty"` // number of rows before thinning; 0: the run is not thinned
	Kept    []int  `json:"kept,omitempty"`    // for a reference: indices of the kept rows, from 0; nil: all, or not known
	Exact   string `json:"exact,omitempty"`   // for a reference: Exact of the rows before thinning
	Because string `json:"because,omitempty"` // for a reference: why it replaced an earlier reference
}
