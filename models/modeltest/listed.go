package modeltest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// CheckList runs Check for every model of a list, with the default settings, on each data set of examples.All that the
// model accepts. A model that needs a base is built on the tasks of the other models. CheckList also compares the entry
// of each model with its tasks: the name, the metrics, the oracles that the losses need, and whether saved weights can
// be restored.
func CheckList(t testing.TB, list []models.Entry) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range list {
		if e.Name == "" || e.About == "" || seen[e.Name] {
			t.Errorf("entry %q: want a Name that no other entry has, and an About text", e.Name)
		}
		seen[e.Name] = true
	}
	data := examples.All(t)
	bases := slices.Concat(plain(list, data)...)
	for n := len(bases); len(bases) < 10*n; { // add models that need a base, until there are no new ones
		var higher []listed
		for _, e := range list {
			if !slices.ContainsFunc(bases, func(b listed) bool { return b.entry.Name == e.Name }) {
				tasks, _ := extend(e, bases)
				higher = append(higher, tasks...)
			}
		}
		if len(higher) == 0 {
			break
		}
		bases = append(bases, higher...)
	}
	for _, d := range data {
		if !slices.ContainsFunc(bases, func(b listed) bool { return b.data.Name == d.Name }) {
			t.Errorf("no model of the list accepts the data set %s of examples.All", d.Name)
		}
	}
	for _, e := range list {
		run(t, e.Name, func(t testing.TB) { checkEntry(t, e, data, bases) })
	}
}

// listed is a task of a listed model.
type listed struct {
	entry models.Entry
	data  examples.Data
	below *listed // the task that is the base of this one; nil: there is none
	name  string
	task  *models.Task
}

// plain builds the tasks of the models that need no base. It returns one slice per model of the list.
func plain(list []models.Entry, data []examples.Data) (tasks [][]listed) {
	for _, e := range list {
		of, _ := build(e, data)
		tasks = append(tasks, of)
	}
	return tasks
}

// build returns the tasks of a model for the data sets that it accepts, and the error messages for the other data sets.
func build(e models.Entry, data []examples.Data) (tasks []listed, refused []string) {
	for _, d := range data {
		task, err := e.New().Build(d.Train, d.Validation)
		if err != nil {
			refused = append(refused, fmt.Sprintf("%s: %v", d.Name, err))
			continue
		}
		tasks = append(tasks, listed{e, d, nil, d.Name, task})
	}
	return tasks, refused
}

