package firstspec

import (
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/datasets"
)

// TestRecognise checks the form of small files for each task.
func TestRecognise(t *testing.T) {
	u := "1\tEl\tel\tDET\tDA\t_\t2\tdet\t_\t_\n2\tperro\tperro\tNOUN\tNC\t_\t0\troot\t_\t_\n"
	x := "1\tEl\tel\td\tda\t_\t2\tSPEC\t_\t_\n2\tperro\tperro\tn\tnc\t_\t0\tROOT\t_\t_\n\n" +
		"1\tSí\tsí\tr\trg\t_\t0\tROOT\t_\t_\n"
	names := strings.Fields("id word lemma cpos pos feats head deprel _ _")
	conll := func(label string, spans bool, names ...string) Form {
		return Form{Task: Tag, Format: "conll", Columns: names, Label: label, Spans: spans}
	}
	csv := func(delimiter, label string) Form {
		return Form{Task: Classify, Format: "csv", Delimiter: delimiter, Label: label}
	}
	commented := conll("tag", false, "word", "tag")
	commented.Comments = true
	for _, c := range []struct {
		task, text, label string
		want              Form
	}{
		{Tag, "the DT\ndog NN\n\nit PRP\n", "", conll("tag", false, "word", "tag")},
		{Tag, "# a comment on this\nthe DT\ndog NN\n\n# # \nit PRP\n", "", commented},
		{Tag, "# SYM\nthe DT\n", "", conll("tag", false, "word", "tag")},
		{Tag, "the\tDT\tB-NP\nNew York\tNN\tI-NP\n\nruns\tVB\tO\n", "", conll("chunk", true, "word", "pos", "chunk")},
		{Tag, "the DT B-NP\ndog NN I-NP\n", "2", conll("pos", false, "word", "pos", "chunk")},
		{Tag, "the DT B-NP O\nEU NN I-NP B-ORG\n", "", conll("entity", true, "word", "pos", "chunk", "entity")},
		{Tag, "the DT B-NP O\nEU NN I-NP B-ORG\n", "chunk", conll("chunk", true, "word", "pos", "chunk", "entity")},
		{Tag, "the x DT O\nEU y NN B-ORG\n", "", conll("entity", true, "word", "column2", "column3", "entity")},
		{Tag, "the x DT\ndog y NN\n", "", conll("tag", false, "word", "column2", "tag")},
		{Tag, "1 the O\n2 EU B-ORG\n\n1 it O\n", "", conll("entity", true, "id", "word", "entity")},
		{Tag, u, "", Form{Task: Tag, Format: "conllu", Label: "upos"}},
		{Tag, u, "xpos", Form{Task: Tag, Format: "conllu", Label: "xpos"}},
		{Tag, x, "", Form{Task: Tag, Format: "conll", Columns: names, Label: "pos"}},
		{Parse, u, "", Form{Task: Parse, Format: "conllu", Label: "upos"}},
		{Parse, "# text\n1-2\tDel\t_\t_\t_\t_\t_\t_\t_\t_\n" + u, "", Form{Task: Parse, Format: "conllu", Label: "upos"}},
		{Parse, x, "", Form{Task: Parse, Format: "conll", Columns: names, Label: "pos"}},
		{Classify, "+1 1:0.5 3:-2e3 # a\n\n-1\n", "", Form{Task: Classify, Format: "libsvm"}},
		{Classify, "a 0:1\nb 2:1\n", "", Form{Task: Classify, Format: "libsvm", ZeroBased: true}},
		{Classify, "size,colour,kind\n1,\"a, b\",x\n", "", csv("comma", "kind")},
		{Classify, "size, colour ,kind\n1,\"a\nb\",x\n", "colour", csv("comma", "colour")},
		{Classify, "size;\"colour, of it\"\n1,5;red\n", "", csv("semicolon", "colour, of it")},
		{Classify, "size\tcolour\n1\tred\n", "", csv("tab", "colour")},
		{Tag, x, "deprel", Form{Task: Tag, Format: "conll", Columns: names, Label: "deprel"}},
		{Tag, x, "cpos", Form{Task: Tag, Format: "conll", Columns: names, Label: "cpos"}},
		{Tag, u, "deprel", Form{Task: Tag, Format: "conllu", Label: "deprel"}},
		{Tag, "the O\ndog O\n\nit O\n", "", conll("tag", false, "word", "tag")},
		{Tag, "the B-NP\ndog O\n", "", conll("entity", true, "word", "entity")},
		{Tag, "the DT S-NP L-ORG\ndog NN U-NP E-ORG\n", "", conll("entity", true, "word", "pos", "chunk", "entity")},
		{Tag, "the x DT O B-ORG\ndog y NN B-NP O\n", "", conll("entity", true, "word", "column2", "column3", "column4",
			"entity")},
		{Tag, "1 the\n2 dog\n", "", conll("tag", false, "word", "tag")},
		{Tag, "the DT B-NP O\nEU NN I-NP B-ORG\n", "4", conll("entity", true, "word", "pos", "chunk", "entity")},
		{Parse, strings.ReplaceAll(x, "\t_\t_\n", "\n"), "", Form{Task: Parse, Format: "conll", Columns: names[:8],
			Label: "pos"}},
		{Parse, "# a comment\n" + x, "", Form{Task: Parse, Format: "conllu", Label: "upos"}},
		{Parse, "# a comment\n" + strings.ReplaceAll(x, "\t_\t_\n", "\n"), "", Form{Task: Parse, Format: "conll",
			Columns: names[:8], Label: "pos", Comments: true}},
		{Parse, "1-2\tDel\t_\tq\t_\t_\t_\t_\t_\t_\n" + x, "", Form{Task: Parse, Format: "conllu", Label: "upos"}},
		{Classify, "# 0:1\n1 1:2\n\n-1 5:1 # 0:1\n", "", Form{Task: Classify, Format: "libsvm", ZeroBased: true}},
		{Classify, "1\n-1 1:2\n1 00:1\n1 3:4\n", "", Form{Task: Classify, Format: "libsvm", ZeroBased: true}},
		{Classify, "a,b;c;d\n1,2;3;4\n", "", csv("semicolon", "d")},
		{Classify, "a,b,c;d\n1,2,3;4\n", "", csv("comma", "c;d")},
		{Classify, "a;b,c\n1;2,3\n", "", csv("comma", "c")},
		{Classify, "a,b,c;d\n1,3;4\n", "", csv("semicolon", "d")},
		{Classify, "\ufeffa,b\n1,2\n", "a", csv("comma", "a")},
		{Classify, "1,x,3\n4,5,6\n", "", Form{Task: Classify, Format: "csv", Delimiter: "comma", Label: "3",
			Numbers: []string{"1", "3"}}},
		{Classify, "a,b\n" + strings.Repeat("1,2\n", 11) + "1,\"open\n", "", csv("comma", "b")},
	} {
		texts := []string{c.text}
		if c.task != Classify { // a file with the same sentences again has the same form
			texts = append(texts, strings.Repeat(strings.TrimRight(c.text, "\n")+"\n\n", 3))
		}
		for _, text := range texts {
			got, err := Recognise(c.task, strings.Split(strings.TrimSuffix(text, "\n"), "\n"), c.label)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, label %q, of %q: %+v, error %v; want %+v", c.task, c.label, text, got, err, c.want)
			}
		}
	}
}

