// Package trace reads and writes the rows of runs in append-only JSONL files, and turns them into the curves that
// figures, tables, claims and the gate read. It depends on neither solvers nor expressions.
//
// A file contains a manifest line, one line per row, and an end line. A file without an end line is a partial result.
//
//	w, err := trace.NewWriter(file, manifest)
//	err = w.Append(trace.Row{Values: map[string]float64{trace.Passes: 1, trace.Primal: 0.65}})
//	err = w.Close(trace.End{Status: trace.Done, Why: "gap 0.001"})
//
//	files, err := trace.ReadDir("results/runs/eg/fig06")
//	set := trace.NewSet(files)
//	for _, curve := range set.Curves { fmt.Println(curve.Labels["C"], curve.Final(trace.GapPercent)) }
package trace

// Names of columns that every row may have. Metrics (validation_error, ...) and quantities of a solver are columns with
// names of their own. Rows contain finite numbers only: a value that is not known is absent.
const (
	Passes      = "passes"       // oracle calls of the run (without the set-up) / n
	Epoch       = "epoch"        // completed epochs of the solver
	MaxCalls    = "max_calls"    // calls of the max-oracle
	ExpCalls    = "exp_calls"    // calls of the exp-oracle that asked for marginals
	SumCalls    = "sum_calls"    // calls of the exp-oracle that asked only for the log-partition
	SlackCalls  = "slack_calls"  // calls of the slack-rescaling oracle
	SecondCalls = "second_calls" // calls of the second-best oracle
	SetupCalls  = "setup_calls"  // calls of any oracle in the solver's set-up; the columns above do not count them
	Seconds     = "seconds"      // wall-clock time of the solver, without evaluation
	// CPUSeconds is the CPU time of the solver: of its thread, of its workers' threads, and of the programs that it runs.
	// It does not count other runs and programs on the machine. It is missing in old results, and on systems without such
	// a clock.
	CPUSeconds  = "cpu_seconds"
	C           = "C"            // current C, in the spec's convention of regularisation
	Lambda      = "lambda"       // current λ
	Stage       = "stage"        // index of the value of C on a path, from 0
	StagePasses = "stage_passes" // passes since the stage began
	Primal      = "primal"       // primal objective P at the weights, a mean over examples
	Dual        = "dual"         // lower bound on the minimum of P
	Gap         = "gap"          // (primal − dual)/|primal|; 0 if primal = dual
	// Further costs of a run that was alone in its process. They are read from the manifest and the end line:
	DataCPUSeconds = "data_cpu_seconds" // Manifest.DataCPUSeconds, in each row
	PeakBytes      = "peak_bytes"       // End.PeakBytes, in the last row
	// The least CPU time of the oracle calls so far, for their arithmetic and for their memory accesses (Manifest.Least):
	ArithmeticCPUSeconds = "arithmetic_cpu_seconds"
	MemoryCPUSeconds     = "memory_cpu_seconds"
	// Columns that are computed from all runs on the same problem when curves are read:
	Opt           = "opt"            // best known value of the optimum: the smallest primal
	OptLow        = "opt_low"        // largest dual: the optimum lies in [opt_low, opt]
	GapPercent    = "gap_percent"    // 100 (primal − dual)/|opt|
	ExcessPercent = "excess_percent" // 100 (primal − opt)/|opt|
)

// Row is the record of one iterate.
type Row struct {
	Values   map[string]float64 // by column name; all finite
	Warnings []string
}
