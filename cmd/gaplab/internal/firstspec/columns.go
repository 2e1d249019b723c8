package firstspec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// columns holds the columns of the first tokens of a file with one token per line.
type columns struct {
	rows     [][]string // the columns of each token
	position []int      // position of each token in its sentence, from 1
	line     []int      // line of each token, from 1
	width    int        // number of columns
	tabs     bool       // the columns are separated by tabs
	comments bool       // lines that begin with # are comments
	blank    bool       // a blank line separates sentences
}

// columnsOf splits lines into columns. If the lines are not tokens in columns, the error states why.
func columnsOf(lines []string) (*columns, error) {
	c := &columns{}
	for _, line := range lines { // the first line that cannot be a comment determines the width
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			c.width, c.tabs = len(split(line)), strings.Contains(line, "\t")
			break
		}
	}
	if c.width < 2 {
		return nil, errors.New("its lines have one column")
	}
	position := 0
	for i, line := range lines {
		fields := split(line)
		switch {
		case strings.TrimSpace(line) == "":
			position = 0
		case strings.HasPrefix(line, "#") && (len(fields) != c.width || c.width == 10):
			c.comments = true
		case len(fields) != c.width:
			return nil, fmt.Errorf("line %d has %d columns, and an earlier line has %d", i+1, len(fields), c.width)
		default:
			position++
			c.blank = c.blank || position == 1 && len(c.rows) > 0
			c.rows, c.position, c.line = append(c.rows, fields), append(c.position, position), append(c.line, i+1)
		}
	}
	if !c.blank && len(c.rows) >= 100 {
		return nil, fmt.Errorf("its first %d lines are not separated into sentences by blank lines", len(c.rows))
	}
	return c, nil
}

// split returns the columns of a line, as the format conll splits them.
func split(line string) []string {
	if strings.Contains(line, "\t") {
		return strings.Split(line, "\t")
	}
	return strings.Fields(line)
}

// all reports whether the function is returns true for the text in column k of every token.
func (c *columns) all(k int, is func(text string) bool) bool {
	return !slices.ContainsFunc(c.rows, func(row []string) bool { return !is(row[k]) })
}

// numbered reports whether the first column is the position of the token in its sentence. It skips the multiword tokens
// (1-2) and empty nodes (1.1) of CoNLL-U; extended reports whether there are any.
func (c *columns) numbered() (is, extended bool) {
	skipped := 0
	for i, row := range c.rows {
		if c.position[i] == 1 {
			skipped = 0
		}
		if strings.ContainsAny(row[0], "-.") {
			skipped, extended = skipped+1, true
		} else if n, err := strconv.Atoi(row[0]); err != nil || n != c.position[i]-skipped {
			return false, false
		}
	}
	return true, extended
}

// treebank returns the form of the file for a task. If the file is not a treebank, ok is false.
func (c *columns) treebank(task string) (f Form, ok bool) {
	numbered, extended := c.numbered()
	if !numbered || !c.tabs || c.width != 10 && c.width != 8 {
		return f, false
	}
	heads := c.all(6, func(text string) bool {
		n, err := strconv.Atoi(text)
		return err == nil && n >= 0 || text == "_"
	})
	if !heads {
		return f, false
	}
	if c.width == 10 && (c.comments || extended || c.all(3, universal)) {
		return Form{Task: task, Format: "conllu", Label: "upos"}, true
	}
	names := strings.Fields("id word lemma cpos pos feats head deprel _ _")[:c.width]
	return Form{Task: task, Format: "conll", Columns: names, Label: "pos", Comments: c.comments}, true
}

// misnumbered returns the reason why a file with the columns of a treebank is none: the first line whose number is not
// the position of its token, or whose head is not a number. It returns "" if the columns are not those of a treebank at
// all, because the first line is not numbered.
func (c *columns) misnumbered() string {
	if !c.tabs || c.width != 10 && c.width != 8 || c.rows[0][0] != "1" {
		return ""
	}
	for i, row := range c.rows {
		part := columns{rows: c.rows[:i+1], position: c.position}
		if is, _ := part.numbered(); !is {
			return fmt.Sprintf("line %d has %q in the first column, where the number of the token in its sentence belongs",
				c.line[i], row[0])
		}
		if n, err := strconv.Atoi(row[6]); (err != nil || n < 0) && row[6] != "_" {
			return fmt.Sprintf("line %d has %q in the seventh column, where the number of the head belongs", c.line[i], row[6])
		}
	}
	return ""
}

