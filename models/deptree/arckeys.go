package deptree

import (
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/internal/alphabet"
)

// The features of an arc head → modifier are the first-order features of McDonald, Crammer and Pereira (2005), table 1:
// words and tags of both ends and their conjunctions, the tags of the ends with the tag of one neighbour of each end,
// and the tags between the ends. As in their parser, there are also the tags of the ends with one neighbour only. If
// the data have coarse tags, each template with tags is used a second time with coarse tags, except the template of the
// tags between the ends. Each template is used once alone and once with the direction and the bucketed length of the
// arc. The value of a feature is 0 or 1, except for a tag between the ends. Its value is the number of its occurrences
// there, as in their parser, or 1 if the setting between is "once".

// arcField is a field of a template: a word, a tag or a coarse tag at an end of the arc, or a tag or coarse tag beside
// an end.
type arcField uint8

const (
	headWord arcField = iota
	modWord
	headTag
	modTag
	headTagBefore // tag of the token before the head
	headTagAfter
	modTagBefore
	modTagAfter
	coarse // coarse + f is the field f with coarse tags, for each tag field f

	arcFields = coarse + modTagAfter + 1 // number of fields of an arc
)

// arcTemplates returns the templates, each a conjunction of fields. If there are coarse tags, each template with tags
// also occurs with coarse tags instead.
func arcTemplates(withCoarse bool) [][]arcField {
	fine := [][]arcField{
		{headTag}, {modTag}, {headTag, modTag},
		{headWord, headTag}, {modWord, modTag},
		{headWord, headTag, modWord, modTag},
		{headTag, modWord, modTag}, {headWord, modWord, modTag},
		{headWord, headTag, modTag}, {headWord, headTag, modWord},

		{headTag, headTagAfter, modTagBefore, modTag},
		{headTagBefore, headTag, modTagBefore, modTag},
		{headTag, headTagAfter, modTag, modTagAfter},
		{headTagBefore, headTag, modTag, modTagAfter},
		{headTag, headTagAfter, modTag}, {headTagBefore, headTag, modTag},
		{headTag, modTagBefore, modTag}, {headTag, modTag, modTagAfter},
	}
	out := append([][]arcField{{headWord}, {modWord}, {headWord, modWord}}, fine...)
	if !withCoarse {
		return out
	}
	for _, template := range fine {
		var c []arcField
		for _, f := range template {
			if f >= headTag {
				f += coarse
			}
			c = append(c, f)
		}
		out = append(out, c)
	}
	return out
}

// Token ids. The ids below tokenWords mark positions without a token of the data.
const (
	tokenRoot  int32 = iota // the root, position 0
	tokenNone               // outside the sentence
	tokenWords              // ids of the data begin here
)

// arcTokens has the words, tags and coarse tags of one sentence as ids. Position 0 is the root, and positions 1 .. l
// are the words.
type arcTokens struct {
	word, tag, coarse []int32
}

// arcKeys computes the features of arcs. It may be used by one goroutine at a time. Creating an arcKeys costs little
// time.
type arcKeys struct {
	templates [][]arcField
	once      bool     // count a tag between the ends once, even if it occurs several times there
	times     []int32  // by tag id: how often the tag occurs between the ends
	between   []int32  // the tags that occur between the ends
	keys      []arcKey // memory for the results of the method arcKeys.of

	order  []int      // the templates, sorted by their numbers of fields
	within [][]int    // for each template: the templates whose fields are a proper subset of its fields
	number [][2]int32 // for each template: its feature without and with the arc's length; −1: not in the alphabet
	found  []valued   // memory for the results of the method arcKeys.known
}

// arcKey is a feature of an arc, given by its key, and its value.
type arcKey struct {
	hash  uint64
	value int32
}

func newArcKeys(once, withCoarse bool) *arcKeys {
	a := &arcKeys{templates: arcTemplates(withCoarse), once: once}
	a.number = make([][2]int32, len(a.templates))
	for i, template := range a.templates {
		var within []int
		for j, other := range a.templates {
			if len(other) < len(template) && !slices.ContainsFunc(other, func(f arcField) bool {
				return !slices.Contains(template, f)
			}) {
				within = append(within, j)
			}
		}
		a.order, a.within = append(a.order, i), append(a.within, within)
	}
	slices.SortStableFunc(a.order, func(i, j int) int { return len(a.templates[i]) - len(a.templates[j]) })
	return a
}

// of returns the features of the arc head → mod. The result is valid until the next call. A key is a 64-bit hash of the
// template, its fields, the direction and the length. The probability that any two of 10⁷ features have the same key is
// below 10⁻⁵.
func (a *arcKeys) of(t *arcTokens, head, mod int) []arcKey {
	field, length := fieldsOf(t, head, mod), arcLength(head, mod)
	a.keys = a.keys[:0]
	for i := range a.templates {
		key := a.key(i, &field)
		a.keys = append(a.keys, arcKey{key, 1}, arcKey{mix(key ^ length), 1})
	}
	a.inBetween(t, head, mod)
	ends := a.ends(&field)
	for _, tag := range a.between {
		key := mix(ends ^ uint64(tag))
		a.keys = append(a.keys, arcKey{key, a.times[tag]}, arcKey{mix(key ^ length), a.times[tag]})
	}
	return a.keys
}

