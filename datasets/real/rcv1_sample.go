package real

import (
	"io"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// rcv1SampleEntry returns the catalogue entry of a sample of RCV1: news stories that are in topic CCAT or not. Its
// files come from Vowpal Wabbit and have a namespace between the label and the features:
//
//	1 |f 24:2.5941234e-02 45:1.0093741e-01 ...
func rcv1SampleEntry() datasets.Entry {
	const at = "https://raw.githubusercontent.com/VowpalWabbit/vowpal_wabbit/"
	e := libsvmSetEntry("rcv1-sample", "RCV1, a sample (CCAT)",
		"1,500 of the 804,414 news stories of RCV1-v2, in topic CCAT or not: a sample, not the set",
		"BSD 3-clause (Vowpal Wabbit)",
		datasets.Counts{Train: 1000, Validation: 500, Features: 47117, Classes: 2, NonZeros: 77739},
		datasets.File{
			Name:  "binary/rcv1-sample/rcv1_small_test.data.gz",
			URLs:  []string{at + "96ce1cf92fd88abca706440e9ddbd7987eefaf74/test/test-sets/rcv1_small_test.data"},
			Bytes: 730966, SHA256: "c0f5f4a00497c5cec53b47c0ebb8428cc7c364d436ac10f64b5be33d90bfe293",
		},
		datasets.File{
			Name:  "binary/rcv1-sample/rcv1_small.dat.gz",
			URLs:  []string{at + "6bc08155407ac33294db0808271b346f1bbe9260/test/train-sets/rcv1_small.dat"},
			Bytes: 1441266, SHA256: "348d59a15f8161852b817fedd45a0a9efa5e2602ea86d9e920ba7079f633e084",
		},
	)
	plain := e.New
	e.New = func() datasets.Loader {
		l := plain().(*LIBSVMSet)
		l.rows = func(r io.Reader) io.Reader { return &namespaceBlanker{r: r} }
		return l
	}
	return e
}

// namespaceBlanker is a reader that replaces each namespace, which is a bar and the word after it, by spaces. The
// result is in LIBSVM format, and all other bytes keep their positions.
type namespaceBlanker struct {
	r      io.Reader
	inside bool // if true, the last byte read belongs to a namespace, which may continue in the next read
}

func (b *namespaceBlanker) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	for i, c := range p[:n] {
		b.inside = c == '|' || b.inside && !parse.IsSpace(c)
		if b.inside {
			p[i] = ' '
		}
	}
	return n, err
}
