// Package examples has small data for tests of models, and lists their labellings by enumeration, sharing no code with
// the models.
package examples

import (
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Build makes the task of a model, or fails the test.
func Build(t testing.TB, m models.Builder, train, validation datasets.Data) *models.Task {
	t.Helper()
	task, err := m.Build(train, validation)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// Classes lists the labellings of an example that is one of k classes.
func Classes(k int) func(*models.Example) []models.Vertex {
	return func(*models.Example) (all []models.Vertex) {
		for c := range k {
			all = append(all, models.Vertex{c})
		}
		return all
	}
}
