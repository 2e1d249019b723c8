package parse

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// rowCollector collects the rows of one or several LIBSVM files.
type rowCollector struct {
	class     func(token []byte) (int, bool) // returns the class of a label; false if it is unknown
	zeroBased bool                           // if true, indices count from 0
	limit     int                            // number of rows to store; other rows only determine features and classes
	dim       int                            // number of features to store; 0: all
	rows      datasets.Labelled              // rows so far; finish adds their indices and values
	index     pieces[int32]
	value     pieces[float64]
	total     int              // number of rows read
	features  int              // number of features in all rows read
	dropped   int              // number of omitted values, whose feature is dim or larger
	unknown   datasets.Unknown // counts the labels whose class is unknown
}

// read appends the rows of one file.
func (c *rowCollector) read(path string, r io.Reader) error {
	scan := newRowScanner(path, r, c.zeroBased)
	if c.rows.X.Start == nil {
		c.rows.X.Start = []int{0}
	}
	start, size := c.total, textSize(r)
	for {
		if size > 0 && size <= prepared && scan.read >= sampled {
			c.expect(size, scan.read, c.total-start)
			size = 0
		}
		err := scan.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		class, ok := c.class(scan.label)
		c.total++
		if c.rows.X.N < c.limit {
			if !ok {
				c.unknown.Add(string(scan.label))
			}
			c.keep(scan, class)
		}
	}
	c.features = max(c.features, scan.dim)
	if c.total == start {
		return &datasets.SyntaxError{Path: path, Line: 1, Column: 1, Msg: "no rows: want LABEL INDEX:VALUE ... on each line"}
	}
	return nil
}

const (
	sampled  = 1 << 16 // bytes of a file from which its number of rows and values is estimated
	prepared = 1 << 25 // largest length in bytes of a file for which memory is prepared; longer ones may not fit
)

// expect prepares memory for the rows in the rest of a file. The parameter size is the length of the whole file in
// bytes, and read is the length of the part that was read, which has the given number of rows. expect assumes that the
// rest has as many rows and values per byte as this part, and adds two per cent.
func (c *rowCollector) expect(size, read int64, rows int) {
	if rows == 0 || c.rows.X.N == 0 {
		return
	}
	more := min(1.02*float64(rows)*float64(size-read)/float64(read), float64(c.limit-c.rows.X.N))
	values := c.index.n + int(more*float64(c.index.n)/float64(c.rows.X.N))
	c.index.expect(values)
	c.value.expect(values)
	c.rows.X.Start = slices.Grow(c.rows.X.Start, int(more))
	c.rows.Y = slices.Grow(c.rows.Y, int(more))
}

// keep stores the current row of the scanner.
func (c *rowCollector) keep(scan *rowScanner, class int) {
	x := &c.rows.X
	n := len(scan.index)
	if c.dim > 0 {
		for n > 0 && int(scan.index[n-1]) >= c.dim {
			n--
		}
		c.dropped += len(scan.index) - n
	}
	c.index.add(scan.index[:n])
	c.value.add(scan.value[:n])
	x.Start = append(x.Start, c.index.n)
	x.N++
	c.rows.Y = append(c.rows.Y, class)
}

// finish returns the rows, with dim features and the given classes. The rows are sparse even if no value is stored.
func (c *rowCollector) finish(dim int, classes []string) *datasets.Labelled {
	x := &c.rows.X
	x.Dim, c.rows.Classes = dim, classes
	if x.Index, x.Value = c.index.join(), c.value.join(); x.Index == nil {
		x.Index = []int32{}
	}
	return &c.rows
}

// some joins the names for a message. If there are more than ten, it joins the first ten and appends the number of
// names. The argument what is the plural noun for the names, such as "classes".
func some(names []string, what string) string {
	if len(names) > 10 {
		return fmt.Sprintf("%s, ... (%d %s)", strings.Join(names[:10], ", "), len(names), what)
	}
	return strings.Join(names, ", ")
}

