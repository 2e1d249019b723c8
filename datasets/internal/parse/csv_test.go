package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// textOf returns RowFiles of one file with the given text.
func textOf(text string) RowFiles {
	return func(parse func(string, io.Reader) error) error { return parse("f", strings.NewReader(text)) }
}

// randomTable returns the cells of a random table, in rows, with the names of the columns first. Columns may begin with
// numbers and later have a text, and texts may need quotes.
func randomTable(rng *rand.Rand) [][]string {
	words := []string{"red", "dark blue", `6" pipe`, "a,b", "x;y\tz", "1.5", "2", "two\nlines", "él", "-3e2"}
	columns, rows := 2+rng.IntN(5), 1+rng.IntN(12)
	cells := make([][]string, rows+1)
	for j := range columns {
		numeric := rng.IntN(2) == 0
		cells[0] = append(cells[0], fmt.Sprintf("%s %d", words[rng.IntN(4)], j))
		for i := 1; i <= rows; i++ {
			switch {
			case numeric:
				cells[i] = append(cells[i], []string{"0", "-0.0", "2", "1e-3", "+4", ".5", "-7."}[rng.IntN(7)])
			case j == columns-1:
				cells[i] = append(cells[i], words[rng.IntN(4)])
			default:
				cells[i] = append(cells[i], words[rng.IntN(len(words))])
			}
		}
	}
	return cells
}

