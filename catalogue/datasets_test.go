package catalogue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/datasets/formats"
	"github.com/gaplab/gaplab/datasets/real"
)

// TestDataSets runs the conformance suite on every listed data set and format.
func TestDataSets(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and the packages of the data sets have such tests too")
	}
	names, files := map[string]bool{}, map[string]string{}
	for _, e := range DataSets() {
		if names[e.Name] {
			t.Errorf("%s is listed twice", e.Name)
		}
		names[e.Name] = true
		for _, f := range e.Files {
			if of := files[f.Name]; of != "" {
				t.Errorf("file %s belongs to %s and to %s, want one data set", f.Name, of, e.Name)
			}
			files[f.Name] = e.Name
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			datasettest.Check(t, e, samples()[e.Name]...)
		})
	}
}

// samples returns small files in each format, by the name of the format. In a sample, the map Faults has wrong texts as
// keys, and the numbers of the lines that the errors must name as values.
func samples() map[string][]datasettest.Sample {
	columns := func(names string) func(datasets.Loader) {
		return func(l datasets.Loader) { l.(*formats.CoNLL).Columns = names }
	}
	return map[string][]datasettest.Sample{
		"libsvm": {{
			Text: "-1 1:0.5 3:-2e3 # a comment\n+1 2:1\n-1\n", Train: 3, Write: rows,
			Faults: map[string]int{"1 1:1\n1 2:1 2:1\n": 2, "1 1:x\n": 1, "1 0:1\n": 1, "a:1\n": 1, "1 1:1\n\n2 3:nan\n": 3},
		}},
		"csv": {{
			Text: "width,\"height, cm\",kind\n0.5,-2e3,b\n0,1,\"a \"\"x\"\"\"\n0,0,b\n", Train: 3, Write: table,
			Faults: map[string]int{"a,b\n1,x\n1,y,z\n": 3, "a,b\n1,x\n\nNA,y\n": 4, "a,b\n1,\"x\n": 2, "a\n1\n": 1, "": 1,
				"a,a\n1,2\n": 1},
		}, {
			Text: "kind;colour;size\nb;red;1\na;blue;2\n", Train: 2, Write: func(d datasets.Data) string {
				return strings.ReplaceAll(table(d), ",", ";")
			},
			Set: func(l datasets.Loader) {
				l.(*formats.CSV).Delimiter, l.(*formats.CSV).Label = "semicolon", "kind"
			},
			Faults: map[string]int{"kind;colour\nb;red\na;?\n": 3},
		}},
		"conll": {{
			Text: "The DT\ndog NN\n\nbarks VB\n", Train: 2, Set: columns("word pos"),
			Write:  func(d datasets.Data) string { return lines(d.(*datasets.Sentences), " ", false) },
			Faults: map[string]int{"The DT\ndog\n": 2, "The DT x\n": 1},
		}, {
			Text: "1\tThe\t2\n2\tdog\t0\n\n1\tbarks\t0\n", Train: 2, Set: columns("id word head"),
			Write:  func(d datasets.Data) string { return lines(d.(*datasets.Sentences), "\t", true) },
			Faults: map[string]int{"1\tThe\t2\n3\tdog\t0\n": 2, "1\tThe\t2\n2\tdog\t1\n": 1, "1\tThe\t9\n": 1},
		}},
		"conllu": {{
			Text: "# text = The dog\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_\n\n" +
				"1\tBark\tbark\tVERB\tVB\t_\t0\troot\t_\t_\n", Train: 2, Write: universal,
			Faults: map[string]int{"# c\n1\tThe\tthe\n": 2, "1\tBark\tbark\tVERB\tVB\t_\t1\troot\t_\t_\n": 1},
		}},
		"ptb": {{
			Text: "( (S (NP-SBJ (DT The) (NN dog))\n   (VP (VBZ barks))) )\n(S (-NONE- *) (VB Bark))\n", Train: 2, Write: trees,
			Faults: map[string]int{"(S (NN a))\n(S (NN b)\n": 2, "(S (NN a)))\n": 1, "(S\n(NN a) word)": 2, "(S ())": 1},
		}},
	}
}

