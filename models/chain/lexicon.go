package chain

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// The values of attributes with few values: of a pattern, and of a word list without classes.
const (
	valueYes = "yes"
	valueNo  = "no"
)

// lexiconName is the name of the attribute that looks up words in the word list.
const lexiconName = "lexicon"

// own has the attributes that the user defines: patterns, and a word list.
type own struct {
	patterns map[string]*regexp.Regexp
	lexicon  lexicon // nil: no word list
}

// compile returns the user's attributes. An error names the pattern that is wrong.
func compile(patterns map[string]string, words lexicon) (own, error) {
	o := own{patterns: map[string]*regexp.Regexp{}, lexicon: words}
	for _, name := range slices.Sorted(maps.Keys(patterns)) {
		switch {
		case name == "bias" || name == lexiconName || wordAttribute(name) != nil:
			return own{}, fmt.Errorf("patterns: %q is the name of another attribute; give the pattern another name", name)
		case strings.ContainsAny(name, "[]|: \t\n") || name == "":
			return own{}, fmt.Errorf("patterns: the name %q has a bracket, a bar, a colon or a space: want a word", name)
		}
		of, err := regexp.Compile(patterns[name])
		if err != nil {
			return own{}, fmt.Errorf("patterns: %s: %w", name, err)
		}
		o.patterns[name] = of
	}
	return o, nil
}

// names lists the user's attributes, for messages.
func (o own) names() []string {
	list := slices.Sorted(maps.Keys(o.patterns))
	if o.lexicon != nil {
		list = append(list, lexiconName)
	}
	return list
}

// attribute returns the function of a word with this name, or nil if the user has not defined it.
func (o own) attribute(name string) func(string) string {
	if of := o.patterns[name]; of != nil {
		return func(word string) string {
			if of.MatchString(word) {
				return valueYes
			}
			return valueNo
		}
	}
	if name == lexiconName && o.lexicon != nil {
		return o.lexicon.class
	}
	return nil
}

// lexicon is a word list: the class of each word. A word of several classes has all of them, sorted and joined by +.
type lexicon map[string]string

// class returns the class of a word or, if the list does not have it, of the word in lower case.
func (l lexicon) class(word string) string {
	if class, ok := l[word]; ok {
		return class
	}
	if class, ok := l[strings.ToLower(word)]; ok {
		return class
	}
	return valueNo
}

// readLexicon reads a word list. Each line has a word and, after white space, its class, which may be missing. Blank
// lines are skipped.
func readLexicon(path string, r io.Reader) (lexicon, error) {
	classes := map[string][]string{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		fields := strings.Fields(strings.TrimPrefix(in.Text(), "\ufeff"))
		if len(fields) > 2 {
			return nil, &datasets.SyntaxError{Path: path, Line: n, Column: 1, Msg: fmt.Sprintf(
				"%d texts: want a word and, after a space, its class, which may be missing", len(fields))}
		}
		if len(fields) == 0 {
			continue
		}
		class := valueYes
		if len(fields) == 2 {
			class = fields[1]
		}
		if word := fields[0]; !slices.Contains(classes[word], class) {
			classes[word] = append(classes[word], class)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(classes) == 0 {
		return nil, &datasets.SyntaxError{Path: path, Line: 1, Column: 1, Msg: "no words: want one on each line"}
	}
	out := lexicon{}
	for word, list := range classes {
		slices.Sort(list)
		out[word] = strings.Join(list, "+")
	}
	return out, nil
}

// lines returns the word list as lines, sorted, for the weights file.
func (l lexicon) lines() []string {
	var out []string
	for _, word := range slices.Sorted(maps.Keys(l)) {
		out = append(out, word+"\t"+l[word])
	}
	return out
}

// lexiconOf returns the word list with these lines, or nil if there are none.
func lexiconOf(lines []string) lexicon {
	if len(lines) == 0 {
		return nil
	}
	out := lexicon{}
	for _, line := range lines {
		word, class, _ := strings.Cut(line, "\t")
		out[word] = class
	}
	return out
}

// Files implements models.Reader.
func (m *Model) Files() []string {
	if m.Lexicon == "" {
		return nil
	}
	return []string{m.Lexicon}
}

// Read implements models.Reader.
func (m *Model) Read(path string, r io.Reader) (err error) {
	m.words, err = readLexicon(path, r)
	return err
}

var _ models.Reader = (*Model)(nil)
