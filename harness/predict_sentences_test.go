package harness

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
)

// chunker trains a chain model on two sentences in columns and returns its predictor.
func chunker(t *testing.T, more string) *Predictor {
	t.Helper()
	text := "the DT B-NP\ncat NN I-NP\nsleeps VB O\n\na DT B-NP\ndog NN I-NP\nruns VB O\n"
	file := fileWith(t, text)
	p, _ := saved(t, specOn("format: conll, columns: word pos chunk, path: "+file+more, "chain, loss: log, label: chunk",
		"regularisation: {convention: eg, C: 1}\nsolvers: [{name: eg}]\nstop: {passes: 50}\n"))
	return p
}

// TestPredictColumns checks that Predict copies each line and appends one column, with and without a column of true
// labels.
func TestPredictColumns(t *testing.T) {
	p := chunker(t, ", comments: true")
	for _, c := range []struct{ in, out string }{
		{"the DT B-NP\ncat NN I-NP\n", "the DT B-NP B-NP\ncat NN I-NP I-NP\n\n"},
		{"the DT\ncat NN\n\n\nruns VB\n", "the DT B-NP\ncat NN I-NP\n\nruns VB O\n\n"},
		{"\n# one\nthe\tDT\tO\n# two\ncat\tNN\tO\n\n", "# one\nthe\tDT\tO\tB-NP\n# two\ncat\tNN\tO\tI-NP\n\n"},
		{"-DOCSTART- -X- O\n\nthe DT O\ncat NN O\n", "-DOCSTART- -X- O O\n\nthe DT O B-NP\ncat NN O I-NP\n\n"},
		{"  the   DT  \ncat NN", "  the   DT B-NP\ncat NN I-NP\n\n"},
		{"", ""},
	} {
		if out, _ := predict(t, p, c.in, PredictOptions{}); out != c.out {
			t.Errorf("prediction for %q = %q, want %q", c.in, out, c.out)
		}
	}
	_, made := predict(t, p, "the DT B-NP\ncat NN I-NP\n\nruns VB B-NP\n\nxyz FW B-FW\n", PredictOptions{})
	if made.Labels != 4 || made.Wrong != 2 || !strings.Contains(strings.Join(made.Warnings, ""), "1 tokens have labels "+
		"that no training token has, and count as errors: B-FW") {
		t.Errorf("prediction = %+v, want 2 of 4 labels wrong and a warning about B-FW", made)
	}
	for _, c := range []struct{ in, want string }{
		{"the DT B-NP\ncat\n", "text:2:1: 1 instead of 3 columns: want word pos chunk"},
		{"the\n", "text:1:1: 1 instead of 3 columns: want word pos chunk (chunk may be absent)"},
		{"the DT\ncat NN I-NP\n", "text:2:8: 3 instead of 2 columns: want word pos"},
		{"caf\xe9 NN\n", "text:1:4: byte 0xe9 is not text"},
	} {
		_, err := p.Predict(context.Background(), strings.NewReader(c.in), new(bytes.Buffer), PredictOptions{Name: "text"})
		refused(t, c.in, err, c.want)
	}
	answersExample(t, p)
	published := *p.weights
	published.Data = store.Component{Name: "conll2000"}
	same, err := newPredictor(&published)
	if err != nil {
		t.Fatal(err)
	}
	answersExample(t, same)
	if got := same.Describe()["columns"]; !reflect.DeepEqual(got, []string{"word", "pos", "chunk"}) {
		t.Errorf("columns of CoNLL-2000: %v", got)
	}
	out, _ := predict(t, p, "the DT\n", PredictOptions{Scores: true, Marginals: true})
	var score, probability float64
	if n, err := fmt.Sscanf(out, "# score = %g\nthe DT B-NP %g\n", &score, &probability); n != 2 || err != nil ||
		score <= 0 || probability <= 0.5 || probability > 1 {
		t.Errorf("score = %v, want it positive; probability = %v, want it in (0.5, 1]; output %q", score, probability, out)
	}
}

