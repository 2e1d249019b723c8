package harness

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPredictReadsAsTheRun checks that Predict reads a text with the settings in the weights file: the encoding, the
// marks of comment lines, and the form of the leaves of trees.
func TestPredictReadsAsTheRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "train")
	for _, c := range []struct{ train, data, model, in, out string }{
		{"el D\nse\xf1or N\nest\xe1 V\n\nla D\nse\xf1ora N\nva V\n", "conll, columns: word pos, encoding: ISO-8859-1",
			"chain, label: pos", "se\xf1or\nva\n", "se\xf1or N\nva V\n\n"},
		{"\xfe\xff\x00a\x00 \x001\x00:\x001\x00\n\x00\xe9\x00 \x002\x00:\x001\x00\n", "libsvm, encoding: UTF-16",
			"multiclass",
			"\xff\xfe2\x00:\x001\x00\n\x001\x00:\x001\x00", "\xfe\xff\x00\xe9\x00\n\x00a\x00\n"},
		{"% one\n(S (the D the) (dogs N dog))\n(S (D a D) (dog N dog))\n", "ptb, comments: '%', leaf: word tag lemma",
			"cfg", "% two\nthe dog\n(S (the D the) (dog N dog))\n", "(S (D the) (N dog))\n(S (D the) (N dog))\n"},
	} {
		if err := os.WriteFile(file, []byte(c.train), 0o666); err != nil {
			t.Fatal(err)
		}
		p, _ := saved(t, specOn("path: "+file+", format: "+c.data, c.model+", loss: log", passes(50, "eg")))
		if path := p.weights.Data.Params["path"]; path != "train" {
			t.Errorf("%s: path in the weights file = %v, want the name without the folder", c.data, path)
		}
		if out, _ := predict(t, p, c.in, PredictOptions{}); out != c.out {
			t.Errorf("%s: prediction for %q = %q, want %q", c.data, c.in, out, c.out)
		}
		if !strings.HasPrefix(c.data, "conll") {
			continue
		}
		_, err := p.Predict(context.Background(), strings.NewReader("a\n\nb\x00\n"), new(bytes.Buffer),
			PredictOptions{Name: "text"})
		if err == nil || err.Error() != "text:3:2: byte 0x00 is not text: is the file in another encoding than ISO-8859-1?" {
			t.Error(err)
		}
	}
}

// TestDamagedForm checks that Load returns an error for a weights file with invalid settings of the data.
func TestDamagedForm(t *testing.T) {
	p := chunker(t, "")
	for key, value := range map[string]string{"encoding": "latin-x", "columns": ""} {
		w := *p.weights
		w.Data.Params = maps.Clone(p.weights.Data.Params)
		w.Data.Params[key] = value
		_, err := newPredictor(&w)
		refused(t, value, err, "damaged weights file: settings of data conll: dataset: "+key+" is")
	}
}