// TestNumbered checks which first columns are recognised as positions. Each line of the table is a sentence.
func TestNumbered(t *testing.T) {
	for _, c := range []struct {
		sentences    string
		is, extended bool
	}{
		{"1 2 3|1 2", true, false},
		{"1|1|1", true, false},
		{"1-2 1 2 3|1 2|1 1.1 2", true, true},
		{"1-2 1 2 3-4 3 4|1-3 1 2 3", true, true},
		{"0.1 1 2|1 2 2.1|0.1 1", true, true},
		{"1 2|1.1 1 2", true, true},
		{"0 1 2", false, false},
		{"1 2|2 3", false, false},
		{"1 3", false, false},
		{"1 1", false, false},
		{"1 2|3", false, false},
		{"1-2 2 3", false, false},
		{"1 x", false, false},
	} {
		rows := &columns{}
		for _, sentence := range strings.Split(c.sentences, "|") {
			for i, first := range strings.Fields(sentence) {
				rows.rows, rows.position = append(rows.rows, []string{first, "x"}), append(rows.position, i+1)
			}
		}
		if is, extended := rows.numbered(); is != c.is || extended != c.extended {
			t.Errorf("first column %q: %v, extended %v; want %v and %v", c.sentences, is, extended, c.is, c.extended)
		}
	}
}

