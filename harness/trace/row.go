// Package trace is the record of runs: rows in append-only JSONL files, and the curves that figures, tables, claims
// and the gate read. It knows no solver and no expression.
//
// A file holds a manifest line, one line per record, and an end line; a file without an end line is a partial result.
//
//	w, err := trace.Create(path, manifest)
//	err = w.Append(trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Primal: 0.65}})
//	err = w.Close(trace.End{Status: trace.Done, Why: "gap 0.001"})
//
//	files, err := trace.ReadDir("results/runs/eg/fig06")
//	set := trace.NewSet(files)
//	for _, curve := range set.Curves { fmt.Println(curve.Labels["C"], curve.Final(trace.GapPercent)) }
package trace

// Column names that every row may have. Metrics (validation_error, ...) and the solver's own quantities are columns
// under their own names. Rows hold finite numbers only: unknown values are absent.
const (
	Passes      = "passes"       // effective passes: oracle calls of the run (set-up apart) / n
	Epoch       = "epoch"        // completed epochs of the solver
	MaxCalls    = "max_calls"    // calls of the max-oracle
	ExpCalls    = "exp_calls"    // calls of the exp-oracle that asked for marginals
	SumCalls    = "sum_calls"    // calls of the exp-oracle that asked for the value only
	SlackCalls  = "slack_calls"  // calls of the slack-rescaling oracle
	SecondCalls = "second_calls" // calls of the second-best oracle
	SetupCalls  = "setup_calls"  // calls of any kind by the solver's set-up, not in the columns above
	Seconds     = "seconds"      // solver time by the wall clock, evaluation excluded
	// CPUSeconds is solver time on processors: of the thread that runs the solver, of its workers' threads, and of
	// programs that it runs. Other runs and programs on the machine do not change it. Absent where the system has no such
	// clock, and from results made before rows had it.
	CPUSeconds  = "cpu_seconds"
	C           = "C"            // regularisation in force, in the spec's convention
	Lambda      = "lambda"       // the same as λ
	Stage       = "stage"        // index of the value of C on a path, from 0
	StagePasses = "stage_passes" // passes since the stage began
	Primal      = "primal"       // P(w), per example
	Dual        = "dual"         // lower bound on min P
	Gap         = "gap"          // (primal − dual)/|primal|; 0 where they are equal
	// What a run that had the process to itself took besides, from its first and last lines:
	DataCPUSeconds = "data_cpu_seconds" // Manifest.DataCPUSeconds, in each row
	PeakBytes      = "peak_bytes"       // End.PeakBytes, in the last row
	// Derived when curves are read, from all runs on the same problem:
	Opt           = "opt"            // best known value of the optimum: the smallest primal
	OptLow        = "opt_low"        // largest dual: the optimum lies in [opt_low, opt]
	GapPercent    = "gap_percent"    // 100 (primal − dual)/|opt|
	ExcessPercent = "excess_percent" // 100 (primal − opt)/|opt|
)

// Row is one record of a run.
type Row struct {
	Values   map[string]float64 // by column name; finite
	Warnings []string
}

// Format names the layout of a file: its end line carries a digest over all its bytes. Read also accepts files of the
// first layout, which have none, and refuses others.
const (
	Format      = "gaplab-trace/2"
	formatFirst = "gaplab-trace/1"
)

