package harness

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestSaveWeights checks that a finished run has a weights file, and that a diverged run has none. If a run finished
// without saving weights, and SaveWeights is set later, the run must be repeated.
func TestSaveWeights(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}, {as: wild, name: sgd, eta0: 1e200}]\nstop: {passes: 3}\n")
	r := runIn(t, dir, s, Options{SaveWeights: true})
	if f := labelled(t, r, "as", "wild"); f.Status() != trace.Diverged || f.End.Weights != "" {
		t.Errorf("diverged run: status %s, weights %q, want none", f.Status(), f.End.Weights)
	}
	f := labelled(t, r, "as", "eg")
	if f.End.Weights == "" {
		t.Fatal("the finished run has no weights")
	}
	w, err := store.WeightsOf(f)
	if err != nil {
		t.Fatal(err)
	}
	if w.Experiment != "test/tiny" || w.Key != f.Manifest.Key || w.Model != "multiclass" || w.Loss != "log" ||
		w.Data.Name != "digits" || len(w.W) != 7840 || w.Dim != 7840 || len(w.Vocabulary) == 0 {
		t.Errorf("weights: experiment %s, key %s, model %s, loss %s, data %s, %d of %d numbers; want those of the run, 7840 "+
			"numbers and a vocabulary", w.Experiment, w.Key, w.Model, w.Loss, w.Data.Name, len(w.W), w.Dim)
	}
	fresh := t.TempDir()
	runIn(t, fresh, s)
	if f := labelled(t, runIn(t, fresh, s, Options{SaveWeights: true}), "as", "eg"); f.End.Weights == "" {
		t.Error("with SaveWeights, a finished run without weights was reused instead of repeated")
	}
	var again toy.Journal
	runIn(t, dir, s, Options{SaveWeights: true, OnEvent: again.Event})
	again.Want(t, nil, []string{"eg", "wild"})
}

// zipped returns a text, compressed by gzip.
func zipped(text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write([]byte(text))
	z.Close()
	return out.Bytes()
}

// weightsFile writes a text to a gzip file and returns its path.
func weightsFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "w.json.gz")
	if err := os.WriteFile(file, zipped(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestLoadRefuses checks that Load returns an error with the reason and the file if a weights file is damaged, of
// another format, or inconsistent.
func TestLoadRefuses(t *testing.T) {
	const v3, chain = `{"format": "gaplab-weights/3", "kind": "sentences", "model": "chain", `,
		`"settings": {"params": {"cutoff": 1}}, "data": {"name": "conll2000", "params": {"train": 1}}, `
	const words = `"label": "chunk", "labels": ["a", "b"], "columns": ["word", "pos", "chunk"], `
	for _, c := range []struct {
		text []byte
		want string
	}{
		{[]byte("not gzip"), "not a weights file"},
		{nil, "not a weights file"},
		{zipped("not json"), "damaged"},
		{zipped(`{"format": "gaplab-weights/1", "model": "multiclass"}`)[:40], "damaged"},
		{zipped(`{"format": "gaplab-weights/9"}`), "reads gaplab-weights/4: is the file from a newer gaplab"},
		{zipped(`{"format": "gaplab-weights/1", "model": "multiclass"}`), "lacks the settings of the model"},
		{zipped(`{"format": "gaplab-weights/2", "model": "chain"}`), "does not contain the vocabulary of model chain"},
		{zipped(`{"format": "gaplab-weights/2", "model": "crf"}`), `no model "crf"`},
		{zipped(`{"format": "gaplab-weights/3", "model": "hmm"}`),
			`because its problem continues an earlier one (key "from")`},
		{zipped(`{"format": "gaplab-weights/2", "model": "multiclass", "features": 2, "classes": ["a", "b"], ` +
			`"w": [1, 2, 3]}`), "3 weights, but model multiclass has 4"},
		{zipped(`{"format": "gaplab-weights/2", "model": "multiclass", "features": 1, "classes": ["a", "b"], ` +
			`"settings": {"params": {"depth": 3}}, "w": [1, 2]}`), "depth"},
		{zipped(`{"format": "gaplab-weights/2", "model": "multiclass", "features": 1, "classes": ["a", "b"], ` +
			`"revisions": {"model multiclass": 99}, "w": [1, 2]}`), "this program is older"},
		{zipped(`{"format": "gaplab-weights/2", "model": "multiclass", "features": -1, "classes": ["a", "b"], ` +
			`"w": []}`), "does not contain the vocabulary"},
		{zipped(v3 + chain + `"dim": 2}` + "\n12345678"), "8 bytes of weights, want 8 for each of 2"},
		{zipped(v3 + chain + `"dim": 0}` + "\n"), "does not contain the vocabulary"},
		{zipped(v3 + chain + `"vocabulary": {` + words + `"templates": ["word[0]"], "values": [["x"]], ` +
			`"features": [[999]]}}` + "\n"), `template "word[0]": a feature has the value 999`},
		{zipped(v3 + chain + `"vocabulary": {` + words + `"templates": ["word[0]|pos[0]"], "values": [["x"], ["y"]], ` +
			`"features": [[198, 198, 198]]}}` + "\n"), "there are 3 numbers for the features of a template with 2 places"},
		{zipped(v3 + chain + `"vocabulary": {` + words + `"templates": ["word[0]"], "values": [["x"]], ` +
			`"features": [[198, 198]]}}` + "\n"), "a feature occurs twice"},
		{zipped(v3 + chain + `"vocabulary": {` + words + `"templates": ["word[0]"], "values": [], "features": [[]]}}` +
			"\n"), "the vocabulary has the values of 0 attributes and the features of 1 templates"},
		{zipped(v3 + chain + `"vocabulary": {` + words + `"templates": ["colour[0]"], "values": [[]], "features": [[]]}}` +
			"\n"), "colour"},
		{zipped(v3 + chain + `"vocabulary": {` + words + `"templates": ["bias"], "values": [], "features": [[0]]}}` +
			"\n"), "0 weights, but model chain has 6"},
		{zipped(v3 + chain + `"vocabulary": {"labels": ["a"]}}` + "\n"), "at least 2 labels"},
		{zipped(v3 + chain + `"vocabulary": [3]}` + "\n"), "damaged weights file: vocabulary"},
		{zipped(`{"format": "gaplab-weights/3", "model": "deptree", "vocabulary": {"keys": "AAAA"}}` + "\n"),
			"the keys of the features have 3 bytes"},
		{zipped(`{"format": "gaplab-weights/3", "model": "deptree", "vocabulary": {}, "data": {"name": "moon"}}` + "\n"),
			"0 weights, but model deptree has 1"},
		{zipped(`{"format": "gaplab-weights/3", "model": "cfg", "vocabulary": ` +
			`{"labels": ["S"], "phrases": 1, "roots": [0], "rules": [[-1, 3, 0]]}}` + "\n"),
			"vocabulary of model cfg: labels, rules or words have indices out of range"},
		{zipped(`{"format": "gaplab-weights/3", "model": "cfg", "vocabulary": ` +
			`{"labels": ["S"], "phrases": 1, "roots": [0]}, ` +
			`"kind": "bracketed trees", "data": {"name": "moon"}}` + "\n"), `bracketed trees of data "moon"`},
	} {
		file := filepath.Join(t.TempDir(), "w.json.gz")
		if err := os.WriteFile(file, c.text, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Load(file)
		refused(t, string(c.text), err, c.want, file)
	}
}
