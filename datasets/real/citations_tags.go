package real

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// segmentsInnermost, segmentsFields and segmentsOutermost are the values of the setting UMassNested.Segments.
const (
	segmentsInnermost = "innermost"
	segmentsFields    = "fields"
	segmentsOutermost = "outermost"
)

// citationTags lists each tag of the nested version with the corresponding field of the flat version. The field is - if
// the tag contains other tags, or if the flat version does not label its words. A person is an author or, inside the
// tag editor, an editor. The components of a name have no field.
const citationTags = `
	authors -  person author  person-first -  person-middle -  person-last -  person-affix -  editor -
	title title  subtitle title  venue -  date -  year year  month month
	journal journal  booktitle booktitle  series series  volume volume  number number  pages pages  length pages
	publisher publisher  address address  organization organization  institution institution
	school school  department school  thesis type  tech type  edition edition  chapter chapter  note note  status note
	category -  language -  web -  ref-marker -  reference_id -`

// segmentNames returns, for each tag, the name of the segment that the tag becomes, or "" if the tag becomes no
// segment.
func segmentNames(segments string) (map[string]string, bool) {
	names := map[string]string{}
	words := strings.Fields(citationTags)
	for i := 0; i < len(words); i += 2 {
		tag, field := words[i], words[i+1]
		switch segments {
		case segmentsInnermost:
			if field = tag; tag == "authors" || tag == "person" || tag == "editor" || tag == "venue" || tag == "date" {
				field = "-"
			}
		case segmentsOutermost:
			field = tag
		case segmentsFields:
		default:
			return nil, false
		}
		names[tag] = strings.TrimPrefix(field, "-")
	}
	return names, true
}

// tagReader reads references with nested tags. A line is one reference; tags and words are separated by spaces:
//
//	<authors> <person> <person-first> A. </person-first> <person-last> Shudo , </person-last> </person> </authors> ...
//
// About two dozen lines are not well formed. A closing tag closes only the innermost open element with the same name.
// If no such element is open, the closing tag is skipped. The end of the line closes all open elements.
type tagReader struct {
	segments string
	names    map[string]string // name of the segment that each tag becomes

	all           datasets.Sentences
	words, labels *parse.LabelTable

	open  []element
	count int    // number of elements so far
	last  int    // number of the element that is the segment of the last token; 0 if this token has no segment
	label []byte // label of the current token
}

// element is an open tag.
type element struct {
	tag    string
	number int
}

func newTagReader(segments string) *tagReader {
	names, ok := segmentNames(segments)
	if !ok {
		panic("datasets: unknown segments " + segments) // Validate has checked
	}
	r := &tagReader{segments: segments, names: names, words: parse.NewLabelTable(), labels: parse.NewLabelTable()}
	r.all = datasets.Sentences{Start: []int{0}, Columns: []datasets.Column{{Name: "word"}, {Name: "label"}}}
	return r
}

// read appends the references of one file to r.all.
func (r *tagReader) read(path string, from io.Reader) error {
	in := parse.NewLines(path, from)
	before := r.all.Len()
	for {
		line, err := in.ReadText()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := r.reference(&in, line); err != nil {
			return err
		}
	}
	if r.all.Len() == before {
		return &datasets.SyntaxError{Path: path, Line: max(1, in.Line), Column: 1,
			Msg: "no references: want lines such as <title> On trees . </title>"}

	}
	r.all.Columns[0].Text, r.all.Columns[1].Text = r.words.Tokens, r.labels.Tokens
	return nil
}

// reference appends the reference of a line, if the line has words.
func (r *tagReader) reference(in *parse.Lines, line []byte) error {
	r.open, r.last = r.open[:0], 0
	for at := parse.SkipSpace(line, 0); at < len(line); at = parse.SkipSpace(line, at) {
		name, end := tagAt(line, at)
		if name == "" {
			begin := at
			for at++; at < len(line) && !parse.IsSpace(line[at]); at++ {
				if name, _ := tagAt(line, at); name != "" {
					break
				}
			}
			r.token(line[begin:at])
			continue
		}
		tag, closing := strings.CutPrefix(name, "/")
		if _, ok := r.names[tag]; !ok {
			return in.Fault(at, "tag <%s> is unknown: want one of %s", name, strings.Join(everySecond(citationTags), ", "))
		}
		if closing {
			r.close(tag)
		} else {
			r.count++
			r.open = append(r.open, element{tag, r.count})
		}
		at = end
	}
	if n := len(r.all.Columns[0].ID); n > r.all.Start[r.all.Len()] {
		r.all.Start = append(r.all.Start, n)
	}
	return nil
}

// tagAt returns the name of the tag at index at of the line, with a slash if the tag is a closing tag. It also returns
// the index after the tag. If there is no tag at this index, name is "".
func tagAt(line []byte, at int) (name string, end int) {
	if line[at] != '<' {
		return "", at
	}
	n := bytes.IndexByte(line[at:], '>')
	if n < 2 {
		return "", at
	}
	for i, c := range line[at+1 : at+n] {
		if (c < 'a' || c > 'z') && c != '-' && c != '_' && !(c == '/' && i == 0 && n > 2) {
			return "", at
		}
	}
	return string(line[at+1 : at+n]), at + n + 1
}

func (r *tagReader) close(tag string) {
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].tag == tag {
			r.open = append(r.open[:i], r.open[i+1:]...)
			return
		}
	}
}

// token appends a word with its label. A segment begins at the first word of an element. If words outside the segment
// interrupt the element, a new segment begins after them.
func (r *tagReader) token(word []byte) {
	name, number := r.segment()
	switch {
	case name == "":
		r.label, number = append(r.label[:0], 'O'), 0
	case number == r.last:
		r.label = append(append(r.label[:0], "I-"...), name...)
	default:
		r.label = append(append(r.label[:0], "B-"...), name...)
	}
	r.last = number
	r.all.Columns[0].ID = append(r.all.Columns[0].ID, int32(r.words.ID(word)))
	r.all.Columns[1].ID = append(r.all.Columns[1].ID, int32(r.labels.ID(r.label)))
}

// segment returns the name of the segment of the current token and the number of its element. If the token has no
// segment, name is "".
func (r *tagReader) segment() (name string, number int) {
	inEditor := false
	for i, e := range r.open {
		inEditor = inEditor || e.tag == "editor"
		if n := r.names[e.tag]; n != "" {
			name, number = n, r.open[i].number
			if r.segments == segmentsOutermost {
				break
			}
			if !inEditor {
				continue
			}
			switch r.segments {
			case segmentsInnermost: // for example, the first name of an editor has the label editor-first, not person-first
				if part, ok := strings.CutPrefix(n, "person-"); ok {
					name = "editor-" + part
				}
			case segmentsFields:
				if e.tag == "person" {
					name = "editor"
				}
			}
		}
	}
	return name, number
}

// everySecond returns the first word of each pair of words in a text.
func everySecond(pairs string) (list []string) {
	for i, word := range strings.Fields(pairs) {
		if i%2 == 0 {
			list = append(list, word)
		}
	}
	return list
}
