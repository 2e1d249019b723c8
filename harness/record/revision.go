package record

import (
	"reflect"

	"github.com/gaplab/gaplab/harness/lang"
)

// revision is the revision of the rows. Raise it if a change of this package, or of code that evaluates iterates for
// this package, changes any bit of the rows for all data sets, models and solvers.
//
//	1  the first revision that results record
const revision = 1

// Component returns this package with its revision, as one of the components of code that every run depends on.
func Component() lang.Component {
	return lang.Component{Name: "rows", Revision: revision, Package: reflect.TypeFor[Recording]().PkgPath()}
}
