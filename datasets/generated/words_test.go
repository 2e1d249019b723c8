package generated

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

func TestWordsAreOfTheList(t *testing.T) {
	list := wordList()
	for _, most := range []int{3, 7, 14} {
		train, _ := sample[*datasets.Sequences](t, Words{Train: 500, MaxLetters: most, Seed: 2})
		longest := 0
		for i := range train.Len() {
			var word strings.Builder
			for _, y := range train.Y[train.Start[i]:train.Start[i+1]] {
				word.WriteString(train.Labels[y])
			}
			longest = max(longest, word.Len())
			if !slices.Contains(list, word.String()) {
				t.Fatalf("generated word %q is not in wordList", word.String())
			}
		}
		if longest != most {
			t.Errorf("max_letters %d: the longest word has %d letters, want max_letters", most, longest)
		}
	}
	if slices.Sort(list); len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Error("wordList has a word twice, want different words")
	}
}

// TestWordsResembleOCRLetters checks that the words resemble the OCR letters: the size of images, pixels with the value
// 1 of which about a quarter are black (OCR letters: 22 %), all 26 letters with none very rare or dominant, and a mean
// length of about 7.5 letters.
func TestWordsResembleOCRLetters(t *testing.T) {
	train, _ := sample[*datasets.Sequences](t, Words{Train: 2000, MaxLetters: 14, Seed: 1})
	if train.X.Dim != 128 || strings.Join(train.Labels, "") != "abcdefghijklmnopqrstuvwxyz" {
		t.Errorf("%d features, labels %q; want 128, a to z", train.X.Dim, train.Labels)
	}
	for _, v := range train.X.Value {
		if v != 1 {
			t.Fatalf("a pixel is %v, want 1", v)
		}
	}
	letters := float64(len(train.Y))
	if black := float64(len(train.X.Value)) / (128 * letters); black < .2 || black > .32 {
		t.Errorf("%.3f of the pixels are black, want 0.20 to 0.32", black)
	}
	if mean := letters / 2000; mean < 7 || mean > 8 {
		t.Errorf("mean length %.2f, want 7 to 8", mean)
	}
	count := make([]int, 26)
	for _, y := range train.Y {
		count[y]++
	}
	if least, most := float64(slices.Min(count))/letters, float64(slices.Max(count))/letters; least < .005 || most > .15 {
		t.Errorf("shares of letters from %.4f to %.3f, want 0.005 to 0.15", least, most)
	}
}

// TestLettersLookLikeTheirGlyphs checks that the mean image of a letter is closest to its own glyph, upright and not
// mirrored.
func TestLettersLookLikeTheirGlyphs(t *testing.T) {
	train, _ := sample[*datasets.Sequences](t, Words{Train: 3000, MaxLetters: 14, Seed: 3})
	var mean, glyph [26][128]float64
	for i, y := range train.Y {
		index, _ := train.X.Row(i)
		for _, j := range index {
			mean[y][j]++
		}
	}
	glyphs := letterGlyphs()
	for c := range glyphs {
		for j := range 128 {
			glyph[c][j] = glyphs[c].grey(2+5.6/8*(float64(j%8)-3.5), 3+7./16*(float64(j/8)-7.5))
		}
	}
	for c := range mean {
		best, at := -1., 0
		for d := range glyph {
			if r := correlation(mean[c][:], glyph[d][:]); r > best {
				best, at = r, d
			}
		}
		if at != c || best < .8 {
			t.Errorf("the mean image of %c is most like the glyph %c, with correlation %.2f; want %[1]c, at least 0.8", 'a'+c,
				'a'+at, best)
		}
	}
}

func correlation(a, b []float64) float64 {
	var sa, sb, aa, bb, ab float64
	for i := range a {
		sa, sb = sa+a[i], sb+b[i]
		aa, bb, ab = aa+a[i]*a[i], bb+b[i]*b[i], ab+a[i]*b[i]
	}
	n := float64(len(a))
	return (ab - sa*sb/n) / math.Sqrt((aa-sa*sa/n)*(bb-sb*sb/n))
}

// TestNeighboursHelpToReadWords checks that the data are suited to chain models. A model with independent pixels must
// have a clearly lower error if it also uses the frequencies of letter pairs. Without and with pairs, the error must
// not be 0.
func TestNeighboursHelpToReadWords(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test draws many words")
	}
	train, validation := sample[*datasets.Sequences](t, Words{Train: 400, Validation: 300, MaxLetters: 14, Seed: 1})
	black, letters, pairs := [26][128]float64{}, [26]float64{}, [26][26]float64{}
	for i := range train.Len() {
		for p := train.Start[i]; p < train.Start[i+1]; p++ {
			y := train.Y[p]
			letters[y]++
			index, _ := train.X.Row(p)
			for _, j := range index {
				black[y][j]++
			}
			if p > train.Start[i] {
				pairs[train.Y[p-1]][y]++
			}
		}
	}
	score := func(p int) (s [26]float64) {
		index, _ := validation.X.Row(p)
		for y := range s {
			for j := range 128 {
				q := (black[y][j] + .5) / (letters[y] + 1)
				if _, on := slices.BinarySearch(index, int32(j)); !on {
					q = 1 - q
				}
				s[y] += math.Log(q)
			}
		}
		return s
	}
	errors := func(weight float64) float64 {
		wrong := 0
		for i := range validation.Len() {
			first, end := validation.Start[i], validation.Start[i+1]
			best := make([][26]float64, end-first)
			from := make([][26]int, end-first)
			for t := range best {
				best[t] = score(first + t)
				for y := range 26 {
					if t == 0 {
						continue
					}
					top := math.Inf(-1)
					for x := range 26 {
						if v := best[t-1][x] + weight*math.Log((pairs[x][y]+.1)/(letters[x]+2.6)); v > top {
							top, from[t][y] = v, x
						}
					}
					best[t][y] += top
				}
			}
			last := best[len(best)-1]
			y := slices.Index(last[:], slices.Max(last[:]))
			for t := len(best) - 1; t >= 0; t-- {
				if y != validation.Y[first+t] {
					wrong++
				}
				y = from[t][y]
			}
		}
		return float64(wrong) / float64(len(validation.Y))
	}
	alone, chain := errors(0), errors(3)
	t.Logf("error of single letters %.3f, of chains %.3f", alone, chain)
	if alone < .15 || alone > .4 || chain < .05 || chain > .7*alone {
		t.Errorf("error of single letters = %.3f, error of chains = %.3f; want 0.15 to 0.4, and 0.05 to 0.7 times the first",
			alone, chain)
	}
}
