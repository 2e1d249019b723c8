package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/internal/toy"
)

// TestPredictCSV checks predictions for tables in CSV against the same rows in LIBSVM format. Both must have the same
// optimum, labels and scores, for each scaling. The table to predict has another order of columns, one more column and
// an unknown category, and has no labels.
func TestPredictCSV(t *testing.T) {
	dir := t.TempDir()
	colours, kinds := []string{"blue", "dark red", "green"}, []string{"small, or none", "large"}
	table, rows, other, plain := "size,colour,kind\n", "", "new,colour,size\n", ""
	for i := range 40 {
		size, c := float64(i%7)-2.5, i*i%3
		kind := kinds[(i%7+c)/5]
		table += fmt.Sprintf("%v,%s,\"%s\"\n", size, colours[c], kind)
		rows += fmt.Sprintf("%d 1:%v %d:1\n", 2-(i%7+c)/5, size, c+2)
		other += fmt.Sprintf("x,%s,%v\n", colours[c], 3*size)
		plain += fmt.Sprintf("1:%v %d:1\n", 3*size, c+2)
	}
	other += "y,violet,1.5\n"
	plain += "1:1.5\n"
	for name, text := range map[string]string{"table": table, "rows": rows} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, scale := range []string{"none", "unit", "max"} {
		more := ", scale: " + scale
		csv, f := saved(t, specOn("format: csv, path: "+filepath.Join(dir, "table")+more, "multiclass, loss: log",
			passes(60, "eg")))
		svm, g := saved(t, specOn("format: libsvm, path: "+filepath.Join(dir, "rows")+more, "multiclass, loss: log",
			passes(60, "eg")))
		if p, q := toy.Last(t, f)["primal"], toy.Last(t, g)["primal"]; p != q {
			t.Errorf("scale %s: the primal is %v for the table and %v for the rows", scale, p, q)
		}
		got, made := predict(t, csv, other, PredictOptions{Scores: true, Marginals: true})
		const note = `column "colour" has values that no training row has, and that get no feature: in 1 row, first "violet"`
		if len(made.Warnings) != 1 || made.Warnings[0] != note {
			t.Errorf("scale %s: warnings %q, want %q", scale, made.Warnings, note)
		}
		inJSON, _ := predict(t, csv, other, PredictOptions{JSON: true})
		if !strings.HasSuffix(inJSON, `,"unknown":{"colour":"violet"}}`+"\n") || strings.Count(inJSON, "unknown") != 1 {
			t.Errorf("scale %s: want the unknown value beside the prediction of its row: %s", scale, inJSON)
		}
		want, _ := predict(t, svm, plain, PredictOptions{Scores: true, Marginals: true})
		want = "\n" + want
		want = strings.NewReplacer("\n1\t", "\n"+kinds[1]+"\t", "\n2\t", "\n"+kinds[0]+"\t").Replace(want)
		if want = want[1:]; got != want || made.Labels != 0 || !strings.Contains(got, kinds[0]) ||
			!strings.Contains(got, kinds[1]) {
			t.Errorf("scale %s: predictions %q, want %q", scale, got, want)
		}
		if _, made := predict(t, csv, table, PredictOptions{}); made.Labels != 40 ||
			float64(made.Wrong)/40 > 0.2 {
			t.Errorf("scale %s: prediction for the training file = %+v, want 40 labels and at most 20 %% wrong", scale, made)
		}
	}
	csv, _ := saved(t, specOn("format: csv, path: "+filepath.Join(dir, "table"), "binary, loss: hinge", passes(1, "dcd")))
	want, _ := predict(t, csv, "colour,size\ngreen,-1\ndark red,2.5\n", PredictOptions{})
	labels, err := csv.Answer(t.Context(), Question{Rows: []any{map[string]any{"size": -1.0, "colour": "green"},
		[]any{2.5, "dark red"}}})
	if err != nil || len(labels) != 2 || labels[0].Label+"\n"+labels[1].Label+"\n" != want {
		t.Errorf("answer %+v, error %v; want the labels %q", labels, err, want)
	}
	for row, want := range map[any]string{"x": "want a map from the names", 2.0: "want a map from the names"} {
		_, err := csv.Answer(t.Context(), Question{Rows: []any{row}})
		refused(t, "a row that is no map", err, want)
	}
	for _, c := range []struct {
		row  map[string]any
		want string
	}{{map[string]any{"size": true, "colour": "green"}, `column "size" is true; want a number or a text`},
		{map[string]any{"size": 1.0}, "rows[0]: it has no value of colour"}} {
		_, err := csv.Answer(t.Context(), Question{Rows: []any{c.row}})
		refused(t, "a wrong row", err, c.want)
	}
	_, err = csv.Answer(t.Context(), Question{Rows: []any{[]any{1.0}}})
	refused(t, "a short list", err, "it has 1 value; want one for each of the 2 columns")
	w := *csv.weights
	w.Table = datasets.Table{}
	_, err = newPredictor(&w)
	refused(t, "no table", err, "damaged weights file: it lacks the columns of the data csv")
}
