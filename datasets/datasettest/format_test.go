package datasettest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// words is a loader of a format in which each line is one word, and each word is a sentence.
type words struct {
	Path string `yaml:"path" jsonschema:"required"`

	fault string // one of the faults in TestFaultsOfFormats, or ""
}

func (l *words) Validate() error { return nil }

func (l *words) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	d := &datasets.Sentences{Start: []int{0}, Columns: []datasets.Column{{Name: "word"}}}
	number := map[string]int32{}
	line := 0
	if l.fault == "source of its own" {
		src = datasets.Source{Dir: src.Dir}
	}
	sum, err := src.ReadOwn(ctx, l.Path, func(path string, r io.Reader) error {
		in := bufio.NewScanner(r)
		for in.Scan() {
			line++
			word := in.Text()
			switch {
			case l.fault == "panic" && word == "":
				panic("empty")
			case (word == "" || strings.Contains(word, " ")) && l.fault == "no line":
				return fmt.Errorf("%s: not a word", path)
			case (word == "" || strings.Contains(word, " ")) && l.fault == "no path":
				return fmt.Errorf("not a word")
			case (word == "" || strings.Contains(word, " ")) && l.fault != "accepts all":
				return &datasets.SyntaxError{Path: path, Line: line, Column: 1, Msg: "not a word"}
			}
			if _, ok := number[word]; !ok && word != "" {
				number[word] = int32(len(number))
				d.Columns[0].Text = append(d.Columns[0].Text, word)
			}
			d.Columns[0].ID = append(d.Columns[0].ID, number[word])
			d.Start = append(d.Start, line)
		}
		if line == 0 {
			return fmt.Errorf("%s: no words", path)
		}
		return in.Err()
	})
	if err != nil {
		return nil, err
	}
	if l.fault == "checksum of the name" {
		sum = l.Path
	}
	return &datasets.Set{Name: l.Path, Train: d, Checksum: datasets.Checksum(sum)}, nil
}

func wordsEntry(fault string) datasets.Entry {
	return datasets.Entry{
		Revision: 1, Name: "words", Title: "Words", About: "a word a line", Licence: "your own", Format: true,
		New: func() datasets.Loader { return &words{fault: fault} },
	}
}

func wordsSample() datasettest.Sample {
	return datasettest.Sample{
		Text: "to\nbe\nor\n", Train: 3, Faults: map[string]int{"to\nbe or\n": 2, "\n": 1},
		Write: func(d datasets.Data) string {
			return strings.ReplaceAll(datasettest.Written(d.(*datasets.Sentences)), " | ", "\n") + "\n"
		},
	}
}

func TestFaultsOfFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs the suite once for each defect")
	}
	if got := listen(t, wordsEntry(""), wordsSample()); got != "" {
		t.Errorf("a sound format: %s", got)
	}
	if got := listen(t, wordsEntry("")); !strings.Contains(got, "a format needs a sample") {
		t.Errorf("no sample: the suite reports %q", got)
	}
	for fault, says := range map[string]string{
		"panic":                "panic: ",
		"no line":              "want an error at",
		"no path":              "= not a word, want an error at",
		"accepts all":          "want an error at",
		"source of its own":    "all files must be read through the Source",
		"checksum of the name": "compressed by gzip gives different data or a different checksum",
	} {
		if got := listen(t, wordsEntry(fault), wordsSample()); !strings.Contains(got, says) {
			t.Errorf("%s: the suite reports %q, want %q", fault, got, says)
		}
	}
	s := wordsSample()
	s.Write = func(datasets.Data) string { return "to\n" }
	if got := listen(t, wordsEntry(""), s); !strings.Contains(got, "the data differ after they were written") {
		t.Errorf("a round trip that loses words: the suite reports %q", got)
	}
	s = wordsSample()
	s.Train = 4
	if got := listen(t, wordsEntry(""), s); !strings.Contains(got, "3 training examples") {
		t.Errorf("a wrong count: the suite reports %q", got)
	}
}
