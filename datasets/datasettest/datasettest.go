// Package datasettest is the conformance suite of data sets. It checks the properties on which models, the keys of
// results and users rely.
//
//	func TestCircles(t *testing.T) { datasettest.Check(t, generated.CirclesEntry()) }
//
// A generated set is drawn several times, with its default settings and with others. A published set is loaded if the
// folder GAPLAB_DATA has its files and the test does not run with -short. Nothing is ever downloaded. A format is
// tested on a Sample from the caller.
package datasettest

import (
	"runtime/debug"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// Check fails t for each way in which an entry or its loader breaks the contract of package datasets. The contract is:
//
//   - The entry is complete. Its files have plausible names, addresses, sizes and checksums. New returns a new loader
//     each time, and the loader's default settings are accepted.
//   - Validate and Load refuse a setting outside the range of its struct tag with a *datasets.SettingError that has its
//     key. No setting makes either of them panic.
//   - A generated set has the same bits and checksum under the same settings, different data under another seed, and
//     another checksum under any other setting. A smaller set consists of the first examples of a larger set. The
//     number of training examples does not change the validation examples. Drawing ends when the context is cancelled.
//   - If files of a published set are missing, the error names them and the command that fetches them. If the files
//     exist, they have the checksums of the entry.
//   - A second datasets.Source.Load returns the kept data, with the same bits. If these are damaged or the files have
//     changed, it loads the data again.
//   - A format reads the same data after they were written. It refuses a damaged file with an error that has the path
//     and the line.
//   - The data are as package datasets documents their types, and their counts are those in the entry.
//
// A format needs a sample; other entries take none.
func Check(t testing.TB, e datasets.Entry, samples ...Sample) {
	t.Helper()
	run(t, "entry", func(t testing.TB) { checkEntry(t, e) })
	if e.New == nil {
		return
	}
	run(t, "files", func(t testing.TB) { checkFiles(t, e) })
	switch {
	case e.Format:
		run(t, "format", func(t testing.TB) { checkFormat(t, e, samples) })
	case e.Synthetic:
		run(t, "settings", func(t testing.TB) { checkSettings(t, e.New) })
		run(t, "drawn", func(t testing.TB) { checkDrawn(t, e) })
	default:
		run(t, "settings", func(t testing.TB) { checkSettings(t, e.New) })
		run(t, "missing", func(t testing.TB) { checkMissing(t, e) })
		run(t, "published", func(t testing.TB) { checkPublished(t, e) })
	}
}

// run runs a check, as a subtest if t is a *testing.T. A panic fails this check only.
func run(t testing.TB, name string, check func(testing.TB)) {
	t.Helper()
	guarded := func(t testing.TB) {
		defer func() {
			if v := recover(); v != nil {
				t.Errorf("%s: panic: %v\n%s", name, v, debug.Stack())
			}
		}()
		check(t)
	}
	if t, ok := t.(*testing.T); ok {
		t.Run(name, func(t *testing.T) { guarded(t) })
		return
	}
	guarded(t)
}