// written returns the table as text in CSV. Some fields have quotes that they do not need.
func written(rng *rand.Rand, cells [][]string, comma string) string {
	var b strings.Builder
	for _, row := range cells {
		for j, text := range row {
			if j > 0 {
				b.WriteString(comma)
			}
			if strings.ContainsAny(text, "\"\n"+comma) || rng.IntN(4) == 0 {
				text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			b.WriteString(text)
		}
		b.WriteString([]string{"\n", "\r\n", "\n\n"}[rng.IntN(3)])
	}
	return b.String()
}

// denseTable reads a table in another way than ReadTable: each feature is a pair of a column and a value, or a numeric
// column, and each row is dense. The column with the index label has the labels.
func denseTable(cells [][]string, label int) (rows [][]float64, labels []string) {
	rows = make([][]float64, len(cells)-1)
	for j := range cells[0] {
		distinct, numeric := map[string]bool{}, true
		for i := range rows {
			text := cells[i+1][j]
			distinct[text] = true
			_, err := strconv.ParseFloat(text, 64)
			numeric = numeric && err == nil
		}
		if j == label {
			for i := range rows {
				labels = append(labels, cells[i+1][j])
			}
			continue
		}
		sorted := []string{}
		for text := range distinct {
			sorted = append(sorted, text)
		}
		slices.Sort(sorted)
		for i := range rows {
			if numeric {
				x, _ := strconv.ParseFloat(cells[i+1][j], 64)
				rows[i] = append(rows[i], x)
				continue
			}
			for _, text := range sorted {
				rows[i] = append(rows[i], map[bool]float64{true: 1}[text == cells[i+1][j]])
			}
		}
	}
	return rows, labels
}

// spread returns row i of d as a dense row.
func spread(d *datasets.Labelled, i int) []float64 {
	row := make([]float64, d.X.Dim)
	index, value := d.X.Row(i)
	for k, j := range index {
		row[j] += value[k]
	}
	return row
}

// TestReadTableAgainstCells compares the results of ReadTable, ReadTableValidation and CSVStream on random tables with
// those of denseTable. The validation file and the stream have their columns in another order, and the stream may lack
// the labels.
func TestReadTableAgainstCells(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads 2000 tables")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	late := 0
	for range 2000 {
		cells := randomTable(rng)
		comma := []string{",", ";", "\t"}[rng.IntN(3)]
		label := len(cells[0]) - 1
		form := CSVForm{Comma: rune(comma[0])}
		if rng.IntN(2) == 0 { // the labels are in another column than the last
			last := label
			label = rng.IntN(last + 1)
			for _, row := range cells {
				row[label], row[last] = row[last], row[label]
			}
			form.Label = cells[0][label]
		}
		text := written(rng, cells, comma)
		passes := 0
		part := func(parse func(string, io.Reader) error) error { passes++; return textOf(text)(parse) }
		got, table, total, _, err := ReadTable(part, form, 1<<30)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		late += passes - 1
		want, labels := denseTable(cells, label)
		datasettest.CheckLabelled(t, got)
		if total != len(want) || got.Len() != total || got.X.Dim != len(want[0]) || table.Features() != got.X.Dim ||
			table.Check() != nil || table.Label != cells[0][label] {
			t.Fatalf("%q: %d rows of %d features, table %+v; want %d of %d", text, total, got.X.Dim, table, len(want),
				len(want[0]))
		}
		few, _, _, _, err := ReadTable(part, form, 2)
		if err != nil || few.Len() != min(2, total) || few.X.Dim != got.X.Dim || !slices.Equal(few.Classes, got.Classes) {
			t.Fatalf("%q: the first two rows are %+v, error %v; want two rows with all features and classes", text, few, err)
		}
		order := rng.Perm(len(cells[0]))
		other := make([][]string, len(cells))
		unlabelled := make([][]string, len(cells))
		for i := range cells {
			for _, j := range order {
				other[i] = append(other[i], cells[i][j])
				if j != label {
					unlabelled[i] = append(unlabelled[i], cells[i][j])
				}
			}
			unlabelled[i] = append(unlabelled[i], fmt.Sprint("not read ", i))
		}
		held, doubts, err := ReadTableValidation(textOf(written(rng, other, comma)), form.Comma, got, table)
		if err != nil || len(doubts) > 0 {
			t.Fatalf("%q: validation: error %v, doubts %q; want none", text, err, doubts)
		}
		streams := []*CSVStream{
			NewCSVStream("f", strings.NewReader(written(rng, other, comma)), form.Comma, table),
			NewCSVStream("f", strings.NewReader(written(rng, unlabelled, comma)), form.Comma, table),
		}
		numeric := parseAll(labels)
		for i, row := range want {
			same := func(class string) bool {
				if x, err := strconv.ParseFloat(class, 64); numeric && err == nil {
					y, _ := strconv.ParseFloat(labels[i], 64)
					return x == y
				}
				return class == labels[i]
			}
			rows := [][]float64{spread(got, i), spread(held, i)}
			named := same(got.Classes[got.Y[i]]) && held.Y[i] == got.Y[i]
			if i < few.Len() {
				rows = append(rows, spread(few, i))
				named = named && few.Y[i] == got.Y[i]
			}
			for k, s := range streams {
				data, err := s.Next()
				if err != nil {
					t.Fatalf("%q: stream %d: %v", text, k, err)
				}
				d := data.(*datasets.Labelled)
				rows = append(rows, spread(d, 0))
				named = named && (k == 1) == (d.Y == nil) && (k == 1 || d.Classes[0] == labels[i])
			}
			for k, r := range rows {
				if !slices.Equal(r, row) || !named {
					t.Fatalf("%q: row %d, reading %d: %v, labels right: %v; want %v and label %q", text, i, k, r, named, row,
						labels[i])
				}
			}
		}
		for _, s := range streams {
			if _, err := s.Next(); !errors.Is(err, io.EOF) {
				t.Fatalf("%q: error after the last row = %v, want io.EOF", text, err)
			}
		}
	}
	if late == 0 {
		t.Error("no column became categorical after its first row, so the second reading is not tested")
	}
}

// parseAll reports whether all texts are numbers.
func parseAll(texts []string) bool {
	for _, text := range texts {
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return false
		}
	}
	return true
}

