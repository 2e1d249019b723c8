package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/datasets/score"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/models"
)

// Predictor labels texts with the weights of a run. It is not safe for concurrent use.
type Predictor struct {
	weights *store.Weights
	decoder models.Decoder
	form    datasets.Form // file format of the texts
	loss    models.Loss

	theta, mu []float64
	y         models.Vertex
	text      []byte
	all       allLabels // numbers of all labels of the last example
}

// Load reads a weights file that a run with Options.SaveWeights wrote. It does not need the data of that run. An error
// names the file, and the reason: the file is damaged, a newer program wrote it, or its model cannot make predictions.
func Load(path string) (*Predictor, error) {
	w, err := store.ReadWeights(path)
	if err != nil {
		return nil, err
	}
	p, err := newPredictor(w)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// newPredictor returns a predictor that uses the content of a weights file.
func newPredictor(w *store.Weights) (*Predictor, error) {
	if !w.Complete() {
		return nil, fmt.Errorf("a weights file of format %s lacks the settings of the model and of the data; remove the "+
			"file, and run again with --save-weights", w.Format)
	}
	p := &Predictor{weights: w}
	var err error
	if p.decoder, err = decoderOf(w); err != nil {
		return nil, err
	}
	if n := p.decoder.Dim(); n != len(w.W) {
		return nil, fmt.Errorf("damaged weights file: %d weights, but model %s has %d for this vocabulary", len(w.W),
			w.Model, n)
	}
	if p.form, err = formOf(w); err != nil {
		return nil, err
	}
	if w.Scaling.Kind != "" && w.Kind != (*datasets.Labelled)(nil).Kind() {
		return nil, fmt.Errorf("damaged weights file: it has a scaling of rows, but the data are %s", w.Kind)
	}
	p.loss, _ = models.LossNamed(w.Loss)
	return p, nil
}

// decoderOf restores the model of a weights file from the settings and the vocabulary in the file.
func decoderOf(w *store.Weights) (models.Decoder, error) {
	list := catalogue.Models()
	at := slices.IndexFunc(list, func(e models.Entry) bool { return e.Name == w.Model })
	if at < 0 {
		return nil, fmt.Errorf("this program has no model %q; perhaps a newer program wrote the weights", w.Model)
	}
	e := list[at]
	builder := e.New()
	restorer, ok := builder.(models.Restorer)
	if !ok {
		return nil, fmt.Errorf("weights of model %s cannot make predictions: %s; the metrics of the run measure their "+
			"quality (record.metrics)", e.Name, e.NotRestored)
	}
	if was := w.Revisions["model "+e.Name]; was > e.Revision {
		return nil, fmt.Errorf("the weights belong to revision %d of model %s; this program is older: it has revision %d",
			was, e.Name, e.Revision)
	}
	if len(w.Vocabulary) == 0 {
		return nil, fmt.Errorf("the file does not contain the vocabulary of model %s, because its problem continues an "+
			`earlier one (key "from"), or because an earlier program wrote it; if the spec has no key "from", remove the `+
			"file, and run again with --save-weights", e.Name)
	}
	if err := decode(builder, w.Settings.Params); err != nil {
		return nil, fmt.Errorf("damaged weights file, or a newer program wrote it: settings of model %s: %w", e.Name, err)
	}
	decoder, err := restorer.Restore(w.Vocabulary)
	if err != nil {
		return nil, fmt.Errorf("damaged weights file: vocabulary of model %s: %w", e.Name, err)
	}
	return decoder, nil
}

// formOf returns the file format in which Predict reads and writes texts. It is the format of the data set's files or,
// if these cannot be read as a stream, the plain format for the same kind of examples.
func formOf(w *store.Weights) (datasets.Form, error) {
	for _, e := range catalogue.DataSets() {
		if e.Format && e.Name != w.Data.Format || !e.Format && e.Name != w.Data.Name {
			continue
		}
		loader := e.New()
		delete(w.Data.Params, "validation_fraction") // a setting of earlier programs, which does not change the format
		if err := decode(loader, w.Data.Params); err != nil {
			return nil, fmt.Errorf("damaged weights file, or a newer program wrote it: settings of data %s: %w", e.Name, err)
		}
		if v, ok := loader.(datasets.Validator); ok {
			if err := v.Validate(); err != nil {
				return nil, fmt.Errorf("damaged weights file: settings of data %s: %w", e.Name, err)
			}
		}
		if form, ok := loader.(datasets.Streamer); ok {
			return form, nil
		}
		if tabular, ok := loader.(datasets.Tabular); ok {
			if len(w.Table.Columns) == 0 {
				return nil, fmt.Errorf("damaged weights file: it lacks the columns of the data %s", e.Name)
			}
			return tabular.Form(w.Table), nil
		}
	}
	if form, ok := formats.Plain(w.Kind); ok {
		return form, nil
	}
	return nil, fmt.Errorf("no file format is known for the %s of data %q; predict needs a file in one of the formats "+
		"that gaplab data list names", w.Kind, w.Data.Name+w.Data.Format)
}

// Decode replaces the setting decode of the model: viterbi, marginal or risk. It returns an error if the model has no
// such setting, or if the weights give no probabilities of labellings, which all values but viterbi need.
func (p *Predictor) Decode(name string) error {
	var with []string
	for _, e := range catalogue.Models() {
		if decode(e.New(), map[string]any{decodeKey: name}) == nil {
			with = append(with, e.Name)
		}
	}
	if !slices.Contains(with, p.weights.Model) {
		return fmt.Errorf("model %s has no setting %s; these models have it: %s", p.weights.Model, decodeKey,
			strings.Join(with, ", "))
	}
	if name != "viterbi" && !p.probable() {
		return fmt.Errorf("%s needs weights trained with the log loss; these were trained with the loss %s", name,
			p.weights.Loss)
	}
	w := *p.weights
	w.Settings.Params = maps.Clone(w.Settings.Params)
	if w.Settings.Params == nil {
		w.Settings.Params = map[string]any{}
	}
	w.Settings.Params[decodeKey] = name
	decoder, err := decoderOf(&w)
	if err != nil {
		return err
	}
	p.weights, p.decoder = &w, decoder
	return nil
}

// probable reports whether the scores of labellings are log-probabilities, apart from a constant: in a model trained
// with the log loss, and in a generative model, whose weights are log-probabilities whatever its loss.
func (p *Predictor) probable() bool {
	return p.loss.Temp > 0 || slices.ContainsFunc(catalogue.Models(),
		func(e models.Entry) bool { return e.Name == p.weights.Model && e.Free })
}

// decodeKey is the setting of models that choose among rules of prediction.
const decodeKey = "decode"

// decode fills settings from params. Unknown settings are an error.
func decode(settings any, params map[string]any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text)) // every JSON text is valid YAML
	decoder.KnownFields(true)
	return decoder.Decode(settings)
}

