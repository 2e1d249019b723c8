package nonlocal

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/internal/settings"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// TestDefaults checks that the default settings are accepted.
func TestDefaults(t *testing.T) {
	if err := settings.Check(New()); err != nil {
		t.Error(err)
	}
}

// TestFacts checks that tasks report the numbers of measurements, words and parameters in their facts, and that the
// measurements can be listed.
func TestFacts(t *testing.T) {
	for _, s := range everySetting(t, nil) {
		task := s.build(t)
		n := float64(len(measurementsOf(task)))
		switch {
		case s.model.Energy == energyMeasured &&
			(n < 5 || task.Facts["measurements"] != n || task.Facts["energy_parameters"] != n):
			t.Errorf("%s: facts = %v, want measurements and energy_parameters to be %v, at least 5", s.name, task.Facts, n)
		case s.model.Energy != energyMeasured && (n != 0 || task.Facts["words"] != 5 || task.Facts["word_counts"] != 4):
			t.Errorf("%s: facts = %v and %v measurements, want 5 words, 4 word_counts and 0 measurements", s.name, task.Facts, n)
		case s.model.Strength == strengthFourier:
			of := func(d datasets.Data) float64 { return energy.MedianDistance(&d.(*datasets.Sequences).X, s.model.Seed) }
			if want := of(s.train); task.Facts["energy_parameters"] != 6 || task.Facts["bandwidth"] != want ||
				want == of(s.validation) {
				t.Errorf("%s: facts = %v, want 6 energy_parameters and the bandwidth %v of the training rows", s.name, task.Facts,
					want)
			}
		}
	}
}

// TestFourierStrength checks that a strength that is computed from features is different for each sequence, and is
// linear in the weights.
func TestFourierStrength(t *testing.T) {
	for _, s := range everySetting(t, nil) {
		if s.model.Strength != strengthFourier {
			continue
		}
		task := s.build(t)
		w := some(task, 8, 1)
		seen := map[float64]bool{}
		for i := range task.Train {
			f := task.Train[i].Features
			theta, g := make([]float64, f.Parts()), make([]float64, task.Dim())
			f.Score(theta, w)
			psi := theta[len(theta)-1]
			seen[psi] = true
			clear(theta)
			theta[len(theta)-1] = 1
			f.AddAdjoint(g, 2, theta)
			var want float64
			for j := range w {
				want += w[j] * g[j] / 2
			}
			if math.Abs(psi-want) > 1e-12 || g[0] != 2 {
				t.Errorf("%s: strength = %v, want %v by the adjoint", s.name, psi, want)
			}
		}
		if len(seen) != len(task.Train) {
			t.Errorf("%s: strengths = %v, want them to differ", s.name, seen)
		}
	}
}

