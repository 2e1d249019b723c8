package record

import (
	"reflect"

	"github.com/gaplab/gaplab/harness/lang"
)

// revision is the revision of the rows. Raise it with each change of this package, or of the evaluation that it uses,
// that changes any bit of a row whatever the data set, model and solver.
//
//	1  the first that results record
const revision = 1

// Component returns the recorder of rows as a component of every run.
func Component() lang.Component {
	return lang.Component{Name: "rows", Revision: revision, Package: reflect.TypeFor[Recording]().PkgPath()}
}
