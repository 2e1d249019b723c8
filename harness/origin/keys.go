// Package origin describes the origin of a result: the key of its run, the code of its components (data set, model,
// solver, recorder of rows), its settings, and the program and the machine that made it.
package origin

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// PlanKey returns the plan key of a run: a hash of its canonical spec and of the number of folds. It does not depend on
// the content of the data.
func PlanKey(r lang.Run) string {
	text := r.Canonical()
	if r.Fold > 0 {
		text = fmt.Appendf(text, " of %d folds", r.Folds)
	}
	return trace.Digest(text)
}

// RunKey returns the key of a run on a data set: a hash of its canonical spec, of the revisions of its components, and
// of the checksum of the data.
func RunKey(cat lang.Catalogue, r lang.Run, set *datasets.Set) string {
	text := r.Canonical()
	for _, p := range cat.Components(r) {
		text = fmt.Appendf(text, "\n%s %d", p.Name, p.Revision)
	}
	return trace.Digest(fmt.Appendf(text, "\n%s", set.Checksum))
}

// Sources returns a hash of the code of each component of a run, by the component's name. It returns nil if the program
// does not know its own sources.
func Sources(cat lang.Catalogue, r lang.Run) map[string]string {
	if cat.Sources == nil {
		return nil
	}
	out := map[string]string{}
	for _, p := range cat.Components(r) {
		out[p.Name] = cat.Sources(p.Package)
	}
	return out
}