// PredictOptions states what Predict writes.
type PredictOptions struct {
	Name         string // name of the text in errors
	Scores       bool   // whether to write the score of each predicted labelling
	Marginals    bool   // whether to write the probability of each predicted label (see Allows)
	AllScores    bool   // whether to write, instead, the score of each label: the largest score of a labelling with it
	AllMarginals bool   // whether to write, instead, the probability of each label (see Allows)
	JSON         bool   // whether to write each example as a Label in JSON, on one line
}

// Prediction states how many labels Predict wrote for a text, and how many were wrong.
type Prediction struct {
	Examples int      // number of examples
	Kind     string   // kind of the examples, such as "sentences"
	Labels   int      // number of true labels in the text, of rows or tokens
	Wrong    int      // number of true labels that were predicted wrongly
	Scores   []string // text with the usual metrics of the task; nil if the text has no true labels
	Seconds  float64  // wall-clock time, including reading and writing
	Warnings []string // warnings about the text
}

// Predict reads a text in the format of the training files, one example at a time, and writes each example with its
// prediction. For a row it writes one line with the class. To each line of a sentence it appends a column with the
// label; if the format has a fixed number of columns, the label replaces a field instead. True labels may be present or
// absent. Input and output have the encoding of the training files. Memory does not depend on the length of the text.
func (p *Predictor) Predict(ctx context.Context, in io.Reader, out io.Writer, o PredictOptions) (*Prediction, error) {
	if err := p.Allows(o); err != nil {
		return nil, err
	}
	begin := time.Now()
	scores := score.New(p.decoder.Target())
	first := true
	var stream datasets.Stream
	err := p.each(ctx, p.form, in, o, func(s datasets.Stream, data, predicted datasets.Data,
		beside datasets.Beside) error {
		stream = s
		scores.Add(data, predicted)
		if o.JSON {
			label, _ := labelOf(predicted, beside, p.all, p.decoder.Target())
			label.Tokens, label.Unknown = tokensOf(data), unknownIn(s)
			return writeJSON(out, label)
		}
		beside.Columns, beside.Cells = p.all.table()
		beside.Header = first && len(beside.Columns) > 0
		first = false
		p.text = s.Append(p.text[:0], predicted, beside)
		_, err := out.Write(p.text)
		return err
	})
	if err != nil {
		return nil, err
	}
	var doubts []string
	if d, ok := stream.(datasets.Doubter); ok {
		doubts = d.Doubts()
	}
	return &Prediction{Examples: scores.Examples, Kind: p.weights.Kind, Labels: scores.Labels, Wrong: scores.Wrong,
		Scores: scores.Lines(), Seconds: time.Since(begin).Seconds(),
		Warnings: slices.Concat(p.decoder.Warnings(), doubts, scores.Doubts())}, ctx.Err()
}