// TestNotRecognised checks that the error states what was wrong and which forms are accepted.
func TestNotRecognised(t *testing.T) {
	const tree = "1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n2\tb\t_\tX\t_\t_\t1\t_\t_\t_\n\n"
	for _, c := range []struct{ task, text, label, want, accepted string }{
		{Tag, "\n", "", "the file has no text", "one token per line"},
		{Tag, "word\nword\n", "", "its lines have one column", "one token per line"},
		{Tag, "a DT\nb NN x\n", "", "line 2 has 3 columns, and an earlier line has 2", "one token per line"},
		{Tag, strings.Repeat("a DT\n", 150), "", "its first 150 lines are not separated into sentences", "blank line"},
		{Tag, "a DT\n", "3", "--label 3 is not a column; accepted", "word, tag"},
		{Tag, "a DT\n", "1", "--label 1 is the column of the words", "another column"},
		{Parse, "a DT\nb NN\n", "", "its 2 columns are not those of a treebank", "CoNLL-U or CoNLL-X"},
		{Parse, "(S (NN a))\n", "", "bracketed trees, which need a spec of your own with format ptb", "CoNLL-U"},
		{Parse, "a DT\n", "x", "--label is for --task tag and --task classify", "heads"},
		{Classify, "a DT\nb NN\n", "", "the form of the file is not recognised", "LIBSVM format (LABEL INDEX:VALUE"},
		{Classify, "a,b\n", "", "not recognised, since in CSV with the delimiter comma, it has 2 columns and no rows; --task",
			"CSV (a line with the names"},
		{Classify, "a;b;c,d\n1;2;3\n\n4;5\n", "", "delimiter semicolon, line 4 has 2 fields and the first line has 3",
			"CSV (a line with the names"},
		{Classify, "a,b\n1,2\n1\"x\",2\n", "", "delimiter comma, line 3 is wrong: bare", "CSV (a line with the names"},
		{Classify, "a DT\nb NN\n", "", "LIBSVM format", "; the file looks like one for --task tag"},
		{Parse, "a DT\nb NN\n", "", "not those of a treebank", "; the file looks like one for --task tag"},
		{Tag, "a,b\n1,2\n", "", "its lines have one column", "; the file looks like one for --task classify"},
		{Parse, tree + strings.Replace(tree, "\n2\t", "\n7\t", 1), "", `since line 5 has "7" in the first column, ` +
			"where the number of the token", "CoNLL-X"},
		{Parse, tree + strings.Replace(tree, "\t0\t", "\tx\t", 1), "", `since line 4 has "x" in the seventh column, where ` +
			"the number of the head belongs", "CoNLL-X"},
		{Classify, "a,b\n1,2\n", "c", "--label c is not a column; the columns are", "a, b"},
		{Classify, "a,b\n" + strings.Repeat("1,2\n", 10) + "1,\"open\n", "", "delimiter comma, line 1", "CSV"},
		{Classify, "a,b,c\n1,2,3\n4,5,6,7\n", "", "line 3 has 4 fields and the first line has 3", "CSV"},
		{Classify, "1\n-1\n", "", "the form of the file is not recognised", "CSV"},
		{Classify, "1 1:2\n1 a:2\n", "", "the form of the file is not recognised", "for --task tag"},
		{Tag, strings.Repeat("a DT\n", 100), "", "its first 100 lines are not separated", "blank line"},
		{Tag, "# a comment of five\na DT\n\n# another\nb\n", "", "line 5 has 1 columns, and an earlier line has 2", "tag"},
		{Tag, "a DT\n", "0", "--label 0 is not a column; accepted", "word, tag"},
		{Tag, "1 a DT\n2 b NN\n", "1", "--label 1 is the column of the ids", "another column"},
		{Tag, tree, "word", "--label word is not a column; accepted", "upos, xpos, deprel"},
		{Tag, tree, "2", "--label 2 is not a column; accepted", "upos, xpos, deprel"},
		{Parse, "# one\n# two\n" + tree + strings.Replace(tree, "\t1\t", "\t-1\t", 1), "", `since line 7 has "-1" in the ` +
			"seventh column", "CoNLL-X"},
		{Parse, strings.ReplaceAll(tree, "\t", " "), "", "its 10 columns are not those of a treebank", "CoNLL-X"},
		{Classify, "1 1:2\n", "c", "--label is for files with named columns", "first field"},
	} {
		_, err := Recognise(c.task, strings.Split(c.text, "\n"), c.label)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.accepted) {
			t.Errorf("%s, label %q, of %q: error %v; want %q and %q", c.task, c.label, c.text, err, c.want, c.accepted)
		}
	}
}