// rows writes rows in LIBSVM format.
func rows(d datasets.Data) string {
	l := d.(*datasets.Labelled)
	var b strings.Builder
	for i, y := range l.Y {
		b.WriteString(l.Classes[y])
		index, value := l.X.Row(i)
		for k, j := range index {
			fmt.Fprintf(&b, " %d:%v", j+1, value[k])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// table writes rows in CSV, with the class in the last column, which is called kind.
func table(d datasets.Data) string {
	l := d.(*datasets.Labelled)
	var b strings.Builder
	for j := range l.X.Dim {
		fmt.Fprintf(&b, "feature %d,", j+1)
	}
	b.WriteString("kind\n")
	for i, y := range l.Y {
		row := make([]float64, l.X.Dim)
		index, value := l.X.Row(i)
		for k, j := range index {
			row[j] = value[k]
		}
		for _, x := range row {
			fmt.Fprintf(&b, "%v,", x)
		}
		fmt.Fprintf(&b, "\"%s\"\n", strings.ReplaceAll(l.Classes[y], `"`, `""`))
	}
	return b.String()
}

// lines writes sentences with one token per line. The string between separates the columns. If numbered is true, each
// line begins with the number of the token and ends with its head.
func lines(s *datasets.Sentences, between string, numbered bool) string {
	var b strings.Builder
	for i := range s.Len() {
		for t := s.Start[i]; t < s.Start[i+1]; t++ {
			var fields []string
			for _, c := range s.Columns {
				fields = append(fields, c.Text[c.ID[t]])
			}
			if numbered {
				fields = append([]string{strconv.Itoa(t - s.Start[i] + 1)}, append(fields, fmt.Sprint(s.Heads[t]))...)
			}
			b.WriteString(strings.Join(fields, between) + "\n")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// universal writes sentences in CoNLL-U.
func universal(d datasets.Data) string {
	s := d.(*datasets.Sentences)
	var b strings.Builder
	for i := range s.Len() {
		for t := s.Start[i]; t < s.Start[i+1]; t++ {
			at := func(k int) string { return s.Columns[k].Text[s.Columns[k].ID[t]] }
			fmt.Fprintf(&b, "%d\t%s\t%s\t%s\t%s\t_\t%d\t%s\t_\t_\n", t-s.Start[i]+1, at(0), at(1), at(2), at(3),
				s.Heads[t], at(4))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// trees writes bracketed trees.
func trees(d datasets.Data) string {
	var b strings.Builder
	for _, tree := range d.(*datasets.Treebank).Trees {
		b.WriteString("(" + datasettest.Bracketed(tree) + ")\n")
	}
	return b.String()
}

// TestSettingsOutOfRange checks that wrong settings are errors that name the setting: settings of formats, and settings
// whose range depends on other settings. The conformance suite checks ranges in struct tags.
func TestSettingsOutOfRange(t *testing.T) {
	for _, c := range []struct {
		loader datasets.Loader
		key    string
	}{
		{formats.LIBSVM{}, "path"},
		{formats.LIBSVM{Path: "x", Train: -1}, "train"},
		{formats.LIBSVM{Path: "x", Validation: "1"}, "validation"},
		{formats.CSV{}, "path"},
		{formats.CSV{Path: "x", Delimiter: "|"}, "delimiter"},
		{formats.CSV{Path: "x", Validation: "1"}, "validation"},
		{formats.CoNLL{Columns: "word"}, "path"},
		{formats.CoNLL{Path: "x"}, "columns"},
		{formats.CoNLL{Path: "x", Columns: "id head _"}, "columns"},
		{formats.CoNLL{Path: "x", Columns: "word pos word"}, "columns"},
		{formats.CoNLL{Path: "x", Columns: "word pos", Projective: true}, "projective"},
		{formats.CoNLL{Path: "x", Columns: "word", Train: -1}, "train"},
		{formats.CoNLLU{Path: "x", Validation: "-0.5"}, "validation"},
		{formats.PTB{}, "path"},
		{formats.PTB{Path: "x", MaxWords: -1}, "max_words"},
		{real.OCRLetters{TrainOn: "fold", TrainWords: 627}, "train_words"},
		{real.OCRLetters{TrainOn: "others", ValidationWords: 627}, "validation_words"},
		{real.CAST3LB{Split: "eg", Train: 2307}, "train"},
	} {
		_, err := c.loader.Load(context.Background(), datasets.Source{})
		var setting *datasets.SettingError
		if !errors.As(err, &setting) || setting.Key != c.key {
			t.Errorf("%T%+v: error = %v, want a SettingError of %s", c.loader, c.loader, err, c.key)
		}
	}
}
