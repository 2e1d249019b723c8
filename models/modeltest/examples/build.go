// Package examples provides small data sets for tests of models, and lists the labellings of their examples by
// enumeration. It shares no code with the models.
package examples

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Build builds the task of a model. It fails the test if the model returns an error.
func Build(t testing.TB, m models.Builder, train, validation datasets.Data) *models.Task {
	t.Helper()
	task, err := m.Build(train, validation)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// Restored returns the decoder that a model restores from the vocabulary of its task. It fails the test if the model
// returns an error or the decoder has another number of weights than the task.
func Restored(t testing.TB, m models.Restorer, task *models.Task) models.Decoder {
	t.Helper()
	text, err := json.Marshal(task.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	d, err := m.Restore(text)
	if err != nil {
		t.Fatalf("%+v: %v", m, err)
	}
	if d.Dim() != task.Dim() {
		t.Fatalf("%+v: the restored model has %d weights, want %d", m, d.Dim(), task.Dim())
	}
	return d
}

// Classes returns a function that lists the labellings of an example of a classifier with k classes.
func Classes(k int) func(*models.Example) []models.Vertex {
	return func(*models.Example) (all []models.Vertex) {
		for c := range k {
			all = append(all, models.Vertex{c})
		}
		return all
	}
}

// Risk returns the regularised risk of a model on training data. It fails the test if there is an error.
func Risk(t testing.TB, m models.Builder, train datasets.Data, loss models.Loss, lambda float64) *models.Risk {
	t.Helper()
	return RiskOf(t, Build(t, m, train, nil), loss, lambda)
}

// RiskOf returns the regularised risk of a task. It fails the test if there is an error.
func RiskOf(t testing.TB, task *models.Task, loss models.Loss, lambda float64) *models.Risk {
	t.Helper()
	p, err := task.Risk(loss, lambda)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Panics runs the function call and fails the test unless it panics with a message that begins with prefix and contains
// part.
func Panics(t testing.TB, what, prefix, part string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if s, ok := recover().(string); !ok || !strings.HasPrefix(s, prefix) || !strings.Contains(s, part) {
			t.Errorf("%s: the panic is %q: want a message that begins with %q and contains %q", what, s, prefix, part)
		}
	}()
	call()
}

// Refused fails the test unless err is an error whose message contains each string of parts.
func Refused(t testing.TB, what string, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want one that contains %q", what, parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: the error %q does not contain %q", what, err, part)
		}
	}
}