// TestQuoted checks that YAML reads a quoted name as the same text, and that lambdas returns the values of λ for a
// number of sentences.
func TestQuoted(t *testing.T) {
	for _, text := range []string{"train.txt", "a b.csv", "0.2", "1e3", "true", "No", "~", "x: y", "a,b", "[x]", "-", "é",
		"#",
		"a #b", `a"b\c`, "null", " x", "x ", ".5", "./0.2", "*a", "&a", "2020", "\t", "inf", ".inf", ".NaN", "a\nb"} {
		var got map[string]any
		if err := yaml.Unmarshal([]byte("{k: "+quoted(text)+", l: 1}"), &got); err != nil || got["k"] != text {
			t.Errorf("%q is written as %s and read as %#v, error %v", text, quoted(text), got["k"], err)
		}
	}
	if got := (Form{Task: Tag}).lambdas(7149); !reflect.DeepEqual(got, []string{"1e-3", "1e-4", "1e-5"}) {
		t.Errorf("λ for 7149 tagged sentences = %v, want 1e-3, 1e-4 and 1e-5", got)
	}
	if got := (Form{Task: Parse}).lambdas(2); !reflect.DeepEqual(got, []string{"1e2", "1e1", "1e0"}) {
		t.Errorf("λ for 2 parsed sentences = %v, want 1e2, 1e1 and 1e0", got)
	}
}

// FuzzRecognise checks that no text causes a panic, and that the spec of a recognised form is YAML with the names that
// the form has.
func FuzzRecognise(f *testing.F) {
	for _, text := range []string{"a DT\n\nb NN\n", "1 1:1\n", "a,b\n1,\"2\n\",3", "#\n",
		"1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n"} {
		for task := range Tasks() {
			f.Add(text, uint8(task), "")
			f.Add(text, uint8(task), "2")
		}
	}
	set := &datasets.Set{Train: &datasets.Labelled{X: datasets.Rows{N: 1, Start: []int{0, 0}, Index: []int32{}},
		Y: []int{0}, Classes: []string{"a", "b"}}}
	f.Fuzz(func(t *testing.T, text string, task uint8, label string) {
		form, err := Recognise(Tasks()[int(task)%3], strings.Split(text, "\n"), label)
		if err != nil {
			return
		}
		var spec struct {
			Dataset struct{ Format, Path, Columns, Label string }
		}
		if err := yaml.Unmarshal([]byte(form.Spec("my/x", text, "", set)), &spec); err != nil {
			t.Fatalf("the spec of the form %+v is not YAML: %v", form, err)
		}
		d := spec.Dataset
		if d.Format != form.Format || d.Columns != strings.Join(form.Columns, " ") || form.Format == "csv" &&
			d.Label != form.Label {
			t.Fatalf("the spec of %+v has the data set %+v", form, d)
		}
	})
}