// universal reports whether a text is a tag of Universal Dependencies, or missing.
func universal(text string) bool {
	const tags = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X _"
	return slices.Contains(strings.Fields(tags), text)
}

// parsing returns the form of a file for --task parse: a treebank. The value of --label, label, must be empty.
func parsing(lines []string, label string) (Form, error) {
	if label != "" {
		return Form{}, errors.New("--label is for --task tag and --task classify; --task parse predicts the heads of words")
	}
	if strings.HasPrefix(strings.TrimSpace(strings.Join(lines, "\n")), "(") {
		return Form{}, fmt.Errorf("the file has bracketed trees, which need a spec of your own with format ptb and model "+
			"cfg; %s", accepted(Parse))
	}
	c, err := columnsOf(lines)
	if err != nil {
		return Form{}, &formError{err.Error(), Parse}
	}
	f, ok := c.treebank(Parse)
	if why := c.misnumbered(); !ok && why != "" {
		return Form{}, errors.New((&formError{why, Parse}).Error())
	}
	if !ok {
		return Form{}, &formError{fmt.Sprintf("its %d columns are not those of a treebank", c.width), Parse}
	}
	return f, nil
}

// tagging returns the form of a file for --task tag: tokens with labels. The parameter label is the value of --label.
func tagging(lines []string, label string) (Form, error) {
	c, err := columnsOf(lines)
	if err != nil {
		return Form{}, &formError{err.Error(), Tag}
	}
	if f, ok := c.treebank(Tag); ok {
		names := []string{"upos", "xpos", "deprel"}
		if f.Format == "conll" {
			names = []string{"cpos", "pos", "deprel"}
		}
		if label != "" {
			f.Label = label
		}
		return f, oneOf(f.Label, names, "accepted")
	}
	f := Form{Task: Tag, Format: "conll", Comments: c.comments, Columns: c.names()}
	at := c.width - 1
	if n, err := strconv.Atoi(label); err == nil && n >= 1 && n <= c.width {
		at = n - 1
		if f.Columns[at] == "id" || f.Columns[at] == "word" {
			return Form{}, fmt.Errorf("--label %s is the column of the %ss; accepted: the number of another column", label,
				f.Columns[at])
		}
	} else if label != "" {
		if err := oneOf(label, f.Columns, "accepted: the number of a column from 1, or a name"); err != nil {
			return Form{}, err
		}
		at = slices.Index(f.Columns, label)
	}
	f.Label = f.Columns[at]
	f.Spans = c.spans(at)
	return f, nil
}

// names returns names for the columns. The first column is the word, or the second if the first numbers the tokens. The
// last column is the label.
func (c *columns) names() []string {
	var names []string
	if numbered, _ := c.numbered(); numbered && c.width > 2 {
		names = append(names, "id")
	}
	names = append(names, "word")
	for len(names) < c.width {
		names = append(names, fmt.Sprintf("column%d", len(names)+1))
	}
	last := c.width - 1
	names[last] = "tag"
	switch n := c.width - slices.Index(names, "word"); {
	case !c.spans(last):
	case n == 3:
		names[last-1], names[last] = "pos", "chunk"
	case n == 4 && c.spans(last-1):
		names[last-2], names[last-1], names[last] = "pos", "chunk", "entity"
	default:
		names[last] = "entity"
	}
	return names
}

// spans reports whether column k marks the beginnings and insides of spans (BIO and its variants).
func (c *columns) spans(k int) bool {
	mark := regexp.MustCompile(`^(O|[BIESLU]-.+)$`)
	outside := c.all(k, func(text string) bool { return text == "O" })
	return !outside && c.all(k, mark.MatchString)
}