// RowFiles is a function that reads the training or the validation files of a data set. It calls parse once for each
// file, in order.
type RowFiles func(parse func(path string, r io.Reader) error) error

// ReadTraining reads the training files and returns their first limit rows. Features and classes are those of all rows
// in the files, so they do not depend on the limit. The result total is the number of all rows.
func ReadTraining(part RowFiles, limit int, zeroBased bool) (rows *datasets.Labelled, total int, err error) {
	table := NewLabelTable()
	c := rowCollector{
		class:     func(token []byte) (int, bool) { return table.ID(token), true },
		zeroBased: zeroBased,
		limit:     limit,
	}
	if err := part(c.read); err != nil {
		return nil, 0, err
	}
	names, class := table.classes()
	for i, id := range c.rows.Y {
		c.rows.Y[i] = class[id]
	}
	return c.finish(c.features, names), c.total, nil
}

// ReadValidation reads the first limit rows of the validation files, with the features and classes of train. Values of
// features that train does not have are dropped. A class that train does not have gets the number len(train.Classes).
// The returned doubts are warnings that state how many values and rows are affected.
func ReadValidation(part RowFiles, train *datasets.Labelled, limit int, zeroBased bool) (rows *datasets.Labelled,
	doubts []string, err error) {
	find := ClassFinder(train.Classes)
	c := rowCollector{
		class: func(token []byte) (int, bool) {
			class, ok := find(token)
			if !ok {
				class = len(train.Classes)
			}
			return class, ok
		},
		zeroBased: zeroBased,
		limit:     limit,
		dim:       max(train.X.Dim, 1),
	}
	if err := part(c.read); err != nil {
		return nil, nil, err
	}
	if c.dropped > 0 {
		doubts = append(doubts, fmt.Sprintf("dropped %d values of features beyond the %d of the training rows", c.dropped,
			train.X.Dim))
	}
	return c.finish(train.X.Dim, train.Classes), append(doubts, c.unknown.Doubts("validation ", "row")...), nil
}

// Doubts returns warnings about possible faults of training rows. It warns of classes without rows, of labels that may
// be regression targets and not classes, and of a feature number far above all others.
func Doubts(train *datasets.Labelled) []string {
	count := make([]int, len(train.Classes))
	for _, y := range train.Y {
		count[y]++
	}
	var absent []string
	for c, n := range count {
		if n == 0 {
			absent = append(absent, train.Classes[c])
		}
	}
	var warnings []string
	if len(absent) > 0 {
		warnings = append(warnings, "no training rows of class "+some(absent, "classes"))
	}
	if k, n := len(train.Classes), train.Len(); k == 1 {
		warnings = append(warnings, fmt.Sprintf("all rows are of one class, %s", train.Classes[0]))
	} else if n >= 20 && 2*k > n {
		warnings = append(warnings, fmt.Sprintf("%d classes in %d rows: are the labels numbers to predict, not classes?", k,
			n))
	}
	if row, feature, next := outlier(&train.X); row >= 0 {
		warnings = append(warnings, fmt.Sprintf("training row %d has feature %d, and all other rows have none above %d: is "+
			"this an error? A model has weights for all features up to the largest", row+1, feature+1, next+1))
	}
	return warnings
}

// outlier returns a row with a feature number far above those of all other rows. It also returns that feature and the
// largest feature of the other rows. If there is no such row, row is −1.
func outlier(x *datasets.Rows) (row, feature, next int) {
	// far is the smallest ratio of feature to next+1, the number of features of the other rows, that counts as far above.
	const far = 1000
	row, feature, next = -1, -1, -1
	for i := 0; x.Index != nil && i < x.N; i++ {
		index, _ := x.Row(i)
		if len(index) == 0 {
			continue
		}
		switch last := int(index[len(index)-1]); {
		case last > feature:
			row, feature, next = i, last, feature
		case last > next:
			next = last
		}
	}
	if next < 0 || feature < far*(next+1) {
		row = -1
	}
	return row, feature, next
}