// Manifest says where a run's rows came from. It is the first line of the file.
type Manifest struct {
	Format     string `json:"format"` // Format; Create fills it in
	Experiment string `json:"experiment"`
	Key        string `json:"key"` // hash of the run's own spec and of the data's checksum
	// hash of the run's own spec alone: finds its results without the data
	Plan  string `json:"plan,omitempty"`
	Order int    `json:"order"` // position in the plan, from 0: the order of curves in figures
	Scale string `json:"scale"`
	// revisions of what the run is made of, by names such as "solver eg", and hashes of their code
	Revisions map[string]int    `json:"revisions,omitempty"`
	Sources   map[string]string `json:"sources,omitempty"`
	// what curves are told apart by: as, solver, dataset, model, loss, C, lambda, seed, n, grid keys
	Labels     map[string]any `json:"labels"`
	Spec       map[string]any `json:"spec"` // the run's own spec, resolved
	Data       DataManifest   `json:"data"`
	N          int            `json:"n"`
	Validation int            `json:"validation,omitempty"` // validation examples; 0: none, or made before this was kept
	Dim        int            `json:"dim"`
	Commit     string         `json:"commit,omitempty"`
	Dirty      bool           `json:"dirty,omitempty"`
	// hash of all sources of the program, comments and tests too: it tells changes apart that are not committed
	Program    string   `json:"program,omitempty"`
	Command    []string `json:"command,omitempty"` // the command line, folders left out; nil: made in Go
	GoVersion  string   `json:"go"`
	Platform   string   `json:"platform"` // GOOS/GOARCH
	CPU        string   `json:"cpu"`
	Workers    int      `json:"workers"`
	Processors int      `json:"processors,omitempty"` // that the program could use at a time
	Alone      bool     `json:"alone,omitempty"`      // no other run of the same folder went on beside it
	Load       *float64 `json:"load,omitempty"`       // of the machine at the start: see End
	Start      string   `json:"start"`                // RFC 3339
	// CPU time of the process to read the data (from their files, or as datasets.Parsed kept them) and to make the task of
	// them, which runs on the same data share; 0: not known, or not alone in the process
	DataCPUSeconds float64 `json:"data_cpu_seconds,omitempty"`
	Outside        bool    `json:"outside,omitempty"` // another program did the work, whose rows are not compared
	Thinned        int     `json:"thinned,omitempty"` // rows before thinning, if this is a thinned copy
	// which of them a reference keeps, from 0; nil: all, or not known
	Kept     []int    `json:"kept,omitempty"`
	Exact    string   `json:"exact,omitempty"`   // of a reference: Exact of the rows before thinning
	Because  string   `json:"because,omitempty"` // of a reference: why it replaced another
	Warnings []string `json:"warnings,omitempty"`
	Auto     string   `json:"auto,omitempty"` // why this solver was chosen, if the spec left that open
}

// DataManifest names the data of a run.
type DataManifest struct {
	Name      string            `json:"name"`
	Synthetic bool              `json:"synthetic"`
	Checksum  string            `json:"checksum"`
	Files     map[string]string `json:"files,omitempty"`
}

// Status of a run that ended.
type Status string

const (
	Done        Status = "done"        // a stop rule was met, or the solver converged
	Budget      Status = "budget"      // the budget ran out first
	Diverged    Status = "diverged"    // the primal became infinite or NaN
	Failed      Status = "failed"      // an error or a panic
	Interrupted Status = "interrupted" // by the user; also a file without an end line
	Unsupported Status = "unsupported" // the solver cannot solve this problem
)

// End is the last line of a file.
type End struct {
	Status     Status  `json:"status"`
	Why        string  `json:"why"`            // which rule stopped it in words, or the error
	Rule       string  `json:"rule,omitempty"` // of a run that is done: gap, passes, epochs, seconds, converged
	Rows       int     `json:"rows"`           // rows in the file; Close fills it in
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds,omitempty"` // as the column; 0: not known
	// times that another process went on with the run: seconds are then the sum of those of several processes, from which
	// what was lost between the last state and the end of each is missing
	Resumed int `json:"resumed,omitempty"`
	// of the wall, for the evaluations and the rows; the solver's clock stands meanwhile
	RecordSeconds float64 `json:"record_seconds,omitempty"`
	// processes that were running or ready to run on the machine, this one among them: a mean over the last minute of the
	// run, or of what came before it if that was shorter; nil: not known
	Load *float64 `json:"load,omitempty"`
	// share of the garbage collector in the CPU time of the process, other runs in it included, while the run went on: an
	// estimate of the Go runtime; 0: no collection. It is not in cpu_seconds, but for what the solver's own threads did
	GC float64 `json:"gc,omitempty"`
	// largest resident memory: of the programs that the solver ran, else of the process while the run went on, with the
	// data that it held and evaluations; 0: not known, or not alone in the process
	PeakBytes int64          `json:"peak_bytes,omitempty"`
	Weights   string         `json:"weights,omitempty"` // file of the saved weights
	Labels    map[string]any `json:"labels,omitempty"`  // labels that only the end knows, such as chosen
	// Examples holds, by metric, what each validation example contributed at the row whose weights are kept.
	Examples map[string]Examples `json:"examples,omitempty"`
}

// Examples are the counts of a metric by validation example: its value is ΣNum/ΣDen.
type Examples struct {
	// hash of the validation examples' true labellings: only runs on the same examples can be paired
	Of  string    `json:"of,omitempty"`
	Num []float64 `json:"num"`
	Den []float64 `json:"den"`
}

// File is one file of rows as it was read.
type File struct {
	Path     string
	Manifest Manifest
	Rows     []Row
	End      *End     // nil: the run did not end
	Warnings []string // a torn last line
	Older    string   // revisions older than the program's; "" if none is, or not yet compared
	// Spec is the manifest's with settings that were added since, at their defaults; nil: as it stands there
	Spec map[string]any
}

// Status of the run: Interrupted if the file has no end line.
func (f *File) Status() Status {
	if f.End == nil {
		return Interrupted
	}
	return f.End.Status
}
