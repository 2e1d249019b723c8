// Package catalogue lists the data sets, models and solvers that experiments can name.
package catalogue

import (
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/datasets/real"
)

// DataSets lists every data set and format that `dataset: {name: ...}` and `dataset: {format: ...}` accept. To add a
// data set, write its loader in a new file and add its entry here.
func DataSets() []datasets.Entry {
	return slices.Concat([]datasets.Entry{
		generated.DigitsEntry(),
		real.MNISTEntry(),
		generated.WordsEntry(),
		generated.GrammarSentencesEntry(),
		generated.GrammarTreesEntry(),
		generated.SparseTextEntry(),
		generated.TerrainEntry(),
		generated.SingleEntry(),
		generated.MarkovEntry(),
		generated.TrackingEntry(),
		generated.RandomNetworkEntry(),
		generated.MigrationEntry(),
		generated.ReferencesEntry(),
		formats.LIBSVMEntry(),
		formats.CSVEntry(),
		formats.CoNLLEntry(),
		formats.CoNLLUEntry(),
		formats.PTBEntry(),
		real.OCRLettersEntry(),
		real.CoNLL2000Entry(),
		real.CAST3LBEntry(),
		real.PTBSampleEntry(),
		real.CovertypeEntry(),
		real.Connect4Entry(),
		real.UMassCitationsEntry(),
		real.UMassNestedEntry(),
	}, real.LIBSVMSets())
}
