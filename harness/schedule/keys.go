package schedule

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// PlanKey names what a run does, whatever data it finds: a hash of its canonical spec, and of how many folds there are.
func PlanKey(r lang.Run, folds int) string {
	text := r.Canonical()
	if r.Fold > 0 {
		text = fmt.Appendf(text, " of %d folds", folds)
	}
	return trace.Digest(text)
}

// runKey names a run on the data that it found, by the revisions of its parts.
func (x *experiment) runKey(r lang.Run, set *datasets.Set) string {
	text := r.Canonical()
	for _, p := range x.options.Catalogue.Components(r) {
		text = fmt.Appendf(text, "\n%s %d", p.Name, p.Revision)
	}
	return trace.Digest(fmt.Appendf(text, "\n%s", set.Checksum))
}
