package deptree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// withColumns returns the sentences with other names for the columns of words and tags, and with a further column of
// coarse tags, the first letters of the tags, if a third name is given.
func withColumns(s *datasets.Sentences, names ...string) *datasets.Sentences {
	out := *s
	out.Columns = slices.Clone(s.Columns)
	for i, name := range names[:2] {
		out.Columns[i].Name = name
	}
	if len(names) > 2 {
		c := datasets.Column{Name: names[2]}
		var number []int32
		for _, text := range s.Columns[1].Text {
			at := slices.Index(c.Text, text[:1])
			if at < 0 {
				at, c.Text = len(c.Text), append(c.Text, text[:1])
			}
			number = append(number, int32(at))
		}
		for _, id := range s.Columns[1].ID {
			c.ID = append(c.ID, number[id])
		}
		out.Columns = append(out.Columns, c)
	}
	return &out
}

// named computes the features of an arc by name, from table 1 of McDonald, Crammer and Pereira: the words w, tags p and
// coarse tags c of the head h and the modifier m. Position 0 is the root; − is outside the sentence.
func named(word, tag, coarse []string, h, m int, once bool) map[string]float64 {
	at := func(list []string, i int) string {
		if i < 0 || i >= len(list) {
			return "−"
		}
		return list[i]
	}
	out := map[string]float64{}
	side, length := "right", m-h
	if length < 0 {
		side, length = "left", -length
	}
	bucket := fmt.Sprint(length)
	if length > 10 {
		bucket = "more than 10"
	} else if length > 5 {
		bucket = "6 to 10"
	}
	add := func(name string, by float64) {
		out[name] += by
		out[name+" "+side+" "+bucket] += by
	}
	field := func(letter, place string) string {
		list := map[string][]string{"w": word, "p": tag, "c": coarse}[letter]
		i := map[string]int{"h": h, "m": m, "h-": h - 1, "h+": h + 1, "m-": m - 1, "m+": m + 1}[place]
		return letter + place + "=" + at(list, i)
	}
	templates := []string{"wh", "wm", "wh wm", "ph", "pm", "ph pm", "wh ph", "wm pm", "wh ph wm pm", "ph wm pm",
		"wh wm pm", "wh ph pm", "wh ph wm",
		"ph ph+ pm- pm", "ph- ph pm- pm", "ph ph+ pm pm+", "ph- ph pm pm+", "ph ph+ pm", "ph- ph pm", "ph pm- pm",
		"ph pm pm+"}
	for _, template := range templates {
		for _, letter := range []string{"p", "c"} {
			if letter == "c" && (coarse == nil || !strings.Contains(template, "p")) {
				continue
			}
			var name []string
			for _, f := range strings.Fields(template) {
				l := f[:1]
				if l == "p" {
					l = letter
				}
				name = append(name, field(l, f[1:]))
			}
			add(letter+": "+strings.Join(name, " "), 1)
		}
	}
	between := map[string]bool{}
	for i := min(h, m) + 1; i < max(h, m); i++ {
		if !between[tag[i]] || !once {
			add("between "+field("p", "h")+" "+tag[i]+" "+field("p", "m"), 1)
		}
		between[tag[i]] = true
	}
	return out
}

