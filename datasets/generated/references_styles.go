package generated

import "strings"

// referenceStyle is a citation style, with a layout for each type of publication. A layout is a list of fields, which
// are single capital letters, and of tokens between them, which get no label. The text between { and } is omitted with
// probability ½.
//
//	A authors   T title     J journal  C proceedings   U publisher   D edition   K kind of thesis or report
//	E editors   Y year      V volume   S series        L place       O note      I school or institution
//	M month     N number    P pages
type referenceStyle struct {
	inverted bool   // if true, family names come first: Ames , J.
	full     bool   // if true, given names are often written in full
	and      string // token before the last of several persons, such as "and"; "" means a comma

	article, paper, book, chapter, thesis, report string
}

func referenceStyles() []referenceStyle {
	return []referenceStyle{
		{
			and:     "and",
			article: "A , T , J V { , no. N } ( Y ) , P .",
			paper:   "A , T , in C ( E , eds. ) , U , L , Y , pp . P .",
			book:    "A , T , { D , } U , L , Y .",
			chapter: "A , T , in T ( E , eds. ) , { S V , } U , Y , pp . P .",
			thesis:  "A , T , K , I , Y .",
			report:  "A , T , { K , } I , Y { , O } .",
		},
		{
			inverted: true, and: "&",
			article: "A ( Y ) . T . J , V { ( N ) } , P .",
			paper:   "A ( Y ) . T . In E ( Eds. ) , C ( pp . P ) . L : U .",
			book:    "A ( Y ) . T { ( D ) } . L : U .",
			chapter: "A ( Y ) . T . In E ( Eds. ) , T ( pp . P ) . U .",
			thesis:  "A ( Y ) . T . K , I , L .",
			report:  "A ( Y ) . T . { K . } { L : } I .",
		},
		{
			and:     "and",
			article: `A , " T , " J , vol . V , { no . N , } pp . P , { M } Y .`,
			paper:   `A , " T , " in C , { L , } { M } Y , pp . P .`,
			book:    "A , T . { D . } L : U , Y .",
			chapter: `A , " T , " in T , E , Eds . L : U , Y , pp . P .`,
			thesis:  `A , " T , " K , I , { L , } Y .`,
			report:  `A , " T , " I , { L , } K , Y .`,
		},
		{ // a style of physics: an article is cited without its title
			and:     "and",
			article: "A , J V , P ( Y ) .",
			paper:   "A , in C , edited by E ( U , L , Y ) , p . P .",
			book:    "A , T ( U , L , Y ) { , p . P } .",
			chapter: "A , in T , edited by E ( U , L , Y ) .",
			thesis:  "A , K , I , Y .",
			report:  "A , { K , } O ( Y ) .",
		},
		{ // a style of astronomy, with little punctuation
			inverted: true, and: "&",
			article: "A , Y , J , V , P",
			paper:   "A , Y , in S V , C , ed . E ( L : U ) , P",
			book:    "A , Y , T ( L : U )",
			chapter: "A , Y , in T , ed . E ( L : U ) , P",
			thesis:  "A , Y , K , I",
			report:  "A , Y , J , O",
		},
		{
			inverted: true,
			article:  "A : T . J V { ( N ) } , P ( Y )",
			paper:    "A : T . In : E ( eds. ) C . { S , vol . V , } pp . P . U , L ( Y )",
			book:     "A : T . { D . } U , L ( Y )",
			chapter:  "A : T . In : E ( eds. ) T , pp . P . U , L ( Y )",
			thesis:   "A : T . K , I ( Y )",
			report:   "A : T . { K , } I ( Y ) { . O }",
		},
		{ // a style of medicine
			inverted: true,
			article:  "A . T . J . Y { M } ; V { ( N ) } : P .",
			paper:    "A . T . In : E , editors . C ; Y { M } ; L . L : U . p . P .",
			book:     "A . T . { D . } L : U ; Y .",
			chapter:  "A . T . In : E , editors . T . L : U ; Y . p . P .",
			thesis:   "A . T [ K ] . L : I ; Y .",
			report:   "A . T . L : I ; Y { M } . { K . }",
		},
		{ // a style with given names in full
			full: true, and: "and",
			article: "A . T . J , V { ( N ) } : P , { M } Y .",
			paper:   "A . T . In { E , editors , } C , { volume V of S , } pages P { , L } , { M } Y . { U . }",
			book:    "A . T . U , { L , } { D , } Y .",
			chapter: "A . T . In E , editors , T , pages P . U , Y .",
			thesis:  "A . T . K , I , { M } Y .",
			report:  "A . T . K , I , Y . { O . }",
		},
		{
			full: true, and: "and",
			article: "A , T , J , vol . V , Y , p . P .",
			paper:   "A , T , C , L , Y , p . P .",
			book:    "A , T , L , U , Y .",
			chapter: "A , T , T , E ( ed . ) , U , L , Y .",
			thesis:  "A , T , K , I , Y .",
			report:  "A , T , I , { O , } Y .",
		},
		{ // a style with as little punctuation as possible
			and:     "and",
			article: "A T J V ( Y ) P .",
			paper:   "A T C ( Y ) P .",
			book:    "A T ( U Y ) .",
			chapter: "A T in T ( U Y ) .",
			thesis:  "A T K I Y .",
			report:  "A T O ( Y ) .",
		},
		{
			inverted: true, and: "and",
			article: "A ( Y ) , ` T ' , J V { ( N ) } , P .",
			paper:   "A ( Y ) , ` T ' , in C , U , { L , } pp . P .",
			book:    "A ( Y ) , T , { D , } U , L .",
			chapter: "A ( Y ) , ` T ' , in E ( eds ) , T , U , L .",
			thesis:  "A ( Y ) , ` T ' , K , I .",
			report:  "A ( Y ) , ` T ' , { K , } I { , O } .",
		},
		{
			inverted: true, full: true, and: "and",
			article: "A . Y . T . J V { , no . N } : P .",
			paper:   "A . Y . T . C , P . L : U .",
			book:    "A . Y . T . { Vol . V of S . } L : U .",
			chapter: "A . Y . T . In T , E , eds . L : U , P .",
			thesis:  "A . Y . T . K , I .",
			report:  "A . Y . T . { K N . } L : I .",
		},
	}
}

