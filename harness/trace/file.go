package trace

// Status is how a run ended.
type Status string

const (
	Done        Status = "done"        // a stop rule was met, or the solver ended by itself, as it may
	Stalled     Status = "stalled"     // the solver ended by itself before the gap of the stop rule (solvers.Certifier)
	Budget      Status = "budget"      // the budget ran out first
	Diverged    Status = "diverged"    // the primal became infinite or NaN
	Failed      Status = "failed"      // an error or a panic
	Interrupted Status = "interrupted" // by the user; also the status of a file without an end line
	Unsupported Status = "unsupported" // the solver cannot solve this problem
	Missing     Status = "missing"     // a planned run has no trace; no trace has this status
	Damaged     Status = "damaged"     // the trace of a planned run cannot be read; no trace has this status
)

// End is the last line of a trace.
type End struct {
	Status     Status  `json:"status"`
	Why        string  `json:"why"`            // the stop rule in words, or the error
	Rule       string  `json:"rule,omitempty"` // rule of a done run: gap, passes, epochs, seconds, patience, converged
	Rows       int     `json:"rows"`           // number of rows in the file; Close sets it
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds,omitempty"` // as the column cpu_seconds; 0: not known
	// Resumed is the number of resumptions. The seconds are then summed over several processes, without the work that
	// each lost after its last checkpoint.
	Resumed int `json:"resumed,omitempty"`
	// RecordSeconds is the wall-clock time of evaluations and of writing rows. The solver's clock excludes it.
	RecordSeconds float64 `json:"record_seconds,omitempty"`
	// Load is the number of processes that were running or ready to run on the machine, including this one. It is the
	// system's mean over the last minute, which began before the run if the run was shorter; nil: not known.
	Load *float64 `json:"load,omitempty"`
	// GC is the share of garbage collection in the CPU time of the process during the run, as the Go runtime estimates
	// it. It includes other runs in the process; 0: no collection. cpu_seconds does not include this time, except for
	// work of the collector on the solver's own threads.
	GC float64 `json:"gc,omitempty"`
	// PeakBytes is the largest resident memory of the programs that the solver ran. If it ran none, it is that of the
	// process during the run, including data and evaluations; 0: not known, or other runs shared the process.
	PeakBytes int64          `json:"peak_bytes,omitempty"`
	Weights   string         `json:"weights,omitempty"` // file of the saved weights
	Labels    map[string]any `json:"labels,omitempty"`  // labels that are only known at the end, such as chosen
	// Examples holds, by metric, the contribution of each validation example at the row whose weights are kept.
	Examples map[string]Examples `json:"examples,omitempty"`
}

// Examples holds the counts of a metric for each validation example. The metric is ΣNum/ΣDen.
type Examples struct {
	Of  string    `json:"of,omitempty"` // hash of the true labellings; runs can be paired only if it is equal
	Num []float64 `json:"num"`
	Den []float64 `json:"den"`
}

// File is a trace in memory.
type File struct {
	Path     string
	Manifest Manifest
	Rows     []Row
	End      *End           // nil: the run did not end
	Warnings []string       // warns of an incomplete last line
	Older    string         // revisions that are older than the program's; "": none, or not compared yet
	Spec     map[string]any // the manifest's spec, with later settings at their defaults; nil: use the manifest's
}

// Status returns the status of the run: Interrupted if the file has no end line.
func (f *File) Status() Status {
	if f.End == nil {
		return Interrupted
	}
	return f.End.Status
}
