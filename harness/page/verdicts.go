package page

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/claims"
)

// Verdicts are some of the claims of a paper.
type Verdicts []claims.Verdict

// Reproduced are those that are.
func (v Verdicts) Reproduced() Verdicts { return v.that(claims.Reproduced) }

// NotReproduced are those that the runs contradict.
func (v Verdicts) NotReproduced() Verdicts { return v.that(claims.NotReproduced) }

// NotTestable are those that the runs cannot decide.
func (v Verdicts) NotTestable() Verdicts { return v.that(claims.NotTestable) }

// NotMeasured are those about CPU time whose runs have wall time only.
func (v Verdicts) NotMeasured() Verdicts { return v.that(claims.NotMeasured) }

func (v Verdicts) that(are claims.Outcome) Verdicts {
	return slices.DeleteFunc(slices.Clone(v), func(v claims.Verdict) bool { return v.Verdict != are })
}

// IDs lists the claims as `fig06/c1`, without the key of their paper.
func (v Verdicts) IDs() string {
	ids := make([]string, len(v))
	for i, v := range v {
		ids[i] = short(v.Experiment, v.Claim)
	}
	return strings.Join(ids, ", ")
}

// short is a claim's id within its paper, as code.
func short(experiment, claim string) string {
	if _, item, ok := strings.Cut(experiment, "/"); ok {
		experiment = item
	}
	return "`" + experiment + "/" + claim + "`"
}

func (p *rendering) claims(names ...string) (Verdicts, error) {
	all, err := p.source.Verdicts(names, p.scale)
	if err != nil {
		return nil, faulty("the claims of %s: %w", strings.Join(names, ", "), err)
	}
	return all, nil
}

// claim is the verdict of PAPER/ITEM/CLAIM.
func (p *rendering) claim(id string) (claims.Verdict, error) {
	experiment, name := path.Split(id)
	experiment = strings.TrimSuffix(experiment, "/")
	if !strings.Contains(experiment, "/") {
		return claims.Verdict{}, faulty("%s is no claim; write PAPER/ITEM/CLAIM, such as bayes/fig1/c1", id)
	}
	all, err := p.claims(experiment)
	if err != nil {
		return claims.Verdict{}, err
	}
	var there []string
	for _, v := range all {
		if v.Claim == name {
			return v, nil
		}
		there = append(there, v.Claim)
	}
	return claims.Verdict{}, faulty("%s has no claim %s; it has %s", experiment, name, strings.Join(there, ", "))
}

func (p *rendering) verdict(id string, want claims.Outcome) (string, error) {
	v, err := p.claim(id)
	if err != nil {
		return "", err
	}
	if v.Verdict != want {
		why := strings.TrimSpace(fmt.Sprint(v.Measured, " ", v.Why))
		return "", faulty("%s is %w: it is %s, %s", id, ErrUntrue, v.Verdict, why)
	}
	return short(v.Experiment, v.Claim), nil
}
