package trace

// Format names the layout of a trace, whose end line has a digest of all bytes before it. Read also accepts the first
// layout (formatFirst), which has no digest, and refuses all others.
const (
	Format      = "gaplab-trace/2"
	formatFirst = "gaplab-trace/1"
)

// Manifest describes a run and the program and machine that made it. It is the first line of the file. In JSON, the
// fields of the embedded structs are on one level.
type Manifest struct {
	Format     string `json:"format"` // layout of the file; the Writer sets it
	Experiment string `json:"experiment"`
	Key        string `json:"key"`            // hash of the run's spec, of the revisions and of the data's checksum
	Plan       string `json:"plan,omitempty"` // hash of the run's spec alone, to find its results without the data
	Order      int    `json:"order"`          // position in the plan, from 0; also the order of curves in figures
	Scale      string `json:"scale"`
	Components
	// Labels distinguish curves: as, solver, dataset, model, loss, C, lambda, seed, n, and the keys of grids.
	Labels map[string]any `json:"labels"`
	Spec   map[string]any `json:"spec"` // the settings of this run, with defaults filled in
	Data   DataManifest   `json:"data"`
	Size
	Origin
	Conditions
	Outside bool `json:"outside,omitempty"` // another program did the work, so the gate does not compare the rows
	Thinning
	Warnings []string `json:"warnings,omitempty"`
	Auto     string   `json:"auto,omitempty"` // why gaplab chose this solver, if the spec did not name one
}

// Components contains the revision and the hash of the code of each component of a run: data set, model, solver and
// recorder. The keys are names such as "solver eg".
type Components struct {
	Revisions map[string]int    `json:"revisions,omitempty"`
	Sources   map[string]string `json:"sources,omitempty"` // hash of the code of each component
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
	Validation int `json:"validation,omitempty"` // number of validation examples; 0: none, or not recorded in an old run
	Dim        int `json:"dim"`                  // number of weights
}

// Origin names the program and the machine that made a run.
type Origin struct {
	Commit    string   `json:"commit,omitempty"`
	Dirty     bool     `json:"dirty,omitempty"`   // the sources had uncommitted changes
	Program   string   `json:"program,omitempty"` // hash of all sources without tests; distinguishes uncommitted changes
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
	// Sitting names the process that made the run. Times of runs are compared only if they are from one sitting; "": the
	// program did not record it.
	Sitting string `json:"sitting,omitempty"`
	// DataCPUSeconds is the CPU time of reading the data (from their files, or from the cache of datasets.Parsed) and of
	// building the task. Runs on the same data share this time. 0: not known, or other runs shared the process.
	DataCPUSeconds float64 `json:"data_cpu_seconds,omitempty"`
	// Least is the least time of the run's oracle calls on this machine. nil: not known, or other runs shared the process.
	Least *Least `json:"least,omitempty"`
}

// Least is the CPU time in seconds that one oracle call takes at least on a machine, as a mean over the examples: for
// its arithmetic at the machine's measured speed, and for reading its weights and its row from memory at the measured
// bandwidth (models.Work). Code that does both at once takes at least the larger of the two.
type Least struct {
	Arithmetic float64 `json:"arithmetic"`
	Memory     float64 `json:"memory"`
}

// Thinning records which rows of a run a copy has, if the copy has only some of the rows (see Thin).
type Thinning struct {
	Thinned int    `json:"thinned,omitempty"` // number of rows of the run; 0: the file has all rows
	Kept    []int  `json:"kept,omitempty"`    // for a reference: indices of its rows in the run; nil: all or not known
	Exact   string `json:"exact,omitempty"`   // for a reference: digest (see Exact) of all rows of the run
	Because string `json:"because,omitempty"` // for a reference: why it replaced an earlier reference
}
