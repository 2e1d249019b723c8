package modeltest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// TestBrokenLists gives CheckList lists of models with one defect each, and checks that CheckList reports the defect. A
// defect is in an entry of the list, or in a model, but not in the oracles of the model.
func TestBrokenLists(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs the suite once for each defect")
	}
	type list = []models.Entry
	energy := func(e models.Energy) list {
		return list{changed(sequence(), each(func(x *models.Example) { x.Energy = e }))}
	}
	for _, c := range []struct {
		name, says string
		list       list
	}{
		{"two entries with one name", "want a Name that no other entry has", list{classifier(), classifier()}},
		{"an unknown loss", "which LossNamed does not know",
			list{entryOf("multiclass", []string{"quantile"}, errorRate, classifier().New)}},
		{"shared settings", "separate settings", func() list {
			m, e := multiclass.New(), classifier()
			e.New = func() models.Builder { return m }
			return list{e}
		}()},
		{"a model that accepts no data", "add a data set of its kind to examples.All",
			list{entryOf("stubborn", nil, nil, func() models.Builder { return &stubborn{"unknown: "} })}},
		{"no revision", "Revision is 0", func() list {
			e := classifier()
			e.Revision = 0
			return list{e}
		}()},
		{"neither a Restorer nor a reason", "want a Restorer or a reason",
			list{changed(classifier(), func(*models.Task) {})}},
		{"weights without a vocabulary", "has no Vocabulary", keeping(nil)},
		{"a vocabulary of another type", "Restore does not accept", keeping(func() any { return 1 })},
		{"a vocabulary with fewer features", "the task has", keeping(func() any {
			return map[string]any{"features": 1, "classes": []string{"a", "b"}}
		})},
		{"another name", "the list calls the model", list{changed(classifier(), func(t *models.Task) { t.Model = "other" })}},
		{"a metric that is not listed", "the list says that model multiclass reports",
			list{changed(classifier(),
				func(t *models.Task) { t.Metrics = []models.Metric{{Name: "luck", Of: models.ZeroOneLoss}} })}},
		{"a listed metric that no task has", "none of its tasks does",
			list{entryOf("multiclass", nil, []string{"validation_error", "luck"}, classifier().New)}},
		{"a loss without its oracle", "which needs an oracle for slack rescaling",
			list{changed(classifier(), each(func(x *models.Example) { x.Slack = nil }))}},
		{"a hinge without a label loss", "every labelling has the label loss 0",
			list{changed(classifier(), each(func(x *models.Example) { x.Cost = nil }))}},
		{"an objective of its own that is not listed", "the list says Free", func() list {
			e := network()
			e.Free = false
			return list{e}
		}()},
		{"labellings of no known form", "add a Structure",
			list{changed(classifier(), each(func(x *models.Example) { x.Truth = models.Vertex{0, 1} }))}},
		{"initial weights of a wrong length", "Weights.Start has 1 components",
			list{changed(classifier(), weights(func(w *models.Weights) { w.Start = []float64{1} }))}},
		{"no weights and no energy", "Weights.Dim is 0",
			list{changed(classifier(), weights(func(w *models.Weights) { w.Dim = 0 }))}},
		{"no unknowns", "Task.Unknowns is nil", list{changed(classifier(), func(t *models.Task) { t.Unknowns = nil })}},
		{"inference without an energy", "has no Energy", list{changed(classifier(), func(t *models.Task) {
			t.Unknowns = models.Marginals{}
		})}},
		{"a radius that is too small", "RadiusSq = ", list{changed(sequence(), each(func(x *models.Example) {
			x.Features = lowRadius{x.Features.(models.SparseMap), x.Features.(models.Gram), x.Features}
		}))}},
		{"a wrong ScaleSq", "ScaleSq gives", list{changed(classifier(), each(func(x *models.Example) {
			x.Features = stretched{x.Features.(models.SparseMap), x.Features.(models.Gram)}
		}))}},
		{"a wrong row", "Row gives", list{changed(classifier(), each(func(x *models.Example) {
			x.Features = otherRow{x.Features.(models.RowMap)}
		}))}},
		{"a majorant that is too small", "Majorise gives", list{changed(parser(), each(func(x *models.Example) {
			x.Features = lowMajorant{x.Features.(models.SparseMap), x.Features.(models.Majorant)}
		}))}},
		{"a polytope that refuses marginals", "Infeasibility of marginals is 1",
			list{changed(sequence(), each(func(x *models.Example) { x.Polytope = polytope(1) }))}},
		{"a polytope that accepts everything", "after adding 0.25",
			list{changed(sequence(), each(func(x *models.Example) { x.Polytope = polytope(0) }))}},
		{"an energy whose slope has the wrong sign", "the slope of the energy", energy(bowl{1, -1})},
		{"an energy whose gradient overwrites", "AddGradient with c = −2.5", energy(overwriting{bowl{1, 1}})},
		{"an energy that is not convex", "Convex of the energy is true", energy(bowl{-1, 1})},
		{"a norm that is not symmetric", "is not symmetric", list{changed(kernels(), weights(func(w *models.Weights) {
			sound := w.Norm
			w.Norm = func(dst, v []float64) { sound(dst, v); dst[0] += v[1] }
		}))}},
		{"a norm that is negative", "not positive semidefinite", list{changed(kernels(), weights(func(w *models.Weights) {
			sound := w.Norm
			w.Norm = func(dst, v []float64) {
				sound(dst, v)
				for j := range dst {
					dst[j] = -dst[j]
				}
			}
		}))}},
		{"a prior that is no distribution", "want a distribution", list{changed(network(), func(t *models.Task) {
			g := t.Unknowns.(*models.Distributions)
			g.Prior = slices.Repeat([]float64{0.3}, g.Dim())
		})}},
		{"vectors of one component", "want at most 1", list{changed(network(), func(t *models.Task) {
			g := &models.Distributions{Eta: 1, Terms: flat{}}
			for j := range t.Dim() + 1 {
				g.First = append(g.First, j)
			}
			t.Unknowns = g
		})}},
		{"a decoder that accepts several rows", "accepts 2 labelled rows", decoding(func(d datasets.Data,
			sound models.Decoder) (models.Example, error) {
			if rows := d.(*datasets.Labelled); rows.X.N > 1 {
				return sound.Example(rows.Pick([]int{0}))
			}
			return sound.Example(d)
		})},
		{"a decoder that accepts no row", "accepts 0 labelled rows", decoding(func(d datasets.Data,
			sound models.Decoder) (models.Example, error) {
			if d.Len() == 0 {
				return models.Example{}, nil
			}
			return sound.Example(d)
		})},
		{"a decoder that accepts nothing", "does not accept train[0]", decoding(func(datasets.Data,
			models.Decoder) (models.Example, error) {
			return models.Example{}, errors.New("none")
		})},
		{"a decoder that loses a feature", "train[0] decoded: score of part", decoding(func(d datasets.Data,
			sound models.Decoder) (models.Example, error) {
			if rows := d.(*datasets.Labelled); rows.X.N == 1 {
				rows.X.Value[0] = 0
			}
			return sound.Example(d)
		})},
		{"a decoder without oracles", "train[0] decoded: truth [], a max-oracle: false", decoding(func(d datasets.Data,
			sound models.Decoder) (models.Example, error) {
			e, err := sound.Example(d)
			e.Max = nil
			return e, err
		})},
		{"a decoder that writes another class", "1 of 1 labels of the true labelling are written wrongly",
			writing(func(rows *datasets.Labelled) datasets.Data {
				rows.Y[0] = (rows.Y[0] + 1) % len(rows.Classes)
				return rows
			})},
		{"a decoder that writes no row", "want one example of the type *datasets.Labelled",
			writing(func(rows *datasets.Labelled) datasets.Data { return &datasets.Labelled{Classes: rows.Classes} })},
		{"a decoder that writes other data", "want one example of the type *datasets.Labelled",
			writing(func(*datasets.Labelled) datasets.Data { return &datasets.Treebank{} })},
		{"an inexact oracle that is wrong", "which is not a labelling", list{changed(classifier(), func(t *models.Task) {
			inexact(t)
			each(func(x *models.Example) {
				x.Max = maxFunc(func(dst models.Vertex, _ []float64) (models.Vertex, float64) { return append(dst[:0], 0, 1), 0 })
			})(t)
		})}},
		{"an inexact oracle whose marginals are infeasible", "infeasible", list{changed(classifier(), func(t *models.Task) {
			inexact(t)
			each(expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
				v := sound.LogSum(mu, theta)
				if mu != nil {
					mu[0] = 2
				}
				return v
			}))(t)
		})}},
		{"a weight that the transpose lacks", "⟨A w, v⟩ is", list{changed(classifier(), func(t *models.Task) {
			inexact(t)
			each(func(x *models.Example) {
				sound := x.Features.(features)
				x.Features = brokenMap{features: sound, score: func(theta, w []float64) { sound.Score(theta, w); theta[0] += w[0] }}
			})(t)
		})}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &listener{}
			done := make(chan struct{})
			go func() {
				defer close(done)
				modeltest.CheckList(l, c.list)
			}()
			<-done
			if said := strings.Join(l.failures, "\n"); !strings.Contains(said, c.says) {
				t.Errorf("CheckList reports:\n%s\nwant a message that contains %q", said, c.says)
			}
		})
	}
}

// TestUnusedData checks that a data set that no model accepts is reported.
func TestUnusedData(t *testing.T) {
	l := &listener{TB: t}
	modeltest.CheckList(l, []models.Entry{classifier()})
	said := strings.Join(l.failures, "\n")
	for _, d := range examples.All(t) {
		if taken := strings.HasPrefix(d.Name, "rows of t"); taken == strings.Contains(said,
			"accepts the data set "+d.Name+" of") {
			t.Errorf("%s: a model accepts the data set: %v, but the suite reports %q", d.Name, taken, said)
		}
	}
}
