// Package deptree implements projective dependency trees with scores of arcs. Variants of Eisner's algorithm compute
// the best and second-best trees, the tree of slack rescaling, log-partition functions and marginals.
//
//	task, err := deptree.New().Build(train, validation)
package deptree

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/alphabet"
)

// Model is projective dependency parsing with arc-factored scores (paper eg, section 8). A sentence of l words has l²
// parts: the arcs h → m for each word m = 1 .. l and each head h ≠ m in 0 .. l, where 0 is the root. The arc h → m is
// part
//
//	(m−1)·l + h if h < m,   (m−1)·l + h − 1 if h > m.
//
// A labelling is a projective tree. It has one arc into each word, and by default exactly one arc from the root. The
// label loss is the number of wrong heads. Inference is Eisner's algorithm and costs O(l³), or O(l⁵) with slack
// rescaling.
//
// arcKeys computes the features of an arc. The model keeps the features that at least Cutoff arcs of the training data
// have. With Arcs = gold, only the arcs of the training trees count, as in the parser of McDonald et al. With Arcs =
// all, all possible arcs count, which gives more features with negative weights. It is an error if a training tree is
// not a labelling. A validation tree may be any tree, and all its words count in the metrics.
//
// Memory: about 4 bytes per feature of an arc. An arc has up to 78 features, plus 2 per tag between its ends.
type Model struct {
	// the arcs of the training sentences whose features are counted; gold: the arcs of the training trees; all: all
	// possible arcs
	Arcs string `yaml:"arcs" jsonschema:"enum=gold,enum=all"`
	// keep the features that at least this many of the counted arcs have
	Cutoff int `yaml:"cutoff" jsonschema:"minimum=1"`
	// value of the feature of a tag between the ends of an arc; count: the number of its occurrences; once: 1
	Between string `yaml:"between" jsonschema:"enum=count,enum=once"`
	// number of words whose head is the root; single: exactly one; multi: one or more
	Roots string `yaml:"roots" jsonschema:"enum=single,enum=multi"`
}

// New returns the model with its default settings.
func New() *Model {
	return &Model{Arcs: "gold", Cutoff: 1, Between: "count", Roots: "single"}
}

// Build implements models.Builder for sentences with heads.
func (d Model) Build(train, validation datasets.Data) (*models.Task, error) {
	sentences, columns, err := d.sentences(train, "training")
	if err != nil {
		return nil, err
	}
	if err := d.labellings(sentences); err != nil {
		return nil, err
	}
	alphabet := d.alphabet(sentences, columns)
	pool := &scratch.Pool[sharedScratch]{}
	oracle := newEisner(d.Roots == "multi")
	t := &models.Task{
		Model:    "deptree",
		Unknowns: models.Weights{Dim: max(1, alphabet.Len)},
		Train:    d.examples(sentences, columns, alphabet, oracle, pool),
		Metrics: []models.Metric{{Name: "validation_error", Of: wrongHeads}, {Name: "validation_accuracy", Of: rightHeads},
			{Name: "validation_accuracy_words", Of: rightHeadsOfWords}},
	}
	t.Vocabulary = func() any { return newVocabulary(columns, alphabet) }
	if alphabet.Len == 0 {
		t.Warnings = append(t.Warnings,
			fmt.Sprintf("model deptree: cutoff is %d, which leaves no feature, so all trees score the same: reduce cutoff",
				d.Cutoff))
	}
	if validation == nil {
		return t, nil
	}
	held, heldColumns, err := d.sentences(validation, "validation")
	if err != nil {
		return nil, err
	}
	t.Validation = d.examples(held, heldColumns, alphabet, oracle, pool)
	return t, nil
}

// sentences checks the data and finds the columns. Training and validation data number their words and tags by the same
// lists of texts, so an id means the same word or tag in both.
func (d Model) sentences(data datasets.Data, part string) (*datasets.Sentences, treeColumns, error) {
	s, ok := data.(*datasets.Sentences)
	if !ok || s.Heads == nil {
		hint := ""
		if ok {
			hint = " without a column named head"
		}
		return nil, treeColumns{},
			fmt.Errorf("model deptree needs sentences with heads; the %s data have %s%s", part, data.Kind(), hint)
	}
	var c treeColumns
	var err error
	if c.word, err = s.Column("word"); err != nil {
		return nil, c, fmt.Errorf("model deptree: %w; name the column of the words \"word\"", err)
	}
	first := func(names ...string) *datasets.Column {
		for _, name := range names {
			if column, err := s.Column(name); err == nil {
				return column
			}
		}
		return nil
	}
	if c.tag = first("pos", "xpos", "upos", "cpos"); c.tag == nil {
		_, err := s.Column("pos")
		return nil, c, fmt.Errorf("model deptree needs a column of tags named pos, xpos, upos or cpos: %w", err)
	}
	if c.coarse = first("cpos", "upos"); c.coarse == nil {
		c.coarse = c.tag
	}
	return s, c, nil
}

// labellings checks that every training tree is a labelling of the model (see Model): projective, with an allowed
// number of roots.
func (d Model) labellings(s *datasets.Sentences) error {
	for i := range s.Len() {
		heads := s.Heads[s.Start[i]:s.Start[i+1]]
		roots := 0
		for _, h := range heads {
			if h == 0 {
				roots++
			}
		}
		switch {
		case len(heads) == 0:
			return fmt.Errorf("model deptree: training sentence %d has no words", i+1)
		case !datasets.Projective(heads):
			return fmt.Errorf("model deptree: the tree of training sentence %d is not projective: skip such sentences "+
				"(projective: true)", i+1)
		case d.Roots == "single" && roots != 1:
			return fmt.Errorf("model deptree: training sentence %d has %d words with head 0, but roots: single accepts only "+
				"one; set roots: multi", i+1, roots)
		}
	}
	return nil
}

