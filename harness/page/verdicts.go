package page

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/claims"
)

// Verdicts is a list of verdicts of claims.
type Verdicts []claims.Verdict

// Reproduced returns the verdicts of reproduced claims.
func (v Verdicts) Reproduced() Verdicts { return v.with(claims.Reproduced) }

// NotReproduced returns the verdicts of claims that the runs contradict.
func (v Verdicts) NotReproduced() Verdicts { return v.with(claims.NotReproduced) }

// Tie returns the verdicts of claims about times that hold in some repetitions of the runs and fail in others.
func (v Verdicts) Tie() Verdicts { return v.with(claims.Tie) }

// NotTestable returns the verdicts of claims that the runs cannot decide.
func (v Verdicts) NotTestable() Verdicts { return v.with(claims.NotTestable) }

// NotMeasured returns the verdicts of claims that new runs could decide: the runs lack CPU times, or a run has no
// result.
func (v Verdicts) NotMeasured() Verdicts { return v.with(claims.NotMeasured) }

// with returns the verdicts that have the given outcome.
func (v Verdicts) with(outcome claims.Outcome) Verdicts {
	return slices.DeleteFunc(slices.Clone(v), func(v claims.Verdict) bool { return v.Verdict != outcome })
}

// IDs returns the ids of the claims, each as `fig06/c1`, without the key of the paper.
func (v Verdicts) IDs() string {
	ids := make([]string, len(v))
	for i, v := range v {
		ids[i] = short(v.Experiment, v.Claim)
	}
	return strings.Join(ids, ", ")
}

// short returns a claim's id within its paper, as code in Markdown.
func short(experiment, claim string) string {
	if _, item, ok := strings.Cut(experiment, "/"); ok {
		experiment = item
	}
	return "`" + experiment + "/" + claim + "`"
}

// claims returns the verdicts of the named papers or experiments.
func (p *rendering) claims(names ...string) (Verdicts, error) {
	all, err := p.source.Verdicts(names, p.scale)
	if err != nil {
		return nil, faulty("the claims of %s: %w", strings.Join(names, ", "), err)
	}
	return all, nil
}

// claim returns the verdict of one claim; id is PAPER/ITEM/CLAIM, such as eg/fig06/c1.
func (p *rendering) claim(id string) (claims.Verdict, error) {
	experiment, name := path.Split(id)
	experiment = strings.TrimSuffix(experiment, "/")
	if !strings.Contains(experiment, "/") {
		return claims.Verdict{}, faulty("%q is not the id of a claim; accepted: PAPER/ITEM/CLAIM, such as eg/fig06/c1", id)
	}
	all, err := p.claims(experiment)
	if err != nil {
		return claims.Verdict{}, err
	}
	var known []string
	for _, v := range all {
		if v.Claim == name {
			return v, nil
		}
		known = append(known, v.Claim)
	}
	return claims.Verdict{}, faulty("%s has no claim %s; accepted: %s", experiment, name, strings.Join(known, ", "))
}

// verdict returns the short id of a claim. It returns an error if the verdict of the claim is not want.
func (p *rendering) verdict(id string, want claims.Outcome) (string, error) {
	v, err := p.claim(id)
	if err != nil {
		return "", err
	}
	if v.Verdict != want {
		why := strings.TrimSpace(fmt.Sprint(v.Measured, " ", v.Why))
		return "", faulty("%s: the stated verdict is %w; it is %s: %s", id, ErrUntrue, v.Verdict, why)
	}
	return short(v.Experiment, v.Claim), nil
}
