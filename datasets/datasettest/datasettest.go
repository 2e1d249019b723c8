// Package datasettest is the conformance suite of data sets. It checks what models, keys of results and users rely on.
//
//	func TestCircles(t *testing.T) { datasettest.Check(t, generated.CirclesEntry()) }
//
// A generated set is drawn several times, with its default settings and with others. A published set is loaded if the
// folder GAPLAB_DATA has its files and the test is not in short mode; nothing is ever downloaded. A format is tested on
// a Sample from the caller.
package datasettest

import (
	"runtime/debug"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// Check fails t wherever an entry or its loader breaks the contract of package datasets:
//
//   - the entry is complete, its files have plausible names, addresses, sizes and checksums, and New gives a
//     new loader each time, whose defaults are accepted;
//   - a setting outside the range of its struct tag is refused by Validate and by Load, as a *datasets.SettingError
//     with its key, and no setting, however extreme, makes either panic;
//   - a generated set has the same bits and checksum under the same settings, other data under another seed, and
//     another checksum under any other setting; its first examples are those of a smaller set, and training and
//     validation examples do not depend on each other's number; a cancelled context ends its drawing;
//   - a published set whose files are missing says which, and the command that fetches them; where the files are, they
//     are those of the entry;
//   - a second datasets.Source.Load reads the kept data, with the same bits, unless they are damaged or the files have
//     changed;
//   - a format reads back what was written, and refuses a damaged file with its path and the line;
//   - the data keep the promises of their types, and the counts are those that the entry states.
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