// eachSentence calls f once for each sentence, from several goroutines. Each goroutine first creates an arcReader by
// calling reader, and finally calls done with it.
func eachSentence(n int, reader func() *arcReader, f func(a *arcReader, i int), done func(a *arcReader)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			a := reader()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(a, i)
			}
			done(a)
		})
	}
	wg.Wait()
}

// arcReader computes the features of the arcs of sentences. It may be used by one goroutine at a time.
type arcReader struct {
	*arcKeys
	tokens arcTokens
	batch  alphabet.Batch
	*sharedBuilder
}

// alphabet counts the features of arcs in the training data. It returns the features with at least Cutoff counts.
func (d Model) alphabet(s *datasets.Sentences, c treeColumns) *alphabet.Alphabet {
	counter := &alphabet.Counter{}
	eachSentence(s.Len(), func() *arcReader {
		return &arcReader{arcKeys: newArcKeys(d.Between == "once", c.haveCoarse()), batch: alphabet.Batch{Into: counter}}
	}, func(a *arcReader, i int) {
		c.tokens(&a.tokens, s, i)
		heads := s.Heads[s.Start[i]:s.Start[i+1]]
		eachArc(len(heads), func(h, m int) {
			if d.Arcs != "all" && heads[m-1] != int32(h) {
				return
			}
			for _, key := range a.of(&a.tokens, h, m) {
				a.batch.Add(key.hash)
			}
		})
	}, func(a *arcReader) { a.batch.Flush() })
	return counter.Alphabet(d.Cutoff)
}

// examples returns one example per sentence. It looks up the features of all arcs.
func (d Model) examples(s *datasets.Sentences, c treeColumns, known *alphabet.Alphabet, oracle *eisner,
	pool *scratch.Pool[sharedScratch]) []models.Example {
	examples := make([]models.Example, s.Len())
	eachSentence(len(examples), func() *arcReader {
		return &arcReader{arcKeys: newArcKeys(d.Between == "once", c.haveCoarse()),
			sharedBuilder: newSharedBuilder(known.Len, pool)}
	}, func(a *arcReader, i int) {
		c.tokens(&a.tokens, s, i)
		heads := s.Heads[s.Start[i]:s.Start[i+1]]
		l := len(heads)
		eachArc(l, func(h, m int) {
			for _, f := range a.known(known, &a.tokens, h, m) {
				a.add(f.feature, f.value)
			}
			a.endPart()
		})
		truth, cost := make(models.Vertex, l), make([]float64, l*l)
		for r := range cost {
			cost[r] = 1
		}
		for m, h := range heads {
			truth[m] = arcPart(l, int(h), m+1)
			cost[truth[m]] = 0
		}
		examples[i] = models.Example{Features: &arcFeatures{a.finish(), c.punctuation(s, i)}, Max: oracle, Exp: oracle,
			Second: oracle, Slack: oracle, Truth: truth, Cost: cost}
	}, func(*arcReader) {})
	return examples
}

// arcFeatures is the feature map of a sentence. punctuation[t] tells whether token t of the sentence is punctuation.
type arcFeatures struct {
	*sharedFeatures
	punctuation []bool
}

// arcPart returns the part of the arc h → m in a sentence of l words.
func arcPart(l, h, m int) int {
	if h > m {
		h--
	}
	return (m-1)*l + h
}

// wrongHeads returns the number of words with a wrong head, and the number of words.
func wrongHeads(prediction models.Vertex, e *models.Example) (num, den float64) {
	for m, r := range e.Truth {
		if prediction[m] != r {
			num++
		}
	}
	return num, float64(len(e.Truth))
}

// rightHeads returns the number of words with the right head, and the number of words. Their ratio is the unlabelled
// attachment score.
func rightHeads(prediction models.Vertex, e *models.Example) (num, den float64) {
	wrong, words := wrongHeads(prediction, e)
	return words - wrong, words
}

// rightHeadsOfWords does the same as rightHeads, but ignores punctuation, as the evaluation of the CoNLL-X shared task
// does.
func rightHeadsOfWords(prediction models.Vertex, e *models.Example) (num, den float64) {
	skip := e.Features.(*arcFeatures).punctuation
	for m, r := range e.Truth {
		if skip[m] {
			continue
		}
		den++
		if prediction[m] == r {
			num++
		}
	}
	return num, den
}

// Restore implements models.Restorer.
func (d Model) Restore(text []byte) (models.Decoder, error) {
	var v vocabulary
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	if len(v.Keys)%8 != 0 {
		return nil, fmt.Errorf("the keys of the features have %d bytes: want a multiple of 8", len(v.Keys))
	}
	p := &decoder{columns: v.Columns, known: &alphabet.Alphabet{}, oracle: newEisner(d.Roots == "multi")}
	for i := 0; i < len(v.Keys); i += 8 {
		key := binary.LittleEndian.Uint64(v.Keys[i:])
		if _, twice := p.known.Of(key); twice {
			return nil, errors.New("a feature occurs twice")
		}
		p.known.Add(key, int32(i/8))
	}
	for i, texts := range v.Texts {
		p.number[i] = make(map[string]int32, len(texts))
		for n, text := range texts {
			p.number[i][text] = int32(n)
		}
	}
	p.keys = newArcKeys(d.Between == "once", v.Columns[2] != v.Columns[1])
	p.listed.dim = p.Dim()
	return p, nil
}
