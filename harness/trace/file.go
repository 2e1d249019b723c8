package trace

// Status tells how a run ended.
type Status string

const (
	Done        Status = "done"        // a stop rule was met, or the solver ended by itself and did not stall
	Stalled     Status = "stalled"     // the solver ended by itself before the gap was reached (solvers.Certifier)
	Budget      Status = "budget"      // the budget was used up before a stop rule was met
	Diverged    Status = "diverged"    // the primal became infinite or NaN
	Failed      Status = "failed"      // an error or a panic
	Interrupted Status = "interrupted" // ended by the user; also if the file has no end line
	Unsupported Status = "unsupported" // the solver cannot solve this problem
	Missing     Status = "missing"     // a planned run has no trace; no trace has this status
	Damaged     Status = "damaged"     // the trace of a planned run cannot be read; no trace has this status
)

// End is the last line of a trace.
type End struct {
	Status     Status  `json:"status"`
	Why        string  `json:"why"`            // the stop rule in words, or the error
	Rule       string  `json:"rule,omitempty"` // why the run ended: gap, passes, epochs, seconds, patience, converged
	Rows       int     `json:"rows"`           // number of rows in the file; Close sets it
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds,omitempty"` // as the column cpu_seconds in the last row; 0: not known
	// Resumed is how often the run was resumed. The seconds are then the sum over several processes. They do not include
	// the work that a process did after its last checkpoint, if the work was lost.
	Resumed int `json:"resumed,omitempty"`
	// RecordSeconds is the wall-clock time of evaluations and of writing rows. The solver's clock excludes it.
	RecordSeconds float64 `json:"record_seconds,omitempty"`
	// Load is the number of processes that were running or ready to run on the machine, including this process. It is the
	// system's mean over the last minute, which may include time before a short run; nil: not known.
	Load *float64 `json:"load,omitempty"`
	// GC is the share of garbage collection in the CPU time of the process during the run, as the Go runtime estimates it.
	// It includes other runs in the process; 0: no collection. The time of the collection is part of cpu_seconds only if
	// it was spent on the solver's own threads.
	GC float64 `json:"gc,omitempty"`
	// PeakBytes is the largest resident memory of the programs that the solver ran. If the solver ran none, PeakBytes is
	// the memory of the process during the run, including data and evaluations; 0: not known, or other runs shared the
	// process.
	PeakBytes int64 `json:"peak_bytes,omitempty"`
	Pace
	Weights string         `json:"weights,omitempty"` // file of the saved weights
	Labels  map[string]any `json:"labels,omitempty"`  // labels that are only known at the end, such as chosen
	// Examples contains, by metric, the counts of each validation example at the row whose weights are the run's result.
	Examples map[string]Examples `json:"examples,omitempty"`
}

// Quiet is the largest Pace.Slowdown of a run on a quiet machine. The times of other runs are doubtful.
const Quiet = 1.15

// Pace describes how busy the machine was while a run of an experiment with repetitions was timed. It was measured by a
// loop of known work before and after the run.
type Pace struct {
	Reference float64 `json:"reference_seconds,omitempty"` // the longer of the loop's two times; 0: not measured
	Slowdown  float64 `json:"slowdown,omitempty"`          // Reference relative to the loop's best time on the machine
	Remade    int     `json:"remade,omitempty"`            // number of earlier attempts that were dropped as too slow
}

// Examples contains the numerators and denominators of a metric for each validation example. The metric is ΣNum/ΣDen.
type Examples struct {
	Of  string    `json:"of,omitempty"` // hash of the true labellings; compare runs only if it is equal
	Num []float64 `json:"num"`
	Den []float64 `json:"den"`
}

// File is a trace in memory.
type File struct {
	Path     string
	Manifest Manifest
	Rows     []Row
	End      *End           // nil: the run did not end
	Warnings []string       // a warning if the last line is incomplete
	Older    string         // revisions of the run that are older than the program's; "": none, or not compared yet
	Spec     map[string]any // Manifest.Spec with the defaults of settings that were added later; nil: use Manifest.Spec
}

// Status returns the status of the run. If the file has no end line, the status is Interrupted.
func (f *File) Status() Status {
	if f.End == nil {
		return Interrupted
	}
	return f.End.Status
}
