package trace

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
	Rule       string  `json:"rule,omitempty"` // of a run that is done: gap, passes, epochs, seconds, patience, converged
	Rows       int     `json:"rows"`           // rows in the file; Close fills it in
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds,omitempty"` // as the column; 0: not known
	// Resumed is the number of resumptions. The seconds are then summed over several processes, without the work that
	// each lost after its last checkpoint.
	Resumed int `json:"resumed,omitempty"`
	// RecordSeconds is the wall-clock time of evaluations and rows, during which the solver's clock stands.
	RecordSeconds float64 `json:"record_seconds,omitempty"`
	// Load is the number of processes that were running or ready to run on the machine, with this one: a mean over the
	// last minute of the run, or of what came before it if that was shorter; nil: not known.
	Load *float64 `json:"load,omitempty"`
	// GC is the share of the garbage collector in the CPU time of the process during the run, other runs in it
	// included: an estimate of the Go runtime; 0: no collection. It is not in cpu_seconds, except what the solver's own
	// threads did.
	GC float64 `json:"gc,omitempty"`
	// PeakBytes is the largest resident memory: of the programs that the solver ran, else of the process during the
	// run, with its data and evaluations; 0: not known, or not alone in the process.
	PeakBytes int64          `json:"peak_bytes,omitempty"`
	Weights   string         `json:"weights,omitempty"` // file of the saved weights
	Labels    map[string]any `json:"labels,omitempty"`  // labels that only the end knows, such as chosen
	// Examples has, by metric, what each validation example contributed at the row whose weights are kept.
	Examples map[string]Examples `json:"examples,omitempty"`
}

// Examples are the counts of a metric by validation example: its value is ΣNum/ΣDen.
type Examples struct {
	Of  string    `json:"of,omitempty"` // hash of the true labellings: only runs on the same examples can be paired
	Num []float64 `json:"num"`
	Den []float64 `json:"den"`
}

// File is one file of rows as it was read.
type File struct {
	Path     string
	Manifest Manifest
	Rows     []Row
	End      *End           // nil: the run did not end
	Warnings []string       // a torn last line
	Older    string         // revisions older than the program's; "" if none is, or not yet compared
	Spec     map[string]any // the manifest's with settings that were added since, at their defaults; nil: the manifest's
}

// Status returns the status of the run: Interrupted if the file has no end line.
func (f *File) Status() Status {
	if f.End == nil {
		return Interrupted
	}
	return f.End.Status
}