// TestErrors checks the errors for wrong settings, bases and data. Each error must name what is wrong and what is
// expected.
func TestErrors(t *testing.T) {
	all := everySetting(t, nil)
	cited, spelt := all[0], all[len(all)-1]
	_, err := Model{}.Build(cited.train, nil)
	examples.Refused(t, "Model.Build without a base", err, `set the key "from"`)
	_, err = Inference{}.Build(cited.train, nil)
	examples.Refused(t, "Inference.Build without a base", err, `set the key "from"`)
	for want, change := range map[string]func(*setting){
		`base is "fixed"; accepted: frozen, trained`:                 func(s *setting) { s.model.Base = "fixed" },
		`energy is "hinges"; accepted: measurements, counts`:         func(s *setting) { s.model.Energy = "hinges" },
		`strength is "mm"; accepted: bias, fourier`:                  func(s *setting) { s.model.Strength = "mm" },
		`inference is "admm"; accepted: rda, damped, accelerated`:    func(s *setting) { s.model.Inference = "admm" },
		`templates: there is no template "never"; accepted: at-most`: func(s *setting) { s.model.Templates = "never" },
		"support is 1.5: want a number of at least 0 and at most 1":  func(s *setting) { s.model.Support = 1.5 },
		"occurs is 0: want a number of at least 1":                   func(s *setting) { s.model.Occurs = 0 },
		"features is 0: want a number of at least 1":                 func(s *setting) { s.model.Features = 0 },
		"bandwidth is -1: want a number of at least 0":               func(s *setting) { s.model.Bandwidth = -1 },
		"initial is NaN: want a finite":                              func(s *setting) { s.model.Initial = math.NaN() },
		"max_calls is 0: want a number of at least 1":                func(s *setting) { s.model.MaxCalls = 0 },
		"tol is NaN: want a number of at least 0":                    func(s *setting) { s.model.Tol = math.NaN() },
		"beta is -1: want a number of at least 0":                    func(s *setting) { s.model.Beta = -1 },
		"rho is 2: want a number above 0 and at most 1":              func(s *setting) { s.model.Rho = 2 },
		"sigma is 0: want a number above 0":                          func(s *setting) { s.model.Sigma = 0 },
		"applies to at least 99 training labellings":                 func(s *setting) { s.model.Occurs = 99 },
		"the base has 272 weights: want 273":                         func(s *setting) { s.w = s.w[1:] },
		"sequences of labels, but the base has the model kernel": func(s *setting) {
			s.base = &models.Task{Model: "kernel"}
		},
		"the base, with the model chain, has no training": func(s *setting) {
			s.base = &models.Task{Model: "chain"}
		},
		"has a kernel, so its weights cannot be trained further: set base: frozen": func(s *setting) {
			base := *s.base
			base.Unknowns = models.Weights{Dim: base.Dim(), Norm: func(dst, w []float64) {}}
			s.base, s.model.Base = &base, baseTrained
		},
		"no column of the sentences contains the labels": func(s *setting) {
			base, examplesOf := *s.base, s.base.Examples
			base.Examples = func(datasets.Data) ([]models.Example, error) { return examplesOf(cited.validation) }
			d := *s.train.(*datasets.Sentences)
			d.Columns = nil
			s.base, s.train = &base, &d
		},
		"labelled sequences": func(s *setting) { s.train = spelt.train },
		"set strength: bias": func(s *setting) {
			s.model.Energy, s.model.Strength = energyWords, strengthFourier
		},
		"accelerated needs an energy with a Lipschitz": func(s *setting) {
			s.model.Smoothed, s.model.Inference = false, inferenceFast
		},
	} {
		s := cited
		change(&s)
		_, err := s.model.Extend(s.base, s.w, s.train, s.validation)
		examples.Refused(t, want, err, want, "model ")
	}
	_, err = Inference{}.Extend(cited.base, cited.w, cited.train, cited.validation)
	examples.Refused(t, "Inference.Extend with a chain as the base", err,
		`the problem that the key "from" names has the model chain`)
	_, err = Inference{}.Extend(cited.build(t), nil, cited.train, nil)
	examples.Refused(t, "Inference.Extend without weights", err, "the base has 0 weights")
}