// TestArcFeatures compares the inner products of the features of all arcs of two sentences, one of them with arcs of
// all lengths, with inner products of named features, and also the number of features.
func TestArcFeatures(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test compares thousands of features")
	}
	text := examples.Dependencies("a/Na/0 b/Vb/1 a/Na/1 c/Nb/1 a/Vb/1 d/Va/1 b/Vb/1 a/Na/1 a/Nb/1 c/Vb/1 e/Na/1 "+
		"a/Vb/1 b/Na/1", "b/Vb/2 a/Nb/0 c/Nb/2")
	for _, once := range []bool{false, true} {
		for _, withCoarse := range []bool{false, true} {
			data, m := text, changed(func(m *deptree.Model) {})
			if withCoarse {
				data = withColumns(text, "word", "pos", "cpos")
			}
			if once {
				m.Between = "once"
			}
			task := examples.Build(t, m, data, nil)
			var want []map[string]float64
			var got []map[int]float64
			distinct := map[string]bool{}
			for i := range task.Train {
				column := func(c int) []string {
					if c >= len(data.Columns) {
						return nil
					}
					list := []string{"root"}
					for _, id := range data.Columns[c].ID[data.Start[i]:data.Start[i+1]] {
						list = append(list, data.Columns[c].Text[id])
					}
					return list
				}
				l := data.Start[i+1] - data.Start[i]
				for part := range l * l {
					mod, head := part/l+1, part%l
					if head >= mod {
						head++
					}
					own := named(column(0), column(1), column(2), head, mod, once)
					for name := range own {
						distinct[name] = true
					}
					want = append(want, own)
					w, f := make([]float64, task.Dim()), map[int]float64{}
					task.Train[i].Features.(models.SparseMap).Add(w, 1, models.Vertex{part})
					for j, x := range w {
						if x != 0 {
							f[j] = x
						}
					}
					got = append(got, f)
				}
			}
			if task.Dim() != len(distinct) {
				t.Errorf("once %v, coarse %v: %d features, want %d", once, withCoarse, task.Dim(), len(distinct))
			}
			for a := range want {
				for b := range a + 1 {
					if x, y := inner(got[a], got[b]), inner(want[a], want[b]); x != y {
						t.Fatalf("once %v, coarse %v: inner product of arcs %d and %d = %v, want %v", once, withCoarse, a, b, x, y)
					}
				}
			}
		}
	}
}

func inner[K comparable](a, b map[K]float64) (sum float64) {
	for k, x := range a {
		sum += x * b[k]
	}
	return sum
}

// TestTagColumns checks which columns are tags and coarse tags, from the names of the columns.
func TestTagColumns(t *testing.T) {
	score := func(names ...string) (int, []float64) {
		task := examples.Build(t, plain, withColumns(examples.Dependencies("a/Na/2 b/Vb/0 c/Nb/2 a/Vb/3"), names...), nil)
		w, theta := examples.Weights(1, task.Dim()), make([]float64, 16)
		task.Train[0].Features.Score(theta, w)
		return task.Dim(), theta
	}
	for _, c := range [][2]string{
		{"word xpos", "word pos"}, {"word upos", "word pos"}, {"word cpos", "word pos"}, {"word pos other", "word pos"},
		{"word xpos upos", "word pos cpos"}, {"word pos upos", "word pos cpos"}, {"word xpos cpos", "word pos cpos"},
		{"word pos xpos", "word pos"}, {"word upos cpos", "word pos cpos"},
	} {
		dim, theta := score(strings.Fields(c[0])...)
		wantDim, want := score(strings.Fields(c[1])...)
		if dim != wantDim || !slices.Equal(theta, want) {
			t.Errorf("columns %s: %d features, want %d with the same scores as columns %s", c[0], dim, wantDim, c[1])
		}
	}
}

