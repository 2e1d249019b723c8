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
//   - For a setting outside the range in its struct tag, Validate and Load return a *datasets.SettingError that has the
//     key of the setting. No setting makes Validate or Load panic.
//   - A generated set has the same bits and checksum under the same settings, different data under another seed, and
//     another checksum under any other setting. A smaller set consists of the first examples of a larger set. The
//     number of training examples does not change the validation examples. Drawing ends when the context is cancelled.
//   - If files of a published set are missing, the error names them and the command that fetches them. If the files
//     exist, they have the checksums of the entry.
//   - A second call of datasets.Source.Load returns the same data, to the bit, from the cache datasets.Parsed. If the
//     cache is damaged or the files have changed, the call loads the data again.
//   - If data are written in a format and read again, they are the same. For a damaged file, the loader of the format
//     returns an error that has the path and the line.
//   - If labelled rows have a setting scale that accepts max, each of its values scales the rows as Set.Scale does.
//   - The data are as the comments of their types in package datasets state, and their counts are those in the entry.
//
// If the entry is a format, at least one sample is necessary. Other entries have no samples.
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

// run runs a check, as a subtest if t is a *testing.T. If the check panics, only this check fails.
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