// TestCSVFaults checks the errors of training files, validation files and streams.
func TestCSVFaults(t *testing.T) {
	train := "colour,size,kind\nred,1,a\nblue,2,b\n"
	for _, c := range []struct{ text, want string }{
		{"", "f:1:1: no text: want a line with the names"},
		{"colour,size\n", "f:1:1: no rows"},
		{"colour;size\nred;1\n", "f:1:1: the first line has one column: want the names of two or more; does the file have"},
		{"5.1,3.5,setosa\n4,5,x\n", "f:1:1: the number 5.1 is in the place of a name"},
		{"a,,b\n1,2,3\n", "f:1:3: column 2 has no name"},
		{"a,b,a\n1,2,3\n", `f:1:5: two columns have the name "a"`},
		{"a,b\n1,2,3\n", "f:2:3: 3 fields: want 2"},
		{"a,b\n1\n", "f:2:1: 1 fields: want 2"},
		{"a,b\n1,x\n\n,y\n", `f:4:1: column "a" has the missing value ""`},
		{"a,b\n1,x\nNA,y\n", `f:3:1: column "a" has the missing value "NA"`},
		{"a,b\nq,x\n ? ,y\n", `f:3:2: column "a" has the missing value "?"`},
		{"a,b\nq,x\nz,nan\n", `f:3:3: column "b" has the missing value "nan"`},
		{"a,b\nq,\"x\ny\"\n", `f:2:3: the label "x` + "\n" + `y" has a line break`},
		{"a,b\n\"q,x\n", "f:"},
		{"a,b\nq\xff,x\n", "f:2:1: \"q\xff\" is not text"},
		{"a,b\nq\"z,x\n", `f:2:2: bare " in non-quoted`},
		{"a,b\nq\x00,x\n", `f:2:1: "q\x00" is not text`}, {"a,b\nq,x\x00\n", `f:2:3: "x\x00" is not text`},
	} {
		_, _, _, _, err := ReadTable(textOf(c.text), CSVForm{Comma: ','}, 10)
		if err == nil || !strings.HasPrefix(err.Error(), strings.ReplaceAll(c.want, "q\xff", `q\xff`)) &&
			!strings.HasPrefix(err.Error(), strings.ReplaceAll(c.want, "\n", `\n`)) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
	rows, table, _, _, err := ReadTable(textOf(train), CSVForm{Comma: ','}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, validation, stream string }{
		{"size,colour\n1,red\n", `f:1:1: the first line lacks the column of the labels, "kind"`, ""},
		{"size,kind\n1,a\n", "f:1:1: the first line lacks these columns of the training file: colour; want the names " +
			"colour, size, in any order", "f:1:1: the first line lacks these columns"},
		{"colour;size\nred;1\n", "f:1:1: the first line lacks these columns of the training file: colour, size; want the " +
			"names colour, size, in any order; does the file have another delimiter?",
			"f:1:1: the first line lacks these columns"},
		{"kind,size,colour\na,big,red\n", `f:2:3: column "size" has the value "big": want a number`,
			`f:2:3: column "size" has the value "big"`},
		{"kind,size,colour\na,?,red\n", `f:2:3: column "size" has the missing value "?"`, `f:2:3: column "size"`},
		{"kind,size,colour\n,1,red\n", `f:2:1: column "kind" has the missing value ""`, ""},
	} {
		_, _, err := ReadTableValidation(textOf(c.text), ',', rows, table)
		if err == nil || !strings.HasPrefix(err.Error(), c.validation) {
			t.Errorf("%q as validation file: error %v, want %s", c.text, err, c.validation)
		}
		_, err = NewCSVStream("f", strings.NewReader(c.text), ',', table).Next()
		if c.stream == "" != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), c.stream) {
			t.Errorf("%q as stream: error %v, want %q", c.text, err, c.stream)
		}
	}
	var setting *datasets.SettingError
	if _, _, _, _, err := ReadTable(textOf(train), CSVForm{Comma: ',', Label: "sort"}, 10); !errors.As(err, &setting) ||
		!strings.Contains(err.Error(), "the name of a column of f: colour, size, kind") {
		t.Errorf("error of an unknown label = %v, want a SettingError with the columns", err)
	}
}

// TestCSVOneColumn checks that a stream reads a table whose only column is a feature.
func TestCSVOneColumn(t *testing.T) {
	table := datasets.Table{Label: "kind", Columns: []datasets.TableColumn{{Name: "size"}}}
	s := NewCSVStream("f", strings.NewReader("size\n7\n"), ',', table)
	if data, err := s.Next(); err != nil || !slices.Equal(spread(data.(*datasets.Labelled), 0), []float64{7}) {
		t.Errorf("row %+v, error %v; want 7", data, err)
	}
}

// TestCSVDoubts checks the warnings about columns, and that unknown values get no feature.
func TestCSVDoubts(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,age,constant,y\n")
	for i := range 30 {
		fmt.Fprintf(&b, "r%d,%d,7,%d\n", i, i%10, i%2)
	}
	b.WriteString("r99,n.a.,7,0\n")
	rows, table, _, doubts, err := ReadTable(textOf(b.String()), CSVForm{Comma: ','}, 1000)
	want := []string{`column "id" has 31 values in 31 rows: if it identifies the rows, remove it from the file`,
		`column "age" is read as categorical, since 1 of its 11 values are not numbers: n.a.`}
	if err != nil || !slices.Equal(doubts, want) || rows.X.Dim != 31+11+1 {
		t.Fatalf("%d features, doubts %q, error %v; want 43, %q", rows.X.Dim, doubts, err, want)
	}
	held, doubts, err := ReadTableValidation(textOf("y,constant,age,id\n1,8,4,new\n3,0,4,r0\n"), ',', rows, table)
	if err != nil || !slices.Equal(held.X.Start, []int{0, 2, 4}) || !slices.Equal(held.Y, []int{1, 2}) ||
		len(doubts) != 2 || doubts[0] != `column "id" has values that no training row has, and that get no feature: new` {
		t.Errorf("validation rows %+v, doubts %q, error %v; want no features for unknown values, and 2 doubts", held, doubts,
			err)
	}
}