// Allows returns an error if the model cannot give the numbers that o asks for. Probabilities need weights that were
// trained with the log loss, or the log-probabilities of a generative model.
func (p *Predictor) Allows(o PredictOptions) error {
	if (o.Marginals || o.AllMarginals) && !p.probable() {
		return fmt.Errorf("marginals need weights trained with the log loss; these were trained with the loss %s",
			p.weights.Loss)
	}
	for what, asked := range map[string]bool{"scores": o.AllScores, "marginals": o.AllMarginals} {
		var models []string
		for _, e := range catalogue.Models() {
			if slices.Contains(e.PerLabel, what) && (what == "scores" || e.Free || slices.Contains(e.Losses, "log")) {
				models = append(models, e.Name)
			}
		}
		if asked && !slices.Contains(models, p.weights.Model) {
			return fmt.Errorf("model %s has no %s of all labels; these models have them: %s", p.weights.Model, what,
				strings.Join(models, ", "))
		}
	}
	return nil
}

// each reads a text in a file format, one example at a time, and calls use with each example and its prediction. It
// ends without an error when ctx ends.
func (p *Predictor) each(ctx context.Context, form datasets.Form, in io.Reader, o PredictOptions,
	use func(s datasets.Stream, data, predicted datasets.Data, beside datasets.Beside) error) error {
	stream, err := form.Stream(o.Name, in, p.decoder.Target())
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		data, err := stream.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if rows, ok := data.(*datasets.Labelled); ok {
			data = p.weights.Scaling.Scaled(rows)
		}
		e, err := p.decoder.Example(data)
		if err != nil {
			return &datasets.SyntaxError{Path: o.Name, Line: stream.Line(), Column: 1, Msg: err.Error()}
		}
		predicted, beside, err := p.label(data, e, o)
		if err != nil {
			return err
		}
		if err := use(stream, data, predicted, beside); err != nil {
			return err
		}
	}
	return nil
}

// label returns the prediction of an example. If o asks for them, it also returns the score of that labelling and
// the marginals of its parts.
func (p *Predictor) label(data datasets.Data, e models.Example, o PredictOptions) (datasets.Data, datasets.Beside,
	error) {
	var beside datasets.Beside
	p.theta = models.Resize(p.theta, e.Features.Parts())
	e.Features.Score(p.theta, p.weights.W)
	var value float64
	p.y, value = e.Predict(p.y, p.theta)
	if o.Scores && !math.IsInf(value, 0) {
		beside.Score = &value
	}
	predicted := p.decoder.Output(data, e, p.y)
	if o.Marginals || o.AllMarginals {
		if e.Exp == nil {
			return nil, beside, fmt.Errorf("model %s has no marginals", p.weights.Model)
		}
		p.mu = models.Resize(p.mu, len(p.theta))
		e.Exp.LogSum(p.mu, p.theta)
		for _, r := range p.y {
			beside.Marginals = append(beside.Marginals, p.mu[r])
		}
	}
	p.all.choices = models.Choices{}
	if o.AllScores || o.AllMarginals {
		p.all.of(p.decoder.(models.Chooser).Choices(e), p.theta, p.mu, o)
	}
	if o.AllScores {
		beside.Score = nil
	}
	if o.AllMarginals {
		beside.Marginals = nil
	}
	return predicted, beside, nil
}
