package modeltest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/multiclass"
)

// listener is a testing.TB that records the messages of failures instead of failing the test.
type listener struct {
	testing.TB
	failures []string
}

func (l *listener) Helper() {}
func (l *listener) Errorf(format string, args ...any) {
	l.failures = append(l.failures, fmt.Sprintf(format, args...))
}
func (l *listener) Fatalf(format string, args ...any) { l.Errorf(format, args...); runtime.Goexit() }

// listen runs the suite and returns the messages that it reports.
func listen(task *models.Task, labellings func(*models.Example) []models.Vertex, opts ...modeltest.Option) string {
	l := &listener{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		modeltest.Check(l, task, labellings, opts...)
	}()
	<-done
	return strings.Join(l.failures, "\n")
}

func classes(k int) func(*models.Example) []models.Vertex {
	return func(*models.Example) []models.Vertex {
		var all []models.Vertex
		for c := range k {
			all = append(all, models.Vertex{c})
		}
		return all
	}
}

func toyAll(*models.Example) []models.Vertex { return toyLabellings() }

func multiclassTask(t testing.TB) *models.Task {
	t.Helper()
	d := &datasets.Labelled{X: datasets.Rows{N: 2, Dim: 3, Value: []float64{1, -2, 0.5, 0, 3, 1}}, Y: []int{2, 0},
		Classes: []string{"a", "b", "c"}}
	task, err := multiclass.Model{}.Build(d, d)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func TestSoundModels(t *testing.T) {
	t.Run("toy", func(t *testing.T) { modeltest.Check(t, toyTask(), toyAll) })
	t.Run("multiclass", func(t *testing.T) { modeltest.Check(t, multiclassTask(t), classes(3), modeltest.Seed(7)) })
}

// TestBrokenModels adds defects to the examples of a correct task, and checks that the suite reports each of them.
func TestBrokenModels(t *testing.T) {
	for _, c := range faults() {
		t.Run(c.name, func(t *testing.T) {
			task, all := toyTask(), toyAll
			if c.sparse {
				task, all = multiclassTask(t), classes(3)
			}
			for i := range task.Train {
				c.plant(&task.Train[i])
			}
			if said := listen(task, all, c.opts...); !strings.Contains(said, c.says) {
				t.Errorf("the suite reports:\n%s\nwant a message that contains %q", said, c.says)
			}
		})
	}
}

func TestNothingToCheck(t *testing.T) {
	if said := listen(&models.Task{Model: "empty", Unknowns: models.Weights{Dim: 1}}, toyAll); !strings.Contains(said,
		"no example to check") {
		t.Errorf("for a task without examples the suite reports %q, want that there is no example to check", said)
	}
	if said := listen(toyTask(), func(*models.Example) []models.Vertex { return nil }); !strings.Contains(said,
		"no labellings") {
		t.Errorf("without labellings the suite reports %q, want that no labellings were given", said)
	}
}
