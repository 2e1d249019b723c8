package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/crate"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// verifyVerb is the command gaplab verify with its flags.
type verifyVerb struct {
	sys    system
	sample int
	seed   uint64
	scale  term.Choice
	runner runner
	format *term.Choice
}

const verifyLong = `Check a crate that gaplab archive made: each file has the size and the checksum
of the metadata, there is no other file, the results can be read, the digest of
a run agrees with its rows, and no primal lies below a dual.

With --sample N, the command then makes N runs again with this program, in a
temporary folder, and compares their rows with those of the crate, bit for bit
without times. The runs are drawn uniformly by --seed; runs of other programs
are never drawn. If a run starts from weights of another, or if its setting was
chosen among several, these other runs are made first, and the table counts
them with their seconds.

The table has the CPU seconds in the crate (then) and now. If the crate has
repetitions of a run, it also has their range, and tells whether the new time is
inside it, near it (at most its width away) or outside. Times never change the
exit code. A run of components whose code has changed since is marked "made by
other code", and compared all the same.

The exit code is 1 if a run differs or contradicts itself; 4 if the crate is
damaged, or if a run could not be made here, for instance without its data: the
command downloads none (gaplab data fetch does).`

func newVerify(sys system) *cobra.Command {
	v := &verifyVerb{sys: sys, scale: term.Choice{Accepted: scales()}}
	cmd := &cobra.Command{
		Use:   "verify FILE.zip|FOLDER",
		Short: "Check an RO-Crate of gaplab archive, and make runs of it again",
		Long:  verifyLong,
		Example: "  gaplab verify results.crate.zip\n" +
			"  gaplab verify results.crate.zip --sample 10 --seed 3",
		Args: between(1, 1),
		RunE: v.run,
	}
	flags := cmd.Flags()
	flags.IntVar(&v.sample, "sample", 0, "`number` of runs to make again")
	flags.Uint64Var(&v.seed, "seed", 1, "seed by which these are drawn")
	v.scale.AddTo(cmd, "scale", "check only the results of this scale (default: of all)")
	v.runner.workers = 1
	v.runner.addPrograms(flags)
	v.format = term.AddFormat(cmd)
	return cmd
}

func (v *verifyVerb) run(cmd *cobra.Command, args []string) error {
	if v.sample < 0 {
		return term.Usage("--sample %d is out of range; accepted: 0 or more", v.sample)
	}
	if v.seed > maxSeed {
		return term.Usage("--seed %d is out of range; accepted: 0 to %d", v.seed, uint64(maxSeed))
	}
	o, err := crate.Open(args[0])
	if os.IsNotExist(err) {
		return term.Exit(term.ExitMissing, "%w", err)
	} else if err != nil {
		return err
	}
	defer o.Close()
	report := o.Check(v.scale.Value)
	var faults term.Faults
	for _, text := range report.Damage {
		faults.Add(term.Exit(term.ExitMissing, "%s: damaged: %s", args[0], text))
	}
	for _, text := range report.Wrong {
		faults.Add(term.Exit(term.ExitShort, "%s: %s", args[0], text))
	}
	var rows []crate.Row
	if len(report.Damage) == 0 && v.sample > 0 {
		rows, err = v.remake(cmd.Context(), o, crate.Draw(report.Runs, v.sample, v.seed))
		if err != nil {
			return err
		}
	}
	if len(rows) > 0 || v.format.Value != "text" {
		if err := term.Results(v.sys.out, v.sys.coloursOf(v.sys.out), v.format.Value, rows, sampled(rows)); err != nil {
			return err
		}
	}
	v.summary(report, rows)
	for _, r := range rows {
		name := fmt.Sprintf("%s: %s (%s)", r.Experiment, r.Run, r.Key)
		switch r.Verdict {
		case crate.Differs:
			faults.Add(term.Exit(term.ExitShort, "%s: differs: %s", name, r.Why))
		case crate.Missing:
			faults.Add(term.Exit(term.ExitMissing, "%s: not made again: %s", name, r.Why))
		}
	}
	return faults.Err()
}

// remake makes runs again in a temporary folder, which it removes.
func (v *verifyVerb) remake(ctx context.Context, o *crate.Opened, runs []crate.Run) ([]crate.Row, error) {
	dir, err := os.MkdirTemp("", "gaplab-verify-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	made := 0
	return o.Remake(ctx, runs, v.runner.options(v.sys, true, harness.Options{Out: dir}), func(r crate.Row) {
		made++
		fmt.Fprintf(v.sys.err, "verify: %d of %d runs: %s %s: %s\n", made, len(runs), r.Experiment, r.Run, r.Verdict)
	})
}

// sampled returns the table of runs that were made again.
func sampled(rows []crate.Row) *tabular.Listing {
	t := &tabular.Listing{
		Head:  []string{"run", "key", "rows", "compared", "CPU s then", "now", "ratio", "range", "remarks"},
		Right: []string{"rows", "CPU s then", "now", "ratio"}}
	for _, r := range rows {
		interval, remarks := "", []string{}
		if r.Times != "" {
			interval = fmt.Sprintf("%.3g to %.3g: %s", r.Low, r.High, r.Times)
		}
		if r.Needed > 0 {
			remarks = append(remarks, fmt.Sprintf("needed %s (%.2g s)", amount.Count(r.Needed, "other run"), r.NeededTook))
		}
		if len(r.OtherCode) > 0 {
			remarks = append(remarks, "made by other code: "+strings.Join(r.OtherCode, ", "))
		}
		t.Add(r.Experiment+" "+r.Run, r.Key, fmt.Sprint(r.Rows), r.Verdict, figure3(r.Then), figure3(r.Now),
			figure3(r.Ratio), interval, strings.Join(remarks, "; "))
	}
	return t
}

// figure3 formats a number with three digits; 0, which means that it is not known, as nothing.
func figure3(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g", x)
}

// summary prints the counts, after a table to standard output and after other formats to standard error.
func (v *verifyVerb) summary(r *crate.Report, rows []crate.Row) {
	count := map[string]int{}
	for _, row := range rows {
		count[row.Verdict]++
	}
	text := fmt.Sprintf("%s, %d at fault; %s, %s, %d at fault", amount.Count(r.Files, "file"), len(r.Damage),
		amount.Count(r.Packs, "experiment"), amount.Count(len(r.Runs), "run"), len(r.Wrong))
	if len(rows) > 0 {
		text += fmt.Sprintf("; made again: %d equal, %d differ, %d missing", count[crate.Equal], count[crate.Differs],
			count[crate.Missing])
	}
	to := v.sys.out
	if v.format.Value != "text" {
		to = v.sys.err
	}
	fmt.Fprintln(to, text)
}
