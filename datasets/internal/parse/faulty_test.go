package parse

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gaplab/gaplab/datasets"
)

// TestFaultyReaders checks that every stream and every reader of files returns the error of a file that cannot be read
// further, wherever it breaks off, and does not take the part before for the whole. Without a break, all examples are
// read.
func TestFaultyReaders(t *testing.T) {
	broken := errors.New("the disk is broken")
	all := func(s datasets.Stream, err error) (n int, _ error) {
		for err == nil {
			if _, err = s.Next(); err == nil {
				n++
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return n, err
	}
	table := datasets.Table{Label: "kind", Columns: []datasets.TableColumn{{Name: "x"}, {Name: "y",
		Values: []string{"p", "q"}}}}
	part := func(r io.Reader) RowFiles {
		return func(parse func(string, io.Reader) error) error { return parse("f", r) }
	}
	columns := []string{"word", "pos"}
	const csv = "x,y,kind\n1,p,a\n2,q,b\n3,p,a\n"
	const sentences = "v A\nw B\n\nv A\n\n\nw B\n"
	const trees = "(S (A v)\n (B w))\n(S (A v))\n(A v)\n"
	for name, c := range map[string]struct {
		text string
		read func(r io.Reader) (n int, err error)
	}{
		"stream of rows": {"1 1:2\n2 1:3\n# c\n1 2:1\n",
			func(r io.Reader) (int, error) { return all(NewRowStream("f", r, false), nil) }},
		"stream of sequences": {"1 qid:1 1:2\n2 qid:1 1:3\n1 qid:2 2:1\n1 qid:3 2:1\n",
			func(r io.Reader) (int, error) { return all(NewSequenceStream("f", r), nil) }},
		"stream of a table": {csv, func(r io.Reader) (int, error) { return all(NewCSVStream("f", r, ',', table), nil) }},
		"stream of sentences": {sentences, func(r io.Reader) (int, error) {
			return all(NewSentenceStream("f", r, columns, false, false, "pos"))
		}},
		"stream of trees": {trees,
			func(r io.Reader) (int, error) { return all(NewTreeStream("f", r, TreeForm{}), nil) }},
		"rows": {"1 1:2\n2 1:3\n1 2:1\n", func(r io.Reader) (int, error) {
			_, n, err := ReadTraining(part(r), 9, false)
			return n, err
		}},
		"table": {csv, func(r io.Reader) (int, error) {
			_, _, n, _, err := ReadTable(part(r), CSVForm{Comma: ','}, 9)
			return n, err
		}},
		"rows of a table": {csv, func(r io.Reader) (int, error) {
			rows, _, err := ReadTableValidation(part(r), ',', &datasets.Labelled{Classes: []string{"a", "b"}}, table)
			if err != nil {
				return 0, err
			}
			return rows.Len(), nil
		}},
		"sentences": {sentences, func(r io.Reader) (int, error) {
			s := NewSentenceReader(columns, false)
			err := s.Read("f", r)
			return s.All.Len(), err
		}},
		"trees": {trees, func(r io.Reader) (int, error) {
			s := NewTreeReader(0, TreeForm{})
			err := s.Read("f", r)
			return len(s.Trees), err
		}},
	} {
		if n, err := c.read(strings.NewReader(c.text)); n != 3 || err != nil {
			t.Errorf("%s: %d examples, %v; want 3", name, n, err)
		}
		for cut := range len(c.text) + 1 {
			_, err := c.read(io.MultiReader(strings.NewReader(c.text[:cut]), iotest.ErrReader(broken)))
			if !errors.Is(err, broken) {
				t.Errorf("%s, broken after %q: error %v, want that of the disk", name, c.text[:cut], err)
			}
		}
	}
}
