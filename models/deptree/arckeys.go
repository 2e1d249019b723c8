package deptree

import (
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/internal/alphabet"
)

// The features of an arc head → modifier are the first-order ones of McDonald, Crammer and Pereira (2005), table 1:
// words and tags of both ends and their conjunctions, the tags beside the ends with the back-offs to three tags of
// their parser, and the tags in between. If the data have coarse tags, each template with tags is used a second time
// with coarse tags, except that of the tags in between. Each template is used once alone and once with the direction
// and the bucketed length of the arc. A feature is 0 or 1, except for a tag in between, which counts as often as it
// occurs there, as in that parser, unless the setting between is once.

// arcField is one thing that a template looks at: a word, a tag or a coarse tag at an end of the arc, or a tag beside
// one.
type arcField uint8

const (
	headWord arcField = iota
	modWord
	headTag
	modTag
	headTagBefore // of the token before the head
	headTagAfter
	modTagBefore
	modTagAfter
	coarse // added to a tag: the same of the coarse tags

	arcFields = coarse + modTagAfter + 1 // how many numbers there are
)

// arcTemplates returns conjunctions of fields. If there are coarse tags, each template is also used with these in place
// of the tags.
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

// Tokens beside those of the data.
const (
	tokenRoot  int32 = iota // the root, position 0
	tokenNone               // outside the sentence
	tokenWords              // ids of the data begin here
)

// arcTokens are the columns of one sentence as ids: position 0 is the root, 1 .. l the words.
type arcTokens struct {
	word, tag, coarse []int32
}

// arcKeys makes features of arcs. It is cheap to make, and for one goroutine.
type arcKeys struct {
	templates [][]arcField
	once      bool    // a tag in between counts once
	times     []int32 // how often a tag stands in between, by id
	between   []int32 // the tags that do
	keys      []arcKey

	order  []int      // the templates, those of fewer fields first
	within [][]int    // of each template, those whose fields it has and more
	number [][2]int32 // of each template at the present arc: its feature alone, and with the length; −1: none
	found  []valued
}

// arcKey names a feature of an arc and gives its value.
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

// of returns the features of the arc head → mod, valid until the next call. A key is a 64-bit hash of the template,
// its fields, the direction and the length: the chance that any two of 10⁷ features share one is below 10⁻⁵.
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

// known returns the features of the arc that the alphabet has, in the order of the method of, valid until the next
// call. The alphabet has the features that occur at least so many times. If it lacks a conjunction, it also lacks that
// with the length and those with more fields, so known does not look them up.
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

// look finds the features of a key alone and, if that is asked for, with the length.
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

// key returns the key of a template without the length.
func (a *arcKeys) key(template int, field *[arcFields]int32) uint64 {
	key := mix(uint64(template) + 1)
	for _, f := range a.templates[template] {
		key = mix(key ^ uint64(field[f]))
	}
	return key
}

// ends returns the prefix of the keys of tags in between.
func (a *arcKeys) ends(field *[arcFields]int32) uint64 {
	return mix(mix(mix(uint64(len(a.templates))+1)^uint64(field[headTag])) ^ uint64(field[modTag]))
}

// fieldsOf returns the values that the templates look at.
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

// inBetween counts the tags strictly between head and mod.
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

// arcLength returns the direction and the length of an arc, 1 to 5, 6 to 10, or more, as a number that is no id.
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

// mix applies the finaliser of the SplitMix64 generator (Steele, Lea and Flood 2014), a bijection that spreads every
// bit.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// treeColumns are the columns that the features look at. Coarse is tag where the data have no coarse tags.
type treeColumns struct {
	word, tag, coarse *datasets.Column
}

func (c treeColumns) haveCoarse() bool { return c.coarse != c.tag }

// tokens fills t with sentence i.
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

// punctuation reports which tokens of sentence i consist of punctuation alone.
func (c treeColumns) punctuation(s *datasets.Sentences, i int) []bool {
	out := make([]bool, s.Start[i+1]-s.Start[i])
	for m := range out {
		out[m] = datasets.Punctuation(c.word.Text[c.word.ID[s.Start[i]+m]])
	}
	return out
}
