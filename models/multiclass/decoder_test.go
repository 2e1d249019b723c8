package multiclass_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// TestRestoredClasses checks for classes in different orders that a restored model gives each class the score and the
// name that it has in the task, and lists the classes in the order of the data.
func TestRestoredClasses(t *testing.T) {
	type model interface {
		models.Builder
		models.Restorer
	}
	for _, c := range []struct {
		m       model
		classes []string
	}{
		{multiclass.New(), []string{"a", "b", "c"}}, {multiclass.New(), []string{"c", "a", "b"}},
		{multiclass.New(), []string{"10", "9", "2", "B", "a"}}, {multiclass.New(), []string{"1", "-1"}},
		{multiclass.NewBinary(), []string{"-1", "+1"}}, {multiclass.NewBinary(), []string{"+1", "-1"}},
		{multiclass.NewBinary(), []string{"b", "a"}}, {&multiclass.Binary{LossScale: 1, Bias: 2}, []string{"10", "9"}},
	} {
		name := fmt.Sprintf("%T of the classes %q", c.m, c.classes)
		data := examples.Rows(8, 4, len(c.classes), true)
		data.Classes = c.classes
		task := examples.Build(t, c.m, data, nil)
		d := examples.Restored(t, c.m, task)
		if got := d.(models.Chooser).Choices(models.Example{}).Labels; !slices.Equal(got, c.classes) {
			t.Errorf("%s: the restored model chooses among %q", name, got)
		}
		w := examples.Weights(3, task.Dim())
		k := len(c.classes)
		got, want := make([]float64, k), make([]float64, k)
		for i := range task.Train {
			row := data.Pick([]int{i})
			e, err := d.Example(row)
			if err != nil {
				t.Fatal(err)
			}
			task.Train[i].Features.Score(want, w)
			if e.Features.Score(got, w); !slices.Equal(got, want) {
				t.Errorf("%s: scores of row %d: %v, want %v as in the task", name, i, got, want)
			}
			for y, class := range c.classes {
				out := d.Output(row, e, models.Vertex{y}).(*datasets.Labelled)
				if len(out.Y) != 1 || out.Classes[out.Y[0]] != class {
					t.Errorf("%s: class %d of row %d has the name %q, want %q", name, y, i, out.Classes[out.Y[0]], class)
				}
			}
		}
	}
}

// TestVocabularies checks which vocabularies a restored model refuses: damaged ones, and ones without features or with
// a number of classes that the model cannot have.
func TestVocabularies(t *testing.T) {
	several, two := multiclass.Model{}, multiclass.Binary{LossScale: 1}
	for text, want := range map[string][2]bool{
		`{"features": 3, "classes": ["b", "a"]}`:      {true, true},
		`{"features": 1, "classes": ["b", "a", "c"]}`: {true, false},
		`{"features": 3, "classes": ["a"]}`:           {},
		`{"features": 0, "classes": ["b", "a"]}`:      {},
		`{"features": 3}`:                             {},
		`{"features": 3, "classes": ["b", "a"]`:       {},
		``:                                            {},
	} {
		for i, m := range []models.Restorer{several, two} {
			if d, err := m.Restore([]byte(text)); (err == nil) != want[i] || (d == nil) == want[i] {
				t.Errorf("%T, vocabulary %s: error %v; accepted must be %v", m, text, err, want[i])
			}
		}
	}
}
