package record

import (
	"reflect"

	"github.com/gaplab/gaplab/harness/lang"
)

// revision of the rows: raised with each change of this package, or of the evaluation that it uses, that changes any
// bit of a row regardless of data set, model and solver.
//
//	1  the first that results record
const revision = 1

// Part is the recorder of rows, as a part of every run.
func Part() lang.Component {
	return lang.Component{Name: "rows", Revision: revision, Package: reflect.TypeFor[Run]().PkgPath()}
}