// extend returns the tasks of a model that uses the given tasks, with random weights, as its bases, and the error
// messages for the bases that it does not accept.
func extend(e models.Entry, bases []listed) (tasks []listed, refused []string) {
	m, ok := e.New().(models.Extender)
	if !ok {
		return nil, nil
	}
	for i, b := range bases {
		w := examples.Weights(uint64(i), b.task.Dim())
		task, err := m.Extend(b.task, w, b.data.Train, b.data.Validation)
		name := fmt.Sprintf("%s on %s", b.entry.Name, b.name)
		if err != nil {
			refused = append(refused, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		tasks = append(tasks, listed{e, b.data, &bases[i], name, task})
	}
	return tasks, refused
}

// checkEntry checks all tasks of one model.
func checkEntry(t testing.TB, e models.Entry, data []examples.Data, bases []listed) {
	t.Helper()
	if e.Revision < 1 {
		t.Errorf("entry %s: Revision is %d: want 1 or more", e.Name, e.Revision)
	}
	for _, loss := range e.Losses {
		if _, ok := models.LossNamed(loss); !ok {
			t.Errorf("entry %s: lists the loss %q, which LossNamed does not know", e.Name, loss)
		}
	}
	if v := reflect.ValueOf(e.New()); v.Kind() != reflect.Pointer || v.Elem().Type().Size() > 0 && e.New() == e.New() {
		t.Fatalf("entry %s: want each call of New to return a pointer to separate settings", e.Name)
	}
	if _, ok := e.New().(models.Restorer); ok != (e.NotRestored == "") {
		t.Errorf("entry %s: the model is a Restorer: %v, and NotRestored is %q: want a Restorer or a reason, not both",
			e.Name, ok, e.NotRestored)
	}
	tasks, refused := build(e, data)
	more, others := extend(e, slices.DeleteFunc(slices.Clone(bases),
		func(b listed) bool { return b.entry.Name == e.Name }))
	tasks = append(tasks, more...)
	if len(tasks) == 0 {
		t.Fatalf("model %s accepts none of the data sets of modeltest/examples: add a data set of its kind to "+
			"examples.All.\n%s",
			e.Name, strings.Join(append(refused, others...), "\n"))
	}
	reported := map[string]bool{}
	for _, x := range tasks {
		run(t, x.name, func(t testing.TB) {
			x.facts(t)
			x.restored(t)
			for _, m := range x.task.Metrics {
				reported[m.Name] = true
			}
			x.check(t)
		})
	}
	for _, name := range e.Metrics {
		if !reported[name] {
			t.Errorf("the list says that model %s reports %s, but none of its tasks does", e.Name, name)
		}
	}
}

// directions checks the list larger, the metrics whose larger values are better. For the true labellings of the
// validation examples, a metric of this list must be 1, and any other metric must be 0.
func (x listed) directions(t testing.TB, larger []string) {
	t.Helper()
	for _, m := range x.task.Metrics {
		var num, den float64
		for i := range x.task.Validation {
			e := &x.task.Validation[i]
			if m.Certified || e.Truth == nil {
				break
			}
			a, b := m.Of(e.Truth, e)
			num, den = num+a, den+b
		}
		if den == 0 { // the data have nothing that the metric counts
			continue
		}
		want := 0.0
		if slices.Contains(larger, m.Name) {
			want = 1
		}
		if num/den != want {
			t.Errorf("%s of the true labellings is %v, want %v, because the entry's list of metrics whose larger values are "+
				"better is %v", m.Name, num/den, want, larger)
		}
	}
}

// facts compares the entry of a model with a task. A model may return the task of its base. Such a task has the name of
// the base.
func (x listed) facts(t testing.TB) {
	t.Helper()
	entry := x.entry
	for below := x.below; below != nil && x.task.Model == below.task.Model; below = below.below {
		entry = below.entry
	}
	if x.task.Model != entry.Name {
		t.Errorf("Task.Model is %q, but the list calls the model %q", x.task.Model, entry.Name)
	}
	for _, m := range x.task.Metrics {
		if !slices.Contains(entry.Metrics, m.Name) {
			t.Errorf("the task reports %s, but the list says that model %s reports %v", m.Name, entry.Name, entry.Metrics)
		}
	}
	x.directions(t, entry.Larger)
	for name, v := range x.task.Facts {
		if !finite(v) {
			t.Errorf("fact %s of the task is %v: want a finite number", name, v)
		}
		if !slices.Contains(entry.Facts, name) {
			t.Errorf("the task has the fact %s, but the list says that model %s has %v", name, entry.Name, entry.Facts)
		}
	}
	if _, free := x.task.Unknowns.(*models.Distributions); free != entry.Free {
		t.Errorf("the list says Free: %v; want %v, because Free is true if Task.Unknowns is a *models.Distributions",
			entry.Free, free)
	}
	for i := range x.task.Train {
		e := &x.task.Train[i]
		for _, loss := range entry.Losses {
			missing := ""
			switch {
			case loss == "log" && e.Exp == nil:
				missing = "an exp-oracle"
			case loss == "slack" && e.Slack == nil && !(e.ZeroOne > 0 && e.Second != nil):
				missing = "an oracle for slack rescaling, or a 0/1 loss and a second-best oracle"
			case loss == "hinge" && e.ZeroOne > 0 && e.Second == nil:
				missing = "a second-best oracle for its 0/1 loss"
			}
			if missing != "" {
				t.Fatalf("train[%d]: the list says that model %s has the loss %s, which needs %s", i, entry.Name, loss, missing)
			}
		}
	}
}

// restored checks that a Restorer accepts the vocabulary of its task.
func (x listed) restored(t testing.TB) {
	t.Helper()
	m, ok := x.entry.New().(models.Restorer)
	if !ok {
		return
	}
	if x.task.Vocabulary == nil {
		t.Fatalf("model %s can be restored, but its task has no Vocabulary", x.entry.Name)
	}
	text, err := json.Marshal(x.task.Vocabulary())
	if err != nil {
		t.Fatalf("the vocabulary cannot be encoded as JSON: %v", err)
	}
	decoder, err := m.Restore(text)
	if err != nil {
		t.Fatalf("Restore does not accept the vocabulary of the task: %v", err)
	}
	if n := decoder.Dim(); n != x.task.Dim() {
		t.Errorf("the restored model has %d weights, but the task has %d", n, x.task.Dim())
	} else {
		x.decodes(t, decoder)
	}
}

// check runs Check for a task. Its labellings must have one of the structures of the data set.
func (x listed) check(t testing.TB) {
	t.Helper()
	var below []models.Example
	for _, list := range [][]models.Example{x.task.Train, x.task.Validation} {
		for i := range list {
			below = append(below, *base(&list[i]))
		}
	}
	s, ok := examples.Of(x.data.Structures, below)
	if !ok {
		var names []string
		for _, s := range x.data.Structures {
			names = append(names, s.Name)
		}
		t.Fatalf("the labellings of model %s on %s have none of the structures in modeltest/examples for these data "+
			"(%[5]s), "+"as train[0] has %[3]d parts and the truth %[4]v: add a Structure", x.entry.Name, x.name,
			x.task.Train[0].Features.Parts(), x.task.Train[0].Truth, strings.Join(names, ", "))
	}
	var opts []Option
	if s.AnyTies {
		opts = append(opts, AnyTies())
	}
	if s.CountCosts {
		opts = append(opts, CountCosts())
	}
	labellings := func(e *models.Example) []models.Vertex { return s.Labellings(base(e)) }
	if slices.Contains(x.entry.Losses, "hinge") && !weightsOf(x.task).Inexact {
		e := &x.task.Train[0]
		if !slices.ContainsFunc(labellings(e), func(y models.Vertex) bool { return e.LabelLoss(y) > 0 }) {
			t.Errorf("train[0]: every labelling has the label loss 0: want a positive one for the hinge loss")
		}
	}
	Check(t, x.task, labellings, opts...)
}

// base returns a copy of an example of a model that extends another model. The copy has the feature map of the model
// that extends no other model, and its truth has only the parts of that model.
func base(e *models.Example) *models.Example {
	b := *e
	b.Features = models.BaseFeatures(e.Features)
	b.Truth = slices.Clone(b.Truth)
	n := b.Features.Parts()
	b.Truth = slices.DeleteFunc(b.Truth, func(r int) bool { return r >= n })
	return &b
}