// TestRestoredParses checks that a restored model gives sentences, also with words and tags that the training data
// lack, the scores, marginals and trees of the task's validation examples, that it writes their true heads, and that
// its choices are the heads.
func TestRestoredParses(t *testing.T) {
	train, held := sample(), examples.Dependencies("the/D/2 dog/N/3 barks/V/0", "x/D/2 dogs/Y/0", "go/V/0",
		"a/D/2 cat/N/0 ,/F/2 the/D/5 dog/N/2 sees/V/0")
	for i := range train.Columns { // both number their texts in the same way
		text := slices.Clone(train.Columns[i].Text)
		for at, id := range held.Columns[i].ID {
			word := held.Columns[i].Text[id]
			n := slices.Index(text, word)
			if n < 0 {
				n, text = len(text), append(text, word)
			}
			held.Columns[i].ID[at] = int32(n)
		}
		held.Columns[i].Text = text
	}
	names := []string{"word", "pos", "cpos"}
	for _, m := range []deptree.Model{plain, changed(func(m *deptree.Model) { m.Roots = "multi" }),
		changed(func(m *deptree.Model) { m.Between, m.Arcs = "once", "gold" }),
		changed(func(m *deptree.Model) { m.Cutoff, m.Roots = 2, "multi" })} {
		for _, n := range []int{2, 3} {
			task := examples.Build(t, m, withColumns(train, names[:n]...), withColumns(held, names[:n]...))
			d := examples.Restored(t, m, task)
			if d.Target() != datasets.Heads {
				t.Fatalf("%+v: target %q, want %q", m, d.Target(), datasets.Heads)
			}
			w := examples.Weights(4, task.Dim())
			for i := range task.Validation {
				one := withColumns(held, names[:n]...).Pick([]int{i})
				e, err := d.Example(one)
				if err != nil {
					t.Fatal(err)
				}
				want := &task.Validation[i]
				l := len(want.Truth)
				a, b := make([]float64, l*l), make([]float64, l*l)
				want.Features.Score(a, w)
				e.Features.Score(b, w)
				x, _ := want.Predict(nil, a)
				y, _ := e.Predict(nil, b)
				if !slices.Equal(a, b) || !x.Equal(y) || want.Exp.LogSum(nil, a) != e.Exp.LogSum(nil, b) {
					t.Fatalf("%+v, sentence %d: tree %v with scores %v, want %v with %v", m, i, y, b, x, a)
				}
				out := d.Output(one, e, want.Truth).(*datasets.Sentences)
				if !slices.Equal(out.Heads, one.Heads) || !slices.Equal(out.Start, one.Start) {
					t.Errorf("sentence %d: heads %v, want %v", i, out.Heads, one.Heads)
				}
				c := d.(models.Chooser).Choices(e)
				if c.Places != l || len(c.Labels) != l+1 || c.Labels[0] != "0" || c.Labels[l] != fmt.Sprint(l) {
					t.Errorf("%d choices among %q for %d words", c.Places, c.Labels, l)
				}
				for place, head := range one.Heads {
					if c.Part(place, int(head)) != want.Truth[place] || c.Part(place, place+1) != -1 {
						t.Errorf("sentence %d: part of the head of word %d = %d, want %d", i, place+1, c.Part(place, int(head)),
							want.Truth[place])
					}
				}
			}
			if _, err := d.Example(held); err == nil {
				t.Error("the decoder accepts several sentences")
			}
			if _, err := d.Example(withColumns(held, "form", "pos").Pick([]int{0})); err == nil ||
				!strings.Contains(err.Error(), `no column "word"`) {
				t.Errorf("sentences without words: error %v", err)
			}
		}
	}
	for text, want := range map[string]string{
		`{"keys": "AAAA"}`:                     "3 bytes",
		`{"keys": "AQAAAAAAAAABAAAAAAAAAA=="}`: "a feature occurs twice",
		`{"keys": 7}`:                          "",
	} {
		if _, err := plain.Restore([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("vocabulary %s: error %v, want %q", text, err, want)
		}
	}
}

// TestEmptySentences checks that training sentences need words, and that validation data must have heads.
func TestEmptySentences(t *testing.T) {
	empty := sample()
	empty.Start = append(empty.Start, empty.Start[len(empty.Start)-1])
	_, err := plain.Build(empty, nil)
	examples.Refused(t, "an empty sentence", err, "training sentence 5 has no words")
	headless := sample()
	headless.Heads = nil
	_, err = plain.Build(sample(), headless)
	examples.Refused(t, "no heads", err, "the validation data have sentences without a column named head")
	for _, roots := range []string{"single", "multi"} {
		m := changed(func(m *deptree.Model) { m.Roots = roots })
		_, err = m.Build(examples.Dependencies("a/X/3 b/X/0 c/X/4 d/X/2"), nil)
		examples.Refused(t, roots, err, "sentence 1 is not projective")
	}
}
