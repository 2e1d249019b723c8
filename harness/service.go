package harness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/models"
)

// Question contains examples to label, in the form of a JSON request. Only one of the three lists has examples.
type Question struct {
	// Rows has a row for each example: a list of the values of all features, or a map from the features' indices in
	// LIBSVM files to their values; for discrete variables a map from the names of the variables to their values; for
	// tables in CSV a map from the names of the columns to numbers or texts, or a list of these in the columns' order.
	Rows []any `json:"rows,omitempty"`
	// Sequences has a list of rows, as in Rows, for each example.
	Sequences [][]any `json:"sequences,omitempty"`
	// Sentences has a list of tokens for each example. A token is a list of its columns as in the training files, with or
	// without the column of the label. For trees, a sentence is a list of words.
	Sentences [][]any `json:"sentences,omitempty"`
	// The other fields state which numbers are returned, as the fields of PredictOptions with the same names.
	Scores       bool `json:"scores,omitempty"`
	Marginals    bool `json:"marginals,omitempty"`
	AllScores    bool `json:"all_scores,omitempty"`
	AllMarginals bool `json:"all_marginals,omitempty"`
}

// Describe returns the name of the model, its loss, the kind of its examples, and the number of its weights.
func (p *Predictor) Describe() map[string]any {
	out := map[string]any{"experiment": p.weights.Experiment, "model": p.weights.Model, "loss": p.weights.Loss,
		"examples": p.weights.Kind, "weights": len(p.weights.W), "list": p.list(), "marginals": p.loss.Temp != 0}
	if target := p.decoder.Target(); target != "" {
		out["predicts"] = target
	}
	if c := p.columnar(); c != nil {
		out["columns"] = c.Fields()
	}
	if table := p.weights.Table; len(table.Columns) > 0 {
		out["predicts"], out["columns"] = table.Label, table.Columns
	}
	return out
}

// Example returns a body of a request to this model, in JSON. It shows the form of the examples; the values are made
// up. Answer accepts it, unless it leaves out columns of a table, which it shows as "...".
func (p *Predictor) Example() string {
	table := p.weights.Table
	switch kind := p.weights.Kind; {
	case len(table.Columns) > 0:
		var cells []string
		for i, c := range table.Columns {
			if i == shownColumns {
				cells = append(cells, "...")
				break
			}
			value := "0.5"
			if c.Categorical() {
				value = shown(c.Values[0])
			}
			cells = append(cells, shown(c.Name)+": "+value)
		}
		return `{"rows": [{` + strings.Join(cells, ", ") + `}]}`
	case kind == (&datasets.Discrete{}).Kind():
		return `{"rows": [{` + p.variables() + `}]}`
	case kind == (*datasets.Sequences)(nil).Kind():
		return `{"sequences": [[[1, 0], [0, 1]]]}`
	case kind == (*datasets.Treebank)(nil).Kind():
		return `{"sentences": [["the", "dog"]]}`
	case p.list() == "rows":
		return `{"rows": [[0.5, 2]]}`
	}
	return `{"sentences": [[` + p.token() + `]]}`
}

// shownColumns is the number of columns of a table that Example shows.
const shownColumns = 6

// variables returns variables and values that the model knows, as the content of an object in JSON.
func (p *Predictor) variables() string {
	var cells []string
	if s, ok := p.decoder.(models.Sampler); ok {
		row := s.Sample().(*datasets.Discrete)
		for v, variable := range row.Variables {
			cells = append(cells, shown(variable.Name)+": "+shown(variable.Values[row.Value[v]]))
		}
	}
	if len(cells) == 0 {
		return `"outlook": "sunny"`
	}
	return strings.Join(cells, ", ")
}

// columnar returns the names of the columns of sentences, and a token. It returns nil if the examples are not sentences
// in columns.
func (p *Predictor) columnar() datasets.Columnar {
	form, err := p.plainForm()
	if err != nil {
		return nil
	}
	s, err := form.Stream("", strings.NewReader(""), p.decoder.Target())
	if err != nil {
		return nil
	}
	c, _ := s.(datasets.Columnar)
	return c
}

// token returns a token of a sentence in JSON.
func (p *Predictor) token() string {
	token := []string{"the"}
	if c := p.columnar(); c != nil {
		token = c.Token()
	}
	return strings.ReplaceAll(shown(token), `","`, `", "`)
}

// list returns the name of the list of a Question that has examples for this model.
func (p *Predictor) list() string {
	switch p.weights.Kind {
	case (*datasets.Labelled)(nil).Kind(), (&datasets.Discrete{}).Kind():
		return "rows"
	case (*datasets.Sequences)(nil).Kind():
		return "sequences"
	}
	return (&datasets.Sentences{}).Kind()
}

// ErrQuestion is wrapped by an error of Answer if the question is wrong.
var ErrQuestion = errors.New("the request is wrong")

