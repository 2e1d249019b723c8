package harness

import (
	"context"
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
)

// Run plans the experiment, refuses it if its runs cannot fill its figure or table (each such error is a *lang.Fault),
// runs what is not finished yet, and returns all its results. A run that fails, diverges or is unsupported is a result
// like any other; an error means that the experiment itself could not go on (no data, a full disk, a faulty spec). When
// ctx ends, the runs in progress end as interrupted, with their rows; the next time, long ones go on from their last
// state, if their solver has one (SaveEvery), and the others begin anew. Several processes may run one experiment in
// one folder: they divide its runs among them.
func Run(ctx context.Context, s *lang.Spec, opts ...Option) (*Result, error) {
	o := newOptions(opts)
	if err := checkClean(o); err != nil {
		return nil, err
	}
	if err := Foresee(s); err != nil {
		return nil, err
	}
	if err := schedule.Run(ctx, s, o.Options); err != nil {
		return nil, err
	}
	return results(s, o)
}

// ErrNotClean is wrapped by the error of Run where the option RequireClean forbids it.
var ErrNotClean = errors.New("the program's sources are not those of a commit")

func checkClean(o *options) error {
	commit, dirty := Revision()
	switch {
	case !o.Clean || commit != "" && !dirty:
		return nil
	case commit == "":
		return fmt.Errorf("%w: it does not know its commit; accepted: a program that was built in a checkout", ErrNotClean)
	}
	return fmt.Errorf("%w: they have changed since %s; accepted: commit the change, and build again", ErrNotClean, commit)
}

// Revision is the commit that the program was built from, and whether the sources had changed since. It is empty if
// neither the build nor the working directory says.
func Revision() (commit string, dirty bool) { return schedule.Revision() }
