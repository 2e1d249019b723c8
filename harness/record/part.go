package record

import (
	"reflect"

	"github.com/gaplab/gaplab/harness/lang"
)

// revision of the rows: raised with each change of this package, or of what it evaluates with, that changes a bit of a
// row whatever the data set, the model and the solver are.
//
//	1  the first that results know of
const revision = 1

// Part is what records rows, as a part of every run.
func Part() lang.Part {
	return lang.Part{Name: "rows", Revision: revision, Package: reflect.TypeFor[Run]().PkgPath()}
}