// TestPredictCoNLLU checks that each line still has its ten columns, that comments and lines of multiword tokens are
// copied, and that the label replaces its field, such as HEAD.
func TestPredictCoNLLU(t *testing.T) {
	file := filepath.Join(t.TempDir(), "train")
	text := "1 the _ DET D _ 2 det _ _\n2 dog _ NOUN N _ 3 nsubj _ _\n3 runs _ VERB V _ 0 root _ _\n"
	text = strings.ReplaceAll(text, " ", "\t")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	lines := func(line ...string) string {
		return strings.ReplaceAll(strings.Join(line, "\n"), " ", "\t") + "\n\n"
	}
	for _, c := range []struct{ model, in, out string }{
		{"deptree", lines("#x", "1-2 thedog _ _ _ _ _ _ _ _", "1 the _ DET D _ _ _ _ _", "2 dog _ NOUN N F=x _ _ _ _",
			"2.1 e _ _ _ _ _ _ _ _", "3 sleeps _ VERB V _ _ _ _ A=1"),
			lines("#x", "1-2 thedog _ _ _ _ _ _ _ _", "1 the _ DET D _ 2 _ _ _", "2 dog _ NOUN N F=x 3 _ _ _",
				"2.1 e _ _ _ _ _ _ _ _", "3 sleeps _ VERB V _ 0 _ _ A=1")},
		{"deptree", lines("1 the _ DET D _ 0 root 0:root _",
			"2 dog _ NOUN N _ 1 obj 1:obj _", "3 runs _ VERB V _ 1 x 1:x A=1"),
			lines("1 the _ DET D _ 2 _ _ _", "2 dog _ NOUN N _ 3 _ _ _", "3 runs _ VERB V _ 0 _ _ A=1")},
		{"chain, label: upos", lines("#c", "1 the _ _ D _ _ _ _ _"), lines("#c", "1 the _ DET D _ _ _ _ _")},
	} {
		p, _ := saved(t, specOn("format: conllu, path: "+file, c.model+", loss: log", passes(50, "eg")))
		answersExample(t, p)
		if out, _ := predict(t, p, c.in, PredictOptions{}); out != c.out {
			t.Errorf("%s: prediction for %q =\n%q, want\n%q", c.model, c.in, out, c.out)
		}
		if out, _ := predict(t, p, c.in, PredictOptions{Marginals: true}); strings.Count(out, "Probability=0.") !=
			strings.Count(out, "D\t")+strings.Count(out, "\tN\t")+strings.Count(out, "\tV\t") {
			t.Errorf("%s: want a probability for each token in %q", c.model, out)
		}
	}
}

// TestPredictTrees checks the predictions for a text that mixes bracketed trees and lines of words.
func TestPredictTrees(t *testing.T) {
	file := filepath.Join(t.TempDir(), "train")
	if err := os.WriteFile(file, []byte("(S (NP (D the) (N dog)) (VP (V runs)))\n(S (NP (N dogs)) (VP (V run) (. .)))\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	p, _ := saved(t, specOn("format: ptb, path: "+file, "cfg, loss: log", passes(20, "eg")))
	out, made := predict(t, p, "the dog run .\n(S (NP (D the)\n (N dogs)) (VP (V runs))) (S (X the))\n\nthe (b) run\n"+
		"(S (NP (N dogs)) (VP (V run)))\n", PredictOptions{})
	if out != `(S (NP (D the) (N dog)) (VP (V run) (. .)))
(S (NP (D the) (N dogs)) (VP (V runs)))
(())
(S (NP (D the) (N -LRB-b-RRB-)) (VP (V run)))
(S (NP (N dogs)) (VP (V run)))
` || made.Labels != 3 {
		t.Errorf("prediction =\n%s%+v, want other trees or 3 labels", out, made)
	}
}

// TestPredictIsAStream checks that Predict writes each sentence soon after it has read the sentence, so that memory
// does not grow with the length of the text.
func TestPredictIsAStream(t *testing.T) {
	p := chunker(t, "")
	in := &steps{lines: []string{"the DT\n", "\n", "cat NN\n", "\n"}, times: 5000}
	if _, err := p.Predict(context.Background(), in, in, PredictOptions{}); err != nil {
		t.Fatal(err)
	}
	if in.most > 3 {
		t.Errorf("%d sentences were read but not yet written, want at most 3", in.most)
	}
}

// steps is a reader, which returns one line at a time, and a writer. It counts the sentences that were read but not yet
// written.
type steps struct {
	lines               []string
	times, at           int
	read, written, most int
}

func (s *steps) Read(to []byte) (int, error) {
	if s.times == 0 {
		return 0, io.EOF
	}
	line := s.lines[s.at]
	if s.at++; s.at == len(s.lines) {
		s.at, s.times = 0, s.times-1
	}
	if line == "\n" {
		s.read++
	}
	s.most = max(s.most, s.read-s.written)
	return copy(to, line), nil
}

func (s *steps) Write(text []byte) (int, error) {
	s.written += bytes.Count(text, []byte("\n\n"))
	return len(text), nil
}
