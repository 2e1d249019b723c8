package deptree

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models/internal/alphabet"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestKnownFeatures checks, for several cutoffs, that arcKeys.known returns exactly those features from arcKeys.of that
// are in the alphabet, in the same order. It also checks that listedFeatures has the same scores, bit by bit, and the
// same adjoint as sharedFeatures.
func TestKnownFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	draw := func() (s arcTokens) {
		for _, column := range []*[]int32{&s.word, &s.tag, &s.coarse} {
			*column = []int32{tokenRoot}
		}
		for range 2 + rng.IntN(12) {
			s.word = append(s.word, tokenWords+rng.Int32N(30))
			s.tag = append(s.tag, tokenWords+rng.Int32N(4))
			s.coarse = append(s.coarse, tokenWords+rng.Int32N(2))
		}
		return s
	}
	some := 0
	for _, how := range []struct {
		cutoff       int
		coarse, once bool
	}{{1, true, false}, {2, true, true}, {3, false, false}, {5, true, false}} {
		counter := &alphabet.Counter{}
		batch, keys := alphabet.Batch{Into: counter}, newArcKeys(how.once, how.coarse)
		for range 20 {
			s := draw()
			eachArc(len(s.word)-1, func(h, m int) {
				if h != m-1 && rng.IntN(3) > 0 { // leave out two thirds of these arcs
					return
				}
				for _, key := range keys.of(&s, h, m) {
					batch.Add(key.hash)
				}
			})
		}
		batch.Flush()
		known := counter.Alphabet(how.cutoff)
		w := make([]float64, known.Len)
		for j := range w {
			w[j] = rng.NormFloat64()
		}
		pool := scratch.Pool[sharedScratch]{}
		for range 20 {
			s := draw()
			listed, builder := &listedFeatures{start: []int{0}, dim: known.Len}, newSharedBuilder(known.Len, &pool)
			eachArc(len(s.word)-1, func(h, m int) {
				var want []valued
				for _, key := range keys.of(&s, h, m) {
					if f, ok := known.Of(key.hash); ok {
						want = append(want, valued{f, key.value})
					}
				}
				got := keys.known(known, &s, h, m)
				if !slices.Equal(got, want) {
					t.Fatalf("%+v, arc %d → %d: known = %v, want %v", how, h, m, got, want)
				}
				for _, x := range got {
					builder.add(x.feature, x.value)
				}
				builder.endPart()
				listed.list = append(listed.list, got...)
				listed.start = append(listed.start, len(listed.list))
			})
			some += len(listed.list)
			shared := builder.finish()
			theta, want := make([]float64, listed.Parts()), make([]float64, shared.Parts())
			listed.Score(theta, w)
			shared.Score(want, w)
			if !slices.Equal(theta, want) {
				t.Fatalf("%+v: scores = %v, want %v", how, theta, want)
			}
			a, b := make([]float64, known.Len), make([]float64, known.Len)
			listed.AddAdjoint(a, 0.5, theta)
			shared.AddAdjoint(b, 0.5, theta)
			for j := range a {
				if d := a[j] - b[j]; d > 1e-12 || d < -1e-12 {
					t.Fatalf("%+v: weight %d = %v, want %v", how, j, a[j], b[j])
				}
			}
		}
	}
	if some < 1000 {
		t.Errorf("known features = %d, want at least 1000 for a useful test", some)
	}
}

// TestCutoffCountsArcs checks which features the model keeps: those that at least Cutoff arcs have, of the arcs of the
// training trees or of all arcs. An arc counts once for a tag that occurs several times between its ends.
func TestCutoffCountsArcs(t *testing.T) {
	s := examples.Dependencies("a/A/0 b/B/1 b/B/1 c/C/1 b/B/4", "c/C/4 b/B/1 b/B/1 a/A/0", "a/A/2 b/B/0")
	for _, m := range []Model{{Arcs: "gold", Between: "count"}, {Arcs: "gold", Between: "once"},
		{Arcs: "all", Between: "count"}, {Arcs: "all", Between: "once"}} {
		_, columns, err := m.sentences(s, "training")
		if err != nil {
			t.Fatal(err)
		}
		arcs, keys, tokens := map[uint64]int{}, newArcKeys(m.Between == "once", false), arcTokens{}
		for i := range s.Len() {
			columns.tokens(&tokens, s, i)
			heads := s.Heads[s.Start[i]:s.Start[i+1]]
			eachArc(len(heads), func(h, mod int) {
				if m.Arcs == "all" || int(heads[mod-1]) == h {
					for _, key := range keys.of(&tokens, h, mod) {
						arcs[key.hash]++
					}
				}
			})
		}
		for m.Cutoff = 1; m.Cutoff <= 4; m.Cutoff++ {
			known, kept := m.alphabet(s, columns), 0
			for key, n := range arcs {
				_, ok := known.Of(key)
				if ok {
					kept++
				}
				if ok != (n >= m.Cutoff) {
					t.Errorf("%+v: a feature of %d arcs is kept: %v", m, n, ok)
				}
			}
			if known.Len != kept {
				t.Errorf("%+v: %d features, of which %d are features of the arcs", m, known.Len, kept)
			}
		}
	}
}
