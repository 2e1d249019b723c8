package record

import (
	"testing"

	"github.com/gaplab/gaplab/models"
)

// fixed is an oracle whose type is no key of a map.
type fixed struct{ best []int }

func (o fixed) Max(dst models.Vertex, _ []float64) (models.Vertex, float64) {
	return append(dst[:0], o.best...), 7
}

// TestDecoratorsHideNothing: a counted problem is the problem, with every oracle that it has and none that it lacks.
func TestDecoratorsHideNothing(t *testing.T) {
	bare := models.Example{Max: fixed{[]int{1}}}
	full := bare
	for _, e := range []*models.Example{&full} {
		e.Exp, e.Slack, e.Second = stub{}, stub{}, stub{}
	}
	var c calls
	q := counted(&models.Risk{Dim: 3, Lambda: 2, Examples: []models.Example{bare, full, full, bare}}, &c).(*models.Risk)
	if q.Dim != 3 || q.Lambda != 2 {
		t.Errorf("the counted problem is another: %+v", q)
	}
	if e := q.Examples[0]; e.Exp != nil || e.Slack != nil || e.Second != nil {
		t.Errorf("an oracle that the model lacks has appeared: %+v", e)
	}
	if y, v := q.Examples[0].Max.Max(nil, nil); v != 7 || !y.Equal(models.Vertex{1}) {
		t.Errorf("Max gives %v, %v through its decorator", y, v)
	}
	e := q.Examples[2]
	e.Exp.LogSum(nil, nil)
	e.Slack.MaxSlack(nil, nil, nil, nil)
	e.Second.Second(nil, nil, nil)
	c.add(&c.max, 3) // that a solver answered itself
	if c.max.Load() != 4 || c.sum.Load() != 1 || c.slack.Load() != 1 || c.second.Load() != 1 || c.visits() != 7 {
		t.Errorf("%d visits counted, want 7", c.visits())
	}
	if q.Examples[1].Exp != q.Examples[2].Exp {
		t.Error("examples that share an oracle do not share its decorator")
	}
}

type stub struct{}

func (stub) LogSum(_, _ []float64) float64 { return 0 }
func (stub) MaxSlack(dst models.Vertex, _, _ []float64, _ models.Vertex) (models.Vertex, float64) {
	return dst, 0
}
func (stub) Second(dst models.Vertex, _ []float64, _ models.Vertex) (models.Vertex, float64) {
	return dst, 0
}