// Answer labels the examples of a question. It writes the examples as a text in the format of the training files, and
// reads this text as Predict does, so that both give the same labels. If ctx ends, it returns the error of ctx.
func (p *Predictor) Answer(ctx context.Context, q Question) ([]Label, error) {
	o := PredictOptions{Scores: q.Scores, Marginals: q.Marginals, AllScores: q.AllScores, AllMarginals: q.AllMarginals}
	if err := p.Allows(o); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrQuestion, err)
	}
	form, err := p.plainForm()
	if err != nil {
		return nil, err
	}
	texts, sizes, err := p.written(q)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrQuestion, err)
	}
	out := make([]Label, 0, len(texts))
	for i, text := range texts {
		o.Name = fmt.Sprintf("%s[%d]", p.list(), i)
		found := 0
		err := p.each(ctx, form, strings.NewReader(text), o, func(s datasets.Stream, _, predicted datasets.Data,
			beside datasets.Beside) error {
			found++
			label, n := labelOf(predicted, beside, p.all, p.decoder.Target())
			if n != sizes[i] {
				return fmt.Errorf("%s: it has %[3]d tokens, but its text in the file format is read as %[2]d", o.Name, n, sizes[i])
			}
			label.Unknown, label.Notes = unknownIn(s), p.decoder.Warnings()
			out = append(out, label)
			return nil
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			err = p.placed(i, err)
		}
		if err == nil && found != 1 {
			err = fmt.Errorf("%s: want one example, but its text in the file format is read as %d", o.Name, found)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrQuestion, err)
		}
	}
	return out, nil
}

// placed returns an error about the text of example i with the place in the request in place of the line and column.
func (p *Predictor) placed(i int, err error) error {
	var fault *datasets.SyntaxError
	if !errors.As(err, &fault) {
		return err
	}
	place := fmt.Sprintf("%s[%d]", p.list(), i)
	if fault.Line > 0 && p.list() != "rows" && p.weights.Kind != (*datasets.Treebank)(nil).Kind() {
		place += fmt.Sprintf("[%d]", fault.Line-1) // each token, or row of a sequence, is a line of the text
	}
	return fmt.Errorf("%s: %s", place, fault.Msg)
}

// plainForm returns the file format of the training files in UTF-8, without comments.
func (p *Predictor) plainForm() (datasets.Form, error) {
	w := store.Weights{Kind: p.weights.Kind, Data: p.weights.Data, Table: p.weights.Table}
	w.Data.Params = maps.Clone(w.Data.Params)
	delete(w.Data.Params, "encoding")
	delete(w.Data.Params, "delimiter")
	if _, ok := w.Data.Params["comments"].(bool); ok {
		delete(w.Data.Params, "comments")
	}
	return formOf(&w)
}

// written returns the text of each example in the format of the training files, and the number of labels of each.
func (p *Predictor) written(q Question) (texts []string, sizes []int, err error) {
	given := map[string]int{"rows": len(q.Rows), "sequences": len(q.Sequences),
		(&datasets.Sentences{}).Kind(): len(q.Sentences)}
	want := p.list()
	for name, n := range given {
		if n > 0 && name != want {
			return nil, nil, fmt.Errorf("the request has %s; model %s needs %s", name, p.weights.Model, want)
		}
	}
	add := func(text string, size int) {
		texts, sizes = append(texts, text), append(sizes, size)
	}
	zero, _ := p.weights.Data.Params["zero_based"].(bool)
	first := 1
	if zero {
		first = 0
	}
	for i, row := range q.Rows {
		text, err := "", error(nil)
		switch {
		case p.weights.Kind == (&datasets.Discrete{}).Kind():
			text, err = variables(row)
		case len(p.weights.Table.Columns) > 0:
			text, err = tableRow(row, p.weights.Table)
		default:
			text, err = features(row, first)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("rows[%d]: %w", i, err)
		}
		add(text+"\n", 1)
	}
	for i, rows := range q.Sequences {
		var b strings.Builder
		for t, row := range rows {
			text, err := features(row, 1)
			if err != nil {
				return nil, nil, fmt.Errorf("sequences[%d][%d]: %w", i, t, err)
			}
			b.WriteString("qid:1 " + text + "\n")
		}
		if len(rows) == 0 {
			return nil, nil, fmt.Errorf("sequences[%d] is empty", i)
		}
		add(b.String(), len(rows))
	}
	for i, tokens := range q.Sentences {
		text, size, err := p.sentence(tokens)
		if err != nil {
			return nil, nil, fmt.Errorf("sentences[%d]: %w", i, err)
		}
		add(text, size)
	}
	return texts, sizes, nil
}

// sentence returns the lines of a sentence, and the number of its labels.
func (p *Predictor) sentence(tokens []any) (string, int, error) {
	if len(tokens) == 0 {
		return "", 0, errors.New("it has no tokens")
	}
	words := p.weights.Kind == (*datasets.Treebank)(nil).Kind()
	var b strings.Builder
	for t, token := range tokens {
		columns, ok := token.([]any)
		if words {
			columns, ok = []any{token}, true
		}
		if !ok || len(columns) == 0 {
			return "", 0, fmt.Errorf("token %d is %s; want a list of its columns: %s", t, shown(token), p.token())
		}
		for c, v := range columns {
			text, ok := v.(string)
			if !ok || text == "" || strings.ContainsFunc(text, unprintable) || words && strings.ContainsAny(text, " ()") {
				return "", 0, fmt.Errorf("token %d, column %d: got %s; want a text without tabs and newlines that is not empty", t,
					c, shown(v))
			}
			if c > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(text)
		}
		if words {
			b.WriteByte(' ')
		} else {
			b.WriteByte('\n')
		}
	}
	if words {
		return b.String() + "\n", 1, nil
	}
	return b.String() + "\n", len(tokens), nil
}

// unprintable reports whether a character may end a column or a line of a file.
func unprintable(r rune) bool {
	return r < ' ' || r == 0x7f || r == 0x85 || r == 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffd
}
