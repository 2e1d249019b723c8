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
		want, _ := predict(t, svm, plain, PredictOptions{Scores: true, Marginals: true})
		want = "\n" + want
		want = strings.NewReplacer("\n1\t", "\n"+kinds[1]+"\t", "\n2\t", "\n"+kinds[0]+"\t").Replace(want)
		if want = want[1:]; got != want || made.Labels != 0 || !strings.Contains(got, kinds[0]) ||
			!strings.Contains(got, kinds[1]) {
			t.Errorf("scale %s: predictions %q, want %q", scale, got, want)
		}
		if _, made := predict(t, csv, table, PredictOptions{}); made.Labels != 40 ||
			float64(made.Wrong)/40 > 0.2 {
			t.Errorf("scale %s: predictions for the training file: %+v", scale, made)
		}
	}
	csv, _ := saved(t, specOn("format: csv, path: "+filepath.Join(dir, "table"), "binary, loss: hinge", passes(1, "dcd")))
	w := *csv.weights
	w.Table = datasets.Table{}
	_, err := newPredictor(&w)
	refused(t, "no table", err, "damaged weights file: it lacks the columns of the data csv")
}