// known returns the features of the arc that are in the alphabet, in the order in which arcKeys.of lists them. The
// result is valid until the next call. The alphabet has all features that occur at least as often as the cutoff. If a
// conjunction is not in the alphabet, then neither its version with the length nor any larger conjunction that contains
// it is in the alphabet. So known does not look these up.
func (a *arcKeys) known(of *alphabet.Alphabet, t *arcTokens, head, mod int) []valued {
	field, length := fieldsOf(t, head, mod), arcLength(head, mod)
	for _, i := range a.order {
		a.number[i] = [2]int32{-1, -1}
		alone, long := true, true
		for _, j := range a.within[i] {
			alone, long = alone && a.number[j][0] >= 0, long && a.number[j][1] >= 0
		}
		if alone {
			a.number[i] = look(of, a.key(i, &field), length, long)
		}
	}
	a.found = a.found[:0]
	keep := func(number [2]int32, value int32) {
		for _, f := range number {
			if f >= 0 {
				a.found = append(a.found, valued{f, value})
			}
		}
	}
	for _, number := range a.number {
		keep(number, 1)
	}
	a.inBetween(t, head, mod)
	ends := a.ends(&field)
	for _, tag := range a.between {
		keep(look(of, mix(ends^uint64(tag)), length, true), a.times[tag])
	}
	return a.found
}

// look looks up a key in an alphabet and, if long is true, also the key with the length. It returns both features, −1
// for a key that is not in the alphabet or not looked up.
func look(of *alphabet.Alphabet, key, length uint64, long bool) [2]int32 {
	alone, ok := of.Of(key)
	if !ok {
		return [2]int32{-1, -1}
	}
	if long {
		if f, ok := of.Of(mix(key ^ length)); ok {
			return [2]int32{alone, f}
		}
	}
	return [2]int32{alone, -1}
}

// key returns the key of a template with these values of the fields, without the length of the arc.
func (a *arcKeys) key(template int, field *[arcFields]int32) uint64 {
	key := mix(uint64(template) + 1)
	for _, f := range a.templates[template] {
		key = mix(key ^ uint64(field[f]))
	}
	return key
}

// ends returns the hash of the tags at both ends of the arc. The keys of the tags between the ends are computed from
// this hash.
func (a *arcKeys) ends(field *[arcFields]int32) uint64 {
	return mix(mix(mix(uint64(len(a.templates))+1)^uint64(field[headTag])) ^ uint64(field[modTag]))
}

// fieldsOf returns the values of all fields for an arc.
func fieldsOf(t *arcTokens, head, mod int) [arcFields]int32 {
	at := func(column []int32, i int) int32 {
		if i < 0 || i >= len(column) {
			return tokenNone
		}
		return column[i]
	}
	field := [arcFields]int32{headWord: t.word[head], modWord: t.word[mod]}
	tags := func(column []int32, shift arcField) {
		field[headTag+shift], field[modTag+shift] = column[head], column[mod]
		field[headTagBefore+shift], field[headTagAfter+shift] = at(column, head-1), at(column, head+1)
		field[modTagBefore+shift], field[modTagAfter+shift] = at(column, mod-1), at(column, mod+1)
	}
	tags(t.tag, 0)
	tags(t.coarse, coarse)
	return field
}

// inBetween counts the tags strictly between head and mod, in a.times.
func (a *arcKeys) inBetween(t *arcTokens, head, mod int) {
	for _, tag := range a.between {
		a.times[tag] = 0
	}
	a.between = a.between[:0]
	for i := min(head, mod) + 1; i < max(head, mod); i++ {
		tag := t.tag[i]
		for int(tag) >= len(a.times) {
			a.times = append(a.times, 0)
		}
		if a.times[tag] == 0 {
			a.between = append(a.between, tag)
		}
		if a.times[tag] == 0 || !a.once {
			a.times[tag]++
		}
	}
}

// arcLength returns the direction and the bucketed length of an arc as one number, which differs from every token id.
// The buckets are 1, 2, 3, 4, 5, 6 to 10, and more than 10.
func arcLength(head, mod int) uint64 {
	length, side := mod-head, uint64(1)<<40
	if length < 0 {
		length, side = -length, uint64(2)<<40
	}
	switch {
	case length > 10:
		length = 7
	case length > 5:
		length = 6
	}
	return side | uint64(length)<<44
}

// mix applies the finaliser of the SplitMix64 generator (Steele, Lea and Flood 2014). It is a bijection in which every
// input bit affects all output bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// treeColumns has the columns that the features use. If the data have no coarse tags, coarse is the same column as tag.
type treeColumns struct {
	word, tag, coarse *datasets.Column
}

func (c treeColumns) haveCoarse() bool { return c.coarse != c.tag }

// tokens fills t with the ids of sentence i.
func (c treeColumns) tokens(t *arcTokens, s *datasets.Sentences, i int) {
	fill := func(to []int32, column *datasets.Column) []int32 {
		to = append(to[:0], tokenRoot)
		for _, id := range column.ID[s.Start[i]:s.Start[i+1]] {
			to = append(to, id+tokenWords)
		}
		return to
	}
	t.word, t.tag, t.coarse = fill(t.word, c.word), fill(t.tag, c.tag), fill(t.coarse, c.coarse)
}

// punctuation returns, for each token of sentence i, whether it consists of punctuation only.
func (c treeColumns) punctuation(s *datasets.Sentences, i int) []bool {
	out := make([]bool, s.Start[i+1]-s.Start[i])
	for m := range out {
		out[m] = datasets.Punctuation(c.word.Text[c.word.ID[s.Start[i]+m]])
	}
	return out
}
