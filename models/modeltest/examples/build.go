package examples

import (
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

func Build(t testing.TB, m models.Builder, train, validation datasets.Data) *models.Task {
	t.Helper()
	task, err := m.Build(train, validation)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func Classes(k int) func(*models.Example) []models.Vertex {
	return func(*models.Example) (all []models.Vertex) {
		for c := range k {
			all = append(all, models.Vertex{c})
		}
		return all
	}
}