// TestCSVUnknownClasses checks that all validation rows whose class no training row has get the number of classes, and
// the other rows their own class: below, between and above the classes, and as text beside numbers.
func TestCSVUnknownClasses(t *testing.T) {
	for train, held := range map[string]map[string]int{
		"b d f": {"a": 3, "b": 0, "c": 3, "d": 1, "e": 3, "f": 2, "g": 3, "1": 3},
		"4 2 8": {"1": 3, "2": 0, "3": 3, "4.0": 1, "5": 3, "08": 2, "9": 3, "x": 3},
	} {
		rows, table, _, _, err := ReadTable(textOf("y,v\n"+strings.ReplaceAll(train, " ", ",1\n")+",1\n"),
			CSVForm{Comma: ',', Label: "y"}, 100)
		if err != nil {
			t.Fatal(err)
		}
		for label, want := range held {
			got, doubts, err := ReadTableValidation(textOf("v,y\n1,"+label+"\n"), ',', rows, table)
			if err != nil || !slices.Equal(got.Y, []int{want}) || (len(doubts) == 1) != (want == 3) {
				t.Errorf("training classes %s: a validation row of class %q: %+v, doubts %q, error %v; want class %d, and a doubt "+
					"if it is 3", train, label, got, doubts, err, want)
			}
		}
	}
}

// TestCSVDecimalComma checks the warning about numbers with a decimal comma.
func TestCSVDecimalComma(t *testing.T) {
	text := "price;range;y\n1,5;1,2,3;a\n-2,25;2,5;b\n3;x;a\n"
	_, _, _, doubts, err := ReadTable(textOf(text), CSVForm{Comma: ';'}, 1000)
	want := []string{`column "price" is read as categorical, since numbers need a decimal point, and 2 of its 3 values ` +
		`have a comma, such as 1,5`}
	if err != nil || !slices.Equal(doubts, want) {
		t.Errorf("doubts %q, error %v; want %q", doubts, err, want)
	}
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b,c\nx,1,y\n\"x,\",2,\"z\"\n", "a,b\n1,2\nx,3\n", "\ufeffa,b\n\xff,?\n", "a\tb\n\t\n",
		"a;b\n\"1\n\";2\n"} {
		f.Add([]byte(s), byte(0))
		f.Add([]byte(s), byte(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, kind byte) {
		comma := []rune{',', '\t', ';'}[int(kind)%3]
		rows, table, _, _, err := ReadTable(textOf(string(text)), CSVForm{Comma: comma}, 1<<30)
		if err != nil {
			named(t, err)
			return
		}
		datasettest.CheckLabelled(t, rows)
		if err := table.Check(); err != nil || table.Features() != rows.X.Dim {
			t.Fatalf("table %+v of rows with %d features: error %v; want nil, and as many features in the table", table,
				rows.X.Dim, err)
		}
		held, doubts, err := ReadTableValidation(textOf(string(text)), comma, rows, table)
		if err != nil || len(doubts) > 0 || datasettest.Fingerprint(held, held.Len()) != datasettest.Fingerprint(rows,
			rows.Len()) {
			t.Fatalf("the validation rows of the same text differ: error %v, doubts %q", err, doubts)
		}
		i := 0
		_, err = drained(t, NewCSVStream("f", bytes.NewReader(text), comma, table), func(data datasets.Data) datasets.Data {
			if got := data.(*datasets.Labelled); !slices.Equal(spread(got, 0), spread(rows, i)) || got.Y == nil {
				t.Fatalf("row %d of the stream is %+v, want %v", i, got, spread(rows, i))
			}
			i++
			return data
		})
		if err != nil || i != rows.Len() {
			t.Fatalf("the stream has %d rows, error %v; want %d", i, err, rows.Len())
		}
	})
}