// TestEnergiesErrors checks the errors of Energies.Extend.
func TestEnergiesErrors(t *testing.T) {
	s := everySetting(t, nil)[0]
	half := func(psi []float64) func(*models.Example) energy.Parametric {
		return func(*models.Example) energy.Parametric { return energy.Linear{} }
	}
	ok := Energies{Start: []float64{1}, Of: half, By: energy.RDA{MaxCalls: 2}}
	many := func(n, parts int) func(datasets.Data) ([]models.FeatureMap, error) {
		return func(datasets.Data) ([]models.FeatureMap, error) {
			list := slices.Repeat([]models.FeatureMap{affine(nil)}, n)
			list[n-1] = &fixed{scores: make([]float64, parts)}
			return list, nil
		}
	}
	for want, change := range map[string]func(*Energies, *models.Task){
		"cannot build examples from other data": func(_ *Energies, b *models.Task) { b.Examples = nil },
		"Energies.Of or Energies.By is nil":     func(m *Energies, _ *models.Task) { m.Of = nil },
		"want one with 1 parameters":            func(*Energies, *models.Task) {},
		"Strengths returns 2 maps: want 3": func(m *Energies, _ *models.Task) {
			m.Strengths = many(2, 1)
		},
		"max_calls is 0": func(m *Energies, _ *models.Task) { m.Start, m.By = nil, energy.RDA{} },
		"example 0 of model chain has no exp-oracle or no max-oracle": func(_ *Energies, b *models.Task) {
			b.Examples = without(b.Examples)
		},
		"the energy of example 2 has 2 parameters: want 1 as for": func(m *Energies, _ *models.Task) {
			m.Strengths, m.Of = many(3, 2), single
		},
	} {
		m, base := ok, *s.base
		change(&m, &base)
		_, err := m.Extend(&base, s.w, s.train, nil)
		examples.Refused(t, want, err, want)
	}
}

func single(psi []float64) func(*models.Example) energy.Parametric {
	e := energy.Linear{Weights: psi, Rows: make([]models.Sparse, 1)}
	return func(*models.Example) energy.Parametric { return e }
}

// without removes the exp-oracles from the examples.
func without(examples func(datasets.Data) ([]models.Example, error)) func(datasets.Data) ([]models.Example, error) {
	return func(d datasets.Data) ([]models.Example, error) {
		list, err := examples(d)
		for i := range list {
			list[i].Exp = nil
		}
		return list, err
	}
}

// TestAlgorithm checks that each setting of inference reaches its algorithm.
func TestAlgorithm(t *testing.T) {
	m := Model{Rho: 0.25, Beta: 2, Sigma: 3, MaxCalls: 7, Tol: 0.125}
	for name, want := range map[string]energy.Inference{
		inferenceRDA:    energy.RDA{Beta: 2, MaxCalls: 7, Tol: 0.125},
		inferenceDamped: energy.Damped{Rho: 0.25, MaxCalls: 7, Tol: 0.125},
		inferenceFast:   energy.Accelerated{Sigma: 3, MaxCalls: 7, Tol: 0.125},
	} {
		if m.Inference = name; m.algorithm() != want {
			t.Errorf("inference %s: %+v, want %+v", name, m.algorithm(), want)
		}
	}
}

// TestOraclesOfTheEnergy checks that the examples have no oracles of the base that ignore the energy: no rule of
// prediction, no slack oracle and no second-best oracle. The truth and the costs are those of the base.
func TestOraclesOfTheEnergy(t *testing.T) {
	data := words(1, "abba", "cab", "dada", "bad", "abc")
	base, err := chain.Model{Decode: "marginal"}.Build(data, data)
	if err != nil {
		t.Fatal(err)
	}
	m := *New()
	m.Energy = energyWords
	task, err := m.Extend(base, make([]float64, base.Dim()), data, data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range task.Validation {
		e, below := &task.Validation[i], &base.Validation[i]
		x := e.Features.(*example)
		if below.Decoding == nil || below.Slack == nil || e.Decoding != nil || e.Slack != nil || e.Second != nil ||
			e.Exp != models.ExpOracle(x) || e.Max != models.MaxOracle(x) || !e.Truth.Equal(below.Truth) ||
			!slices.Equal(e.Cost, below.Cost) || x.Base().Parts() != below.Features.Parts() {
			t.Errorf("example %d: oracles %T, %T, %v, %v, %v", i, e.Max, e.Exp, e.Slack, e.Second, e.Decoding)
		}
	}
	if len(task.Metrics) != len(base.Metrics) || task.Facts["energy_parameters"] != 1 || !weightsOf(task).Inexact {
		t.Errorf("%d metrics, facts %v", len(task.Metrics), task.Facts)
	}
}