// layout draws a type of publication and returns the layout for this type in the style s.
func (w *referenceWriter) layout(s *referenceStyle) string {
	switch at := w.rng.Float64(); {
	case at < .52:
		return s.article
	case at < .72:
		return s.paper
	case at < .84:
		return s.book
	case at < .91:
		return s.chapter
	case at < .95:
		return s.thesis
	}
	return s.report
}

// reference appends one reference.
func (w *referenceWriter) reference() {
	w.style = &w.styles[w.rng.IntN(len(w.styles))]
	w.capitals = w.rng.Float64() < .4
	w.title = "title"
	leftOut := false
	for token := range strings.FieldsSeq(w.layout(w.style)) {
		switch {
		case token == "{":
			leftOut = w.rng.Float64() < .5
		case token == "}":
			leftOut = false
		case leftOut:
		case len(token) == 1 && token[0] >= 'A' && token[0] <= 'Z':
			w.field(token[0])
		case w.rng.Float64() >= referenceLost:
			w.token(token, outside)
		}
	}
	w.to.Start = append(w.to.Start, len(w.to.Columns[0].ID))
}

// field draws and appends one field of a layout. code is the letter of the field (see referenceStyle).
func (w *referenceWriter) field(code byte) {
	switch code {
	case 'A':
		w.persons("author", "person", 1+min(w.rng.IntN(3), w.rng.IntN(5)))
	case 'E':
		w.persons("editor", "editor", 1+w.rng.IntN(2))
	case 'T': // in the layout of a chapter, the first T is the title of the chapter and the second that of the book
		w.segment(w.title, w.titleWords())
		w.title = "booktitle"
	case 'J':
		w.segment("journal", w.journal())
	case 'C':
		w.segment("booktitle", w.proceedings())
	case 'S':
		w.segment("series", w.fill(w.pick(referenceSeries())))
	case 'V':
		w.segment("volume", []string{w.number(1, 220)})
	case 'N':
		w.segment("number", []string{w.number(1, 12)})
	case 'P':
		w.segment("pages", w.pages())
	case 'Y':
		w.segment("year", []string{w.number(1955, 2015)})
	case 'M':
		w.segment("month", []string{w.pick(referenceMonths())})
	case 'U':
		w.segment("publisher", w.fill(w.pick(referencePublishers())))
	case 'L':
		w.segment("address", []string{w.pick(referencePlaces())})
	case 'D':
		w.segment("edition", strings.Fields(w.pick(referenceEditions())))
	case 'K':
		w.segment("type", strings.Fields(w.pick(referenceKinds())))
	case 'I':
		w.segment("institution", w.fill(w.pick(referenceSchools())))
	case 'O':
		w.segment("note", w.fill(w.pick(referenceNotes())))
	default:
		panic("datasets: a layout of references has the unknown field " + string(rune(code)))
	}
}
