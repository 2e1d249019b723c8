package claims

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Evaluate decides the claims and returns one verdict per claim, in the same order. If an expression contains a wrong
// name or type, the verdict is not-testable, and the error contains the line and the key of the expression. Evaluate
// joins these errors.
func Evaluate(ctx Context, claims []lang.Claim) ([]Verdict, error) {
	verdicts := make([]Verdict, len(claims))
	var errs []error
	for i, claim := range claims {
		v, key, err := evaluate(ctx, claim)
		if err != nil {
			errs = append(errs, &lang.Fault{File: cmp.Or(ctx.File, ctx.Experiment), Line: claim.Line,
				Key: fmt.Sprintf("claims.%d.%s", i, key), Reason: err.Error()})
		}
		verdicts[i] = v
	}
	return verdicts, errors.Join(errs...)
}

// olderRevisions returns warnings about results that were made by older revisions.
func olderRevisions(set *trace.Set) (warnings []string) {
	for _, c := range set.Curves {
		if c.File == nil || c.File.Older == "" {
			continue
		}
		if w := "made by older revisions: " + c.File.Older; !slices.Contains(warnings, w) {
			warnings = append(warnings, w)
		}
	}
	return warnings
}

// evaluate decides one claim. If its error is not nil, key is the key of the wrong expression: assert or measure.
func evaluate(ctx Context, claim lang.Claim) (v Verdict, key string, err error) {
	v = Verdict{
		Experiment: ctx.Experiment,
		Claim:      claim.ID,
		Verdict:    NotTestable,
		Asserted:   strings.Join(strings.Fields(claim.Assert), " "),
	}
	if v.Why = undecidable(ctx, claim); v.Why != "" {
		return v, "", nil
	}
	if ctx.Set.Err != nil {
		v.Verdict = NotReproduced
		v.Why = "the rows contradict each other: " + ctx.Set.Err.Error()
		return v, "", nil
	}
	key = "assert"
	e := expr.NewEvaluation(ctx.Evidence)
	holds, err := e.Assert(claim.Assert)
	var unmeasured []string
	// save what the assertion read, before the claim's second expression, measure, is evaluated
	asserted, standIns := err == nil || expr.Lacks(err), e.StandIns()
	apart, timed := e.Apart(), e.Timed()
	var split string
	var undecided error // what a run that ended at its limit leaves undecided; the values are reported nevertheless
	if expr.Open(err) {
		undecided, err = err, nil
	} else if err == nil && apart == "" {
		split, err = repeated(ctx.Evidence, claim.Assert, holds, e.Repetitions())
	}
	if err == nil {
		v.Measured = e.Measured()
		if claim.Measure != "" {
			var value string
			key = "measure"
			switch value, err = e.Ranges(claim.Measure); {
			case err == nil:
				v.Measured = value
			case expr.Unmeasured(err) && !expr.Lost(err): // only the measure needs CPU time
				unmeasured = []string{"measured in wall-clock time: " + err.Error()}
				v.Measured, err = expr.NewEvaluation(ctx.Evidence.OnWall()).Measure(claim.Measure)
			}
		}
	}
	v.Warnings = slices.Concat(olderRevisions(ctx.Set), e.Warnings(), unmeasured)
	switch {
	case asserted && claim.Data == "R" && claim.Kind != "M" && len(standIns) > 0:
		v.Measured = ""
		v.Why = fmt.Sprintf("the claim is about the paper's own data, but its assertion reads runs on stand-in data, "+
			"such as %s", standIns[0])
		return v, "", nil
	case expr.Unmeasured(err):
		v.Verdict, v.Measured, v.Lacking = NotMeasured, "", expr.Lost(err)
		v.Why = fmt.Sprintf("%v; measure it with `%s`", err, ctx.Run)
		return v, "", nil
	case expr.Lacks(err):
		v.Measured = ""
		v.Why = err.Error()
		return v, "", nil
	case err != nil:
		v.Why = "the expression is wrong: " + err.Error()
		return v, key, err
	case apart != "":
		v.Measured = ""
		v.Why = fmt.Sprintf("%s; make them together with `%s --force`", apart, together(ctx, timed))
		return v, "", nil
	case undecided != nil:
		v.Why = undecided.Error()
	case split != "":
		v.Verdict, v.Why = Tie, split
	case holds:
		v.Verdict = Reproduced
	default:
		v.Verdict = NotReproduced
	}
	return v, "", nil
}

// together returns the command that makes the results of the context and of the experiments with the ids others in one
// process, so in one sitting.
func together(ctx Context, others []string) string {
	command, flags := ctx.Run, ""
	if i := strings.LastIndex(command, " --scale "); i >= 0 {
		command, flags = command[:i], command[i:]
	}
	for _, id := range others {
		if id != ctx.Experiment {
			command += " " + id
		}
	}
	return command + flags
}

// undecidable returns the reason why the experiment cannot decide the claim, whatever the runs show; "" if it can. A
// theorem (kind M) holds for data of any size, so it is tested at every scale.
func undecidable(ctx Context, claim lang.Claim) string {
	switch {
	case claim.Assert == "":
		return "rows cannot decide the claim; the test " + claim.Tested + " checks it"
	case ctx.Set == nil || len(ctx.Set.Curves) == 0:
		return "there are no results"
	case claim.Kind == "M":
		return ""
	case len(claim.Scales) > 0 && !slices.Contains(claim.Scales, ctx.Scale):
		why := fmt.Sprintf("scale %s cannot decide the claim, but scale %s can", ctx.Scale,
			strings.Join(claim.Scales, " or "))
		if because := strings.TrimSpace(claim.Because); because != "" {
			why += ": " + strings.TrimSuffix(because, ".")
		}
		return why
	}
	return ""
}
