package solvers_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// The types fitting, inferring and idle are solvers of other kinds than the type asking.
type (
	fitting struct {
		needs solvers.Needs
		Rate  float64 `yaml:"rate" jsonschema:"minimum=0"`
	}
	inferring struct {
		needs solvers.Needs
		Rate  float64 `yaml:"rate" jsonschema:"minimum=0"`
	}
	idle struct {
		Rate float64 `yaml:"rate" jsonschema:"minimum=0"`
	}
)

func (f *fitting) Needs() solvers.Needs   { return f.needs }
func (f *inferring) Needs() solvers.Needs { return f.needs }
func (*idle) Needs() solvers.Needs        { return solvers.Needs{} }

func (*fitting) Fit(*models.Generative, solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{Epoch: 2}, nil) }
}

func (*inferring) Infer(*models.Inference, solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{Epoch: 3}, nil) }
}

// Feature maps that implement one optional interface each.
type (
	bounded   struct{ models.FeatureMap }
	majorised struct{ models.FeatureMap }
	gram      struct{ models.FeatureMap }
)

func (bounded) RadiusSq(models.Vertex) float64              { return 1 }
func (majorised) Majorise([]float64, models.Vertex) float64 { return 1 }
func (gram) NormSq([]float64) float64                       { return 1 }

// plain returns n examples of one labelling out of three parts, with all oracles and a feature map without optional
// interfaces. change changes each example.
func plain(n int, change func(i int, e *models.Example)) []models.Example {
	list := make([]models.Example, n)
	for i := range list {
		list[i] = models.Example{Features: testbed.Scores{0, 0, 0}, Truth: models.Vertex{1}, Cost: []float64{1, 0, 1},
			Max: struct{ models.MaxOracle }{}, Exp: struct{ models.ExpOracle }{}, Slack: struct{ models.SlackOracle }{},
			Second: struct{ models.SecondOracle }{}}
		if change != nil {
			change(i, &list[i])
		}
	}
	return list
}

// plainRisk returns a regularised risk of two plain examples with two weights.
func plainRisk(loss models.Loss, change func(i int, e *models.Example)) *models.Risk {
	return &models.Risk{Weights: models.Weights{Dim: 2}, Lambda: 1, Loss: loss, Examples: plain(2, change)}
}

// generative returns a problem of log-probabilities: one vector of two components, and three examples.
func generative(change func(p *models.Generative)) *models.Generative {
	p := &models.Generative{Distributions: &models.Distributions{First: []int{0, 2}, Prior: []float64{1, 1}, Eta: 1},
		Loss: models.LogLoss(), Examples: plain(3, nil)}
	if change != nil {
		change(p)
	}
	return p
}

