package harness

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Label is the prediction for one example. One of Label, Labels, Heads and Tree is given.
type Label struct {
	Tokens    []string  `json:"tokens,omitempty"`    // first column of a sentence; only Predict sets it
	Label     string    `json:"label,omitempty"`     // class of a row
	Labels    []string  `json:"labels,omitempty"`    // label of each token of a sentence, or of each row of a sequence
	Heads     []int     `json:"heads,omitempty"`     // head of each token, from 1; 0 for the root
	Tree      string    `json:"tree,omitempty"`      // tree in brackets; (()) if the grammar has none
	Score     *float64  `json:"score,omitempty"`     // score of the labelling
	Marginals []float64 `json:"marginals,omitempty"` // probability of each predicted label
	// Unknown has the values of categorical columns that no training row has, by the name of their column. Such a value
	// gets no feature.
	Unknown map[string]string `json:"unknown,omitempty"`
	// Notes has warnings about the example, such as features that no training row has. Only Answer sets it.
	Notes []string `json:"notes,omitempty"`
	// AllScores and AllMarginals have the score and the probability of every label, if they were asked for: one map for a
	// row, or one for each token or position. In JSON these are the fields scores and marginals; those of a row are a map,
	// and others are a list of maps.
	AllScores    []map[string]float64 `json:"-"`
	AllMarginals []map[string]float64 `json:"-"`
}

// MarshalJSON implements json.Marshaler.
func (l Label) MarshalJSON() ([]byte, error) {
	type plain Label
	out := struct {
		plain
		Scores    any `json:"scores,omitempty"`
		Marginals any `json:"marginals,omitempty"`
	}{plain: plain(l)}
	if l.Marginals != nil {
		out.Marginals = l.Marginals
	}
	for _, c := range []struct {
		all []map[string]float64
		to  *any
	}{{l.AllScores, &out.Scores}, {l.AllMarginals, &out.Marginals}} {
		switch {
		case c.all != nil && l.Labels == nil && l.Heads == nil:
			*c.to = c.all[0]
		case c.all != nil:
			*c.to = c.all
		}
	}
	var text bytes.Buffer
	err := writeJSON(&text, out)
	return text.Bytes(), err
}

// writeJSON writes a value in JSON on one line.
func writeJSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// unknownIn returns the values of the current example of a stream that no training row has, by the name of their
// column.
func unknownIn(s datasets.Stream) map[string]string {
	if n, ok := s.(datasets.Novel); ok {
		return n.Unknown()
	}
	return nil
}

// labelOf returns the prediction for an example, and the number of labels in it.
func labelOf(predicted datasets.Data, beside datasets.Beside, all allLabels, target string) (label Label, n int) {
	n = 1
	switch d := predicted.(type) {
	case *datasets.Labelled:
		label.Label = d.Classes[d.Y[0]]
	case *datasets.Discrete:
		label.Label = d.Variables[d.Class].Values[d.Value[d.Class]]
	case *datasets.Sequences:
		for _, y := range d.Y {
			name := ""
			if y < len(d.Labels) {
				name = d.Labels[y]
			}
			label.Labels = append(label.Labels, name)
		}
		n = len(label.Labels)
	case *datasets.Sentences:
		if target == datasets.Heads {
			for _, h := range d.Heads {
				label.Heads = append(label.Heads, int(h))
			}
			n = len(label.Heads)
		} else if c, err := d.Column(target); err == nil {
			for _, id := range c.ID {
				label.Labels = append(label.Labels, c.Text[id])
			}
			n = len(label.Labels)
		}
	case *datasets.Treebank:
		label.Tree = string(d.Trees[0].Append(nil))
	}
	label.Score = beside.Score
	if label.Tree == "" { // the parts after the labels are pairs of labels
		label.Marginals = slices.Clone(beside.Marginals[:min(n, len(beside.Marginals))])
	}
	label.AllScores, label.AllMarginals = all.maps(all.scores), all.maps(all.marginals)
	return label, n
}

// tokensOf returns the texts in the first column of a sentence, or nil for other data.
func tokensOf(data datasets.Data) []string {
	s, ok := data.(*datasets.Sentences)
	if !ok || len(s.Columns) == 0 {
		return nil
	}
	var out []string
	for _, id := range s.Columns[0].ID {
		out = append(out, s.Columns[0].Text[id])
	}
	return out
}

// allLabels has numbers of all labels of one example, at each place. Its memory is reused for the next example.
type allLabels struct {
	choices           models.Choices // without labels: no numbers were asked for
	scores, marginals []float64      // one number for each place and label; nil: not asked for
	heads             bool           // whether the labels are heads, whose number depends on the sentence
	cells             [][]string
}

// of computes the numbers that o asks for.
func (a *allLabels) of(c models.Choices, theta, mu []float64, o PredictOptions) {
	scores, marginals := a.scores, a.marginals
	*a = allLabels{choices: c, heads: c.Scores == nil, cells: a.cells}
	if o.AllScores {
		a.scores = c.Scores(scores, theta)
	}
	if o.AllMarginals {
		a.marginals = c.Marginals(marginals, mu)
	}
}

// table returns the names of the columns with the numbers, and the texts of the numbers at each place. Heads have one
// column with pairs such as 0:0.25,2:0.75.
func (a *allLabels) table() (columns []string, cells [][]string) {
	k := len(a.choices.Labels)
	if k == 0 {
		return nil, nil
	}
	if a.heads {
		columns = []string{"marginals"}
	} else {
		for _, c := range []struct {
			name   string
			values []float64
		}{{"marginal:", a.marginals}, {"score:", a.scores}} {
			if c.values == nil {
				continue
			}
			for _, label := range a.choices.Labels {
				columns = append(columns, c.name+strings.Join(strings.Fields(label), "_"))
			}
		}
	}
	a.cells = a.cells[:0]
	for t := range a.choices.Places {
		var row []string
		for y := range k {
			if a.marginals != nil {
				row = append(row, strconv.FormatFloat(a.marginals[t*k+y], 'f', 6, 64))
			}
		}
		if a.heads {
			row = []string{a.pairs(t, row)}
		}
		for y := range k {
			if a.scores != nil {
				row = append(row, strconv.FormatFloat(a.scores[t*k+y], 'g', 10, 64))
			}
		}
		a.cells = append(a.cells, row)
	}
	return columns, a.cells
}

// pairs returns the labels at a place with their numbers, except those whose number is written as zero.
func (a *allLabels) pairs(t int, numbers []string) string {
	var pairs []string
	for y, label := range a.choices.Labels {
		if strings.Trim(numbers[y], "0.") != "" {
			pairs = append(pairs, label+":"+numbers[y])
		}
	}
	return strings.Join(pairs, ",")
}

// maps returns the finite numbers of the possible labels at each place, or nil if there are no numbers.
func (a *allLabels) maps(numbers []float64) []map[string]float64 {
	k := len(a.choices.Labels)
	if k == 0 || numbers == nil {
		return nil
	}
	out := make([]map[string]float64, a.choices.Places)
	for t := range out {
		out[t] = map[string]float64{}
		for y, label := range a.choices.Labels {
			if v := numbers[t*k+y]; a.choices.Part(t, y) >= 0 && !math.IsInf(v, 0) {
				out[t][label] = v
			}
		}
	}
	return out
}
