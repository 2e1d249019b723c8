package nonlocal

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// sequences returns an error if the labellings of a base are not sequences of labels, with the parts of a chain.
func sequences(base *models.Task) error {
	if base.Model != "chain" && base.Model != "chain-kernel" {
		return fmt.Errorf("the energy needs sequences of labels, but the base has the model %s: want chain", base.Model)
	}
	if len(base.Train) == 0 || base.Examples == nil {
		return fmt.Errorf("the base, with the model %s, has no training examples, or cannot build examples from other "+
			"data than its training data", base.Model)
	}
	return nil
}

// shape returns the length l of a sequence and the number k of labels.
func shape(e *models.Example) (l, k int) {
	l = (len(e.Truth) + 1) / 2
	return l, len(e.Cost) / l
}

// labellings returns the true labels of the base's training examples.
func labellings(base *models.Task) [][]int {
	out := make([][]int, len(base.Train))
	for i := range base.Train {
		out[i] = labelling(&base.Train[i])
	}
	return out
}

// labelling returns the true labels of an example.
func labelling(e *models.Example) []int {
	l, k := shape(e)
	y := make([]int, l)
	for t, r := range e.Truth[:l] {
		y[t] = r - t*k
	}
	return y
}

// labelNames returns the names of the base's labels. A label without a name in the data is named after its number.
func labelNames(base *models.Task, data datasets.Data) ([]string, error) {
	_, k := shape(&base.Train[0])
	names := make([]string, k)
	for y := range names {
		names[y] = fmt.Sprintf("label %d", y)
	}
	switch d := data.(type) {
	case *datasets.Sequences:
		copy(names, d.Labels)
	case *datasets.Sentences:
		for c := len(d.Columns) - 1; c >= 0; c-- {
			if found, err := labelTexts(names, base, d, c); found || err != nil {
				return names, err
			}
		}
		return nil, fmt.Errorf("no column of the sentences contains the labels of the base")
	}
	return names, nil
}

// labelTexts finds out whether a column of sentences is the column that the base predicts. If so, it writes the names
// of the base's labels to names. To find out, it builds a sentence in which each text of the column occurs once and the
// other columns are constant, and the base turns the sentence into an example. Each text is then the name of the true
// label at its position. But if the true label has a positive cost, the text is not a label in the base's training
// data. The column is found if at least two of its texts are labels.
func labelTexts(names []string, base *models.Task, d *datasets.Sentences, column int) (found bool, err error) {
	n := len(d.Columns[column].Text)
	probe := &datasets.Sentences{Start: []int{0, n}}
	for i, c := range d.Columns {
		ids := make([]int32, n)
		if i == column {
			for t := range ids {
				ids[t] = int32(t)
			}
		}
		probe.Columns = append(probe.Columns, datasets.Column{Name: c.Name, ID: ids, Text: c.Text})
	}
	list, err := base.Examples(probe)
	if err != nil {
		return false, err
	}
	e := &list[0]
	known, text := map[int]string{}, d.Columns[column].Text
	for t, y := range labelling(e) {
		if e.Cost[e.Truth[t]] == 0 {
			known[y] = text[t]
		}
	}
	if len(known) < 2 {
		return false, nil
	}
	for y, name := range known {
		names[y] = name
	}
	return true, nil
}