// TestLacks checks everything that an objective of each kind lacks for each need of a solver: whole texts, in order.
// The texts name the first example that fails a requirement, also if it fails two, or if later examples fail too.
func TestLacks(t *testing.T) {
	hinge, log, slack := models.Hinge(), models.LogLoss(), models.Slack()
	features := func(wrap func(models.FeatureMap) models.FeatureMap, change ...func(*models.Example)) *models.Risk {
		return plainRisk(hinge, func(_ int, e *models.Example) {
			e.Features = wrap(e.Features)
			for _, c := range change {
				c(e)
			}
		})
	}
	asBounded := func(f models.FeatureMap) models.FeatureMap { return bounded{f} }
	asMajorised := func(f models.FeatureMap) models.FeatureMap { return majorised{f} }
	asGram := func(f models.FeatureMap) models.FeatureMap { return gram{f} }
	noMax := func(e *models.Example) { e.Max = nil }
	twoParts := func(e *models.Example) { e.Truth = models.Vertex{1, 2} }
	of := func(loss models.Loss, change func(*models.Example)) *models.Risk {
		return plainRisk(loss, func(_ int, e *models.Example) { change(e) })
	}
	zeroOne := func(e *models.Example) { e.ZeroOne, e.Cost = 1, nil }
	radius := "needs a bound on |ψ|²; example 0 has features with neither norms nor adjoints, or lacks the max-oracle " +
		"for the bound"
	start := "does not support given start weights"
	inference := func(change func(i int, e *models.Example)) *models.Inference {
		return &models.Inference{Examples: plain(2, change)}
	}
	var (
		trains = func(n solvers.Needs) solvers.Solver { return &asking{needs: n} }
		fits   = func(n solvers.Needs) solvers.Solver { return &fitting{needs: n} }
		infers = func(n solvers.Needs) solvers.Solver { return &inferring{needs: n} }
	)
	for _, c := range []struct {
		about  string
		solver solvers.Solver
		o      models.Objective
		want   []string
	}{
		{"an exp-oracle and a max-oracle that the same example lacks", trains(solvers.Needs{Losses: solvers.Smooth,
			Oracles: solvers.Max | solvers.Exp, Parts: 2}), plainRisk(hinge, func(i int, e *models.Example) {
			if i == 1 {
				e.Max, e.Exp = nil, nil
			}
		}), []string{"supports smooth losses (loss: log), not the hinge (loss: hinge)",
			"needs marginals; example 1 has no exp-oracle", "needs best labellings; example 1 has no max-oracle",
			"needs each labelling to be one of 2 parts; the labelling of example 0 has 1 of 3 parts"}},
		{"a max-oracle that all lack", trains(solvers.Needs{Oracles: solvers.Max}), of(hinge, noMax),
			[]string{"needs best labellings; example 0 has no max-oracle"}},
		{"all kinds of losses", trains(solvers.Needs{Losses: solvers.Smooth | solvers.Hinge | solvers.Perceptron}),
			plainRisk(slack, nil), []string{"supports smooth losses (loss: log), the hinge (loss: hinge), hinges with a " +
				"margin other than 1, not slack rescaling (loss: slack)"}},
		{"slack rescaling only", trains(solvers.Needs{Losses: solvers.Slack}), plainRisk(models.Loss{Margin: 2}, nil),
			[]string{"supports slack rescaling (loss: slack), not hinges with a margin other than 1"}},
		{"the oracles of a loss that is not supported", trains(solvers.Needs{Losses: solvers.Hinge,
			Oracles: solvers.Marginals | solvers.Violation}), of(log, func(e *models.Example) { e.Max, e.Exp = nil, nil }),
			[]string{"supports the hinge (loss: hinge), not smooth losses (loss: log)"}},
		{"marginals, the hinge and a 0/1 loss", trains(solvers.Needs{Oracles: solvers.Marginals}), of(hinge, zeroOne),
			[]string{"needs a label loss over parts; example 0 has a 0/1 loss over labellings"}},
		{"marginals, the log loss and a 0/1 loss", trains(solvers.Needs{Oracles: solvers.Marginals}), of(log, zeroOne),
			nil},
		{"violations without best labellings", trains(solvers.Needs{Oracles: solvers.Violation}), of(hinge, noMax),
			[]string{"needs best labellings; example 0 has no max-oracle"}},
		{"violations and best labellings with slack rescaling", trains(solvers.Needs{Oracles: solvers.Violation |
			solvers.Max}), of(slack, noMax), []string{"needs best labellings; example 0 has no max-oracle"}},
		{"violations with slack rescaling of a 0/1 loss", trains(solvers.Needs{Oracles: solvers.Violation}),
			of(slack, func(e *models.Example) { zeroOne(e); noMax(e); e.Slack = nil }),
			[]string{"needs best labellings; example 0 has no max-oracle"}},
		{"violations without the oracles of other losses", trains(solvers.Needs{Oracles: solvers.Violation}),
			of(hinge, func(e *models.Example) { e.Second, e.Slack, e.Exp = nil, nil, nil }), nil},
		{"norms by a Gram matrix", trains(solvers.Needs{Features: solvers.Norms}), features(asGram), nil},
		{"sparse rows of a Gram matrix", trains(solvers.Needs{Features: solvers.Sparse}), features(asGram),
			[]string{"needs sparse rows; the features of example 0 offer no Adjoint"}},
		{"the radius of bounded features", trains(solvers.Needs{Features: solvers.Radius}), features(asBounded, noMax),
			nil},
		{"the radius by a majorant", trains(solvers.Needs{Features: solvers.Radius}), features(asMajorised), nil},
		{"the radius by a majorant without a max-oracle", trains(solvers.Needs{Features: solvers.Radius}),
			features(asMajorised, noMax), []string{radius}},
		{"the radius of one part", trains(solvers.Needs{Features: solvers.Radius}), features(asGram, noMax), nil},
		{"the radius of two parts", trains(solvers.Needs{Features: solvers.Radius}), features(asGram, twoParts), nil},
		{"the radius of two parts without a max-oracle", trains(solvers.Needs{Features: solvers.Radius}),
			features(asGram, twoParts, noMax), []string{radius}},
		{"one part of one", trains(solvers.Needs{OnePart: true}), of(hinge, func(e *models.Example) {
			e.Features, e.Truth, e.Cost = testbed.Scores{0}, models.Vertex{0}, nil
		}), []string{"needs each labelling to be one of two or more parts; the labelling of example 0 has 1 of 1 parts"}},
		{"two parts", trains(solvers.Needs{OnePart: true}), of(hinge, twoParts),
			[]string{"needs each labelling to be one of two or more parts; the labelling of example 0 has 2 of 3 parts"}},
		{"one part of three", trains(solvers.Needs{Parts: 3}), plainRisk(hinge, nil), nil},
		{"one part", trains(solvers.Needs{OnePart: true}), plainRisk(hinge, nil), nil},

		{"a risk for a Fitter", fits(solvers.Needs{}), plainRisk(hinge, nil),
			[]string{"fits log-probabilities, but this objective is a regularised risk"}},
		{"a risk for an Inferrer", infers(solvers.Needs{}), plainRisk(hinge, nil),
			[]string{"computes marginals, but this objective is a regularised risk"}},
		{"a risk for no solver", &idle{}, plainRisk(hinge, nil),
			[]string{"is no Trainer, Fitter or Inferrer, but this objective is a regularised risk"}},
		{"log-probabilities for a Trainer", trains(solvers.Needs{}), generative(nil), []string{"minimises a regularised " +
			"risk, but the weights of this model are log-probabilities with their own objective"}},
		{"log-probabilities", fits(solvers.Needs{}), generative(nil), nil},
		{"log-probabilities with a start, a loss and an oracle", fits(solvers.Needs{Losses: solvers.Hinge,
			Oracles: solvers.Max}), generative(func(p *models.Generative) {
			p.Start, p.Examples[2].Max = make([]float64, 2), nil
		}), []string{start, "supports the hinge (loss: hinge), not smooth losses (loss: log)",
			"needs best labellings; example 2 has no max-oracle"}},
		{"log-probabilities with a start", fits(solvers.Needs{Start: true}), generative(func(p *models.Generative) {
			p.Start = make([]float64, 2)
		}), nil},
		{"inference for a Trainer", trains(solvers.Needs{}), inference(nil), []string{"minimises a regularised risk, but " +
			"this problem is inference, which has no weights"}},
		{"inference by any solver of a loss", infers(solvers.Needs{Losses: solvers.Slack}), inference(nil), nil},
		{"marginals in inference", infers(solvers.Needs{Oracles: solvers.Marginals}), inference(func(i int,
			e *models.Example) {
			if e.Max = nil; i == 1 {
				e.Exp = nil
			}
		}), []string{"needs marginals; example 1 has no exp-oracle"}},
	} {
		var u *solvers.Unsupported
		err := solvers.Missing(c.solver, c.o)
		var got []string
		if errors.As(err, &u) {
			got = u.Lacks
		}
		if (err == nil) != (c.want == nil) || !slices.Equal(got, c.want) {
			t.Errorf("%s: Missing returns %v, want the list %q", c.about, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "unsupported: "+solvers.Name(c.solver)+" ") {
			t.Errorf("%s: the error is %v, want one with the name of the solver", c.about, err)
		}
	}
}

// TestInstead checks which solvers Missing names in place of another: all that support the objective with their
// defaults, in order. A solver with a setting that has no valid default counts, whatever its own Check says. The own
// Check of a solver is not asked if the objective lacks something else.
func TestInstead(t *testing.T) {
	no := solvers.Lacking("needs %d more", 2)
	others := []solvers.Named{{Name: "first", Solver: &asking{}}, {Name: "refuses", Solver: &asking{check: no}},
		{Name: "no default", Solver: &asking{check: no, Rate: -1}}, {Name: "fits", Solver: &fitting{}},
		{Name: "needs", Solver: &asking{needs: solvers.Needs{Polytope: true}}},
		{Name: "no default, and needs", Solver: &asking{needs: solvers.Needs{Polytope: true}, Rate: -1}},
		{Name: "last", Solver: &asking{}}}
	p := plainRisk(models.Hinge(), nil)
	for _, c := range []struct {
		s    *asking
		want string
	}{
		{&asking{check: no, needs: solvers.Needs{Parts: 7}}, "unsupported: solvers_test.asking needs each labelling to be " +
			"one of 7 parts; the labelling of example 0 has 1 of 3 parts; accepted: first, no default, last"},
		{&asking{check: no}, "unsupported: solvers_test.asking needs 2 more; accepted: first, no default, last"},
		{&asking{check: no, Rate: -1}, "solvers_test.asking: "},
	} {
		err := solvers.Missing(c.s, p, others...)
		if err == nil || err.Error() != c.want && (c.s.Rate == 0 || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("Missing returns %v, want %q", err, c.want)
		}
	}
	if err := solvers.Missing(&asking{needs: solvers.Needs{Parts: 7}}, p, others[1]); err == nil ||
		strings.Contains(err.Error(), "accepted") {
		t.Errorf("Missing returns %v, want no other solver", err)
	}
	if err := solvers.Missing(&asking{}, p, others...); err != nil {
		t.Errorf("Missing returns %v for a solver that supports the objective, among others", err)
	}
}

// TestRunByKind checks that Run calls the method for the kind of objective, and otherwise yields one error, that of
// Missing.
func TestRunByKind(t *testing.T) {
	trains, fits, infers := &asking{}, &fitting{}, &inferring{}
	risk, log, inference := plainRisk(models.Hinge(), nil), generative(nil), &models.Inference{Examples: plain(1, nil)}
	for _, c := range []struct {
		s     solvers.Solver
		o     models.Objective
		epoch int // of the only iterate; −1: an error
	}{
		{trains, risk, 0}, {trains, log, -1}, {trains, inference, -1}, {fits, risk, -1}, {fits, log, 2},
		{fits, inference, -1}, {infers, risk, -1}, {infers, log, -1}, {infers, inference, 3}, {&idle{}, risk, -1},
		{&asking{needs: solvers.Needs{Parts: 7}}, risk, -1},
	} {
		yields := 0
		for it, err := range solvers.Run(c.s, c.o, solvers.Env{}) {
			yields++
			if (err != nil) != (c.epoch < 0) || err == nil && it.Epoch != c.epoch ||
				err != nil && (!errors.Is(err, solvers.ErrUnsupported) || err.Error() != solvers.Missing(c.s, c.o).Error()) {
				t.Errorf("%T on %T: %+v, %v; want epoch %d, or the error of Missing", c.s, c.o, it, err, c.epoch)
			}
		}
		if yields != 1 {
			t.Errorf("%T on %T yields %d times, want once", c.s, c.o, yields)
		}
	}
}

// TestMemoryOfNeeds checks the least memory of a solver for objectives of each kind, whose examples have different
// numbers of parts: vectors as long as w, and floats for each part.
func TestMemoryOfNeeds(t *testing.T) {
	uneven := func(i int, e *models.Example) { e.Features = make(testbed.Scores, 10*i+1) }
	risk := plainRisk(models.Hinge(), uneven) // 1 and 11 parts, 2 weights
	log := generative(func(p *models.Generative) { p.Examples = plain(3, uneven) })
	for _, c := range []struct {
		m    solvers.Memory
		o    models.Objective
		want float64
	}{
		{solvers.Memory{}, risk, 8 * 2}, {solvers.Memory{Weights: 1}, risk, 8 * 2}, {solvers.Memory{Weights: 3}, risk, 8 * 6},
		{solvers.Memory{Parts: 1}, risk, 8 * (2 + 12)}, {solvers.Memory{Weights: 5, Parts: 3}, risk, 8 * (10 + 36)},
		{solvers.Memory{Weights: 5, Parts: 3}, log, 8 * (10 + 3*33)}, {solvers.Memory{}, log, 8 * 2},
		{solvers.Memory{Weights: 5, Parts: 3}, &models.Inference{Examples: plain(2, uneven)}, 8 * 36},
		{solvers.Memory{Weights: 1 << 50}, risk, 8 * (1 << 51)},
	} {
		if got := c.m.Bytes(c.o); got != c.want {
			t.Errorf("%+v needs %v bytes for %T, want %v", c.m, got, c.o, c.want)
		}
	}
}

// TestInterrupted checks that a run that must stop ends its phase and then yields the reason once, with no iterate, and
// that any other run yields nothing. Without functions, an environment works too.
func TestInterrupted(t *testing.T) {
	for name, ctx := range contexts() {
		var seen []string
		env := solvers.Env{Context: ctx, Phase: func(name string) { seen = append(seen, "phase "+name) }}
		stopped := env.Interrupted(func(it solvers.Iterate, err error) bool {
			if it.W != nil || it.Epoch != 0 || it.Primal != nil {
				t.Errorf("%s: the iterate %+v, want none", name, it)
			}
			seen = append(seen, err.Error())
			return true
		})
		var want []string
		if name == "stopped" {
			want = []string{"phase ", "stopped by the user"}
		}
		if !slices.Equal(seen, want) || stopped != (want != nil) || env.Stopped() != stopped ||
			(env.Err() != nil) != stopped || stopped && env.Err().Error() != want[1] {
			t.Errorf("%s: interrupted %v with %q, error %v; want %q", name, stopped, seen, env.Err(), want)
		}
		if env.Ctx() == nil || ctx != nil && env.Ctx() != ctx {
			t.Errorf("%s: the context is %v, want %v", name, env.Ctx(), ctx)
		}
	}
	var bare solvers.Env
	bare.Enter("qp")
	bare.Answered(3)
	if resumed, err := bare.Resumed(func(*solvers.State) { t.Error("nothing is to be resumed") }); resumed || err != nil {
		t.Errorf("without a saved state: resumed %v, %v", resumed, err)
	}
}

// warm is a solver whose session yields the λ of its run as an epoch.
type warm struct {
	asking
	err error
}

type session struct{}

func (w *warm) Start(*models.Risk, solvers.Env) (solvers.Session, error) { return session{}, w.err }

func (session) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		_ = yield(solvers.Iterate{Epoch: int(lambda)}, nil) && yield(solvers.Iterate{Epoch: int(lambda) + 1}, nil)
	}
}

// TestOneSession checks that a single run is a session at the λ of the risk, that the caller may end it, and that an
// error of the start is the only thing that it yields.
func TestOneSession(t *testing.T) {
	p := plainRisk(models.Hinge(), nil)
	p.Lambda = 40
	var epochs []int
	for it, err := range solvers.OneSession(&warm{}, p, solvers.Env{}) {
		if epochs = append(epochs, it.Epoch); err != nil {
			t.Error(err)
		}
	}
	for it := range solvers.OneSession(&warm{}, p, solvers.Env{}) {
		epochs = append(epochs, it.Epoch)
		break
	}
	if !slices.Equal(epochs, []int{40, 41, 40}) {
		t.Errorf("epochs %v, want 40 and 41, then 40", epochs)
	}
	cause, yields := errors.New("why"), 0
	for it, err := range solvers.OneSession(&warm{err: cause}, p, solvers.Env{}) {
		if yields++; err != cause || it.Epoch != 0 {
			t.Errorf("yielded %+v, %v; want no iterate, and the error of the start", it, err)
		}
	}
	if yields != 1 {
		t.Errorf("yielded %d times, want once", yields)
	}
}

// TestFaults checks the texts of errors: the type of the solver, and the cause that errors.Is finds.
func TestFaults(t *testing.T) {
	cause := errors.New("why")
	if err := solvers.Fault(&asking{}, "in step %d: %w", 3, cause); err.Error() != "solvers_test.asking: in step 3: why" ||
		!errors.Is(err, cause) || errors.Is(err, solvers.ErrUnsupported) {
		t.Errorf("the fault is %v, want one with the name, the step and the cause", err)
	}
	if err := solvers.Missing(&asking{check: cause}, plainRisk(models.Hinge(), nil)); !errors.Is(err, cause) {
		t.Errorf("Missing returns %v, want an error that wraps %v", err, cause)
	}
}

// contexts returns contexts by name: one that was stopped by the user, one that goes on, and nil.
func contexts() map[string]context.Context {
	stopped, stop := context.WithCancelCause(context.Background())
	stop(errors.New("stopped by the user"))
	return map[string]context.Context{"stopped": stopped, "on": context.Background(), "none": nil}
}
