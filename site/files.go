package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"html"
	"html/template"
	"path/filepath"
	"reflect"
	"strings"
)

// layouts describes the files that gaplab writes. The declarations are constants, whose comments describe a layout, and
// structs, whose fields are the keys of JSON objects.
func layouts() []layoutOf {
	return []layoutOf{
		{"Traces", "Each run writes a trace, <code>results/runs/EXPERIMENT/SCALE/KEY.jsonl</code>, with a JSON object on " +
			"each line: <code>{\"manifest\": {...}}</code>, then <code>{\"row\": {...}}</code> for each row, with the values " +
			"of the columns (<code>gaplab help columns</code>), and <code>{\"end\": {...}}</code>.", "harness/trace",
			[]string{"Format", "Manifest", "End"}},
		{"Packs", "The kept results of an experiment, <code>results/SCALE/EXPERIMENT.jsonl</code>, or " +
			"<code>.jsonl.gz</code> if they are large. <code>gaplab export</code> prints them as CSV.", "harness/store",
			[]string{"packFormat"}},
		{"Weights", "The weights of a run, <code>KEY...weights.json.gz</code> beside its trace. <code>gaplab " +
			"predict</code> reads them.", "harness/store", []string{"WeightsFormat", "Weights"}},
		{"Checkpoints", "The state of a run that has not ended, beside its trace. It is removed when the run ends.",
			"harness/store", []string{"stateFormat"}},
		{"Editions", "<code>edition.json</code> in the folder of <code>gaplab reproduce</code>, and in " +
			"<code>results/paper</code>.", "harness/edition", []string{"format", "Record"}},
		{"Crates", "The archive of <code>gaplab archive</code>.", "harness/crate", []string{"package"}},
		{"Tables of a report", "<code>gaplab claims --format json</code> and <code>gaplab export</code> print what a " +
			"report shows, for other programs. The report itself is one HTML file without links to other files.", "", nil},
	}
}

// layoutOf describes one kind of file.
type layoutOf struct {
	title, about string // about is HTML
	folder       string
	declarations []string // names in the package of the folder; "package" is the package's own comment
}

// files returns the page about files, from the comments of the code in the repository in the folder root.
func files(root string) (template.HTML, error) {
	var b strings.Builder
	b.WriteString("<h1 id=\"top\">Files</h1>\n<p>The files that gaplab writes, from the comments of the code that " +
		"writes them. A later version reads the files of an earlier one, or says what to do.</p>\n")
	for _, l := range layouts() {
		id := strings.ToLower(strings.ReplaceAll(l.title, " ", "-"))
		fmt.Fprintf(&b, "<h2 id=\"%s\">%s</h2>\n<p>%s</p>\n", id, l.title, l.about)
		if l.folder == "" {
			continue
		}
		found, err := declared(filepath.Join(root, filepath.FromSlash(l.folder)))
		if err != nil {
			return "", err
		}
		for _, name := range l.declarations {
			d, ok := found[name]
			if !ok {
				return "", fmt.Errorf("%s declares no %s", l.folder, name)
			}
			b.WriteString(plainBlocks(d.comment))
			if d.fields != nil {
				fmt.Fprintf(&b, "<table><thead><tr><th>%s</th><th>type</th><th>meaning</th></tr></thead>\n", name)
				rows(&b, found, d.fields)
				b.WriteString("</table>\n")
			}
		}
	}
	return template.HTML(b.String()), nil
}

// declaration is a constant, a struct or the package itself.
type declaration struct {
	comment string
	fields  *ast.StructType // nil for others than structs
}

// declared returns the declarations of a package, and as "package" the package's own comment.
func declared(folder string) (map[string]declaration, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	all := map[string]declaration{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if file.Doc != nil {
			all["package"] = declaration{comment: file.Doc.Text()}
		}
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range group.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					fields, _ := s.Type.(*ast.StructType)
					all[s.Name.Name] = declaration{cmp.Or(s.Doc.Text(), group.Doc.Text()), fields}
				case *ast.ValueSpec:
					for _, name := range s.Names {
						all[name.Name] = declaration{comment: cmp.Or(s.Doc.Text(), group.Doc.Text())}
					}
				}
			}
		}
	}
	return all, nil
}

// rows writes a row of a table for each field of a struct that is in its JSON, and for those of embedded structs.
func rows(b *strings.Builder, all map[string]declaration, s *ast.StructType) {
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 {
			if name, ok := f.Type.(*ast.Ident); ok && all[name.Name].fields != nil {
				rows(b, all, all[name.Name].fields)
			}
			continue
		}
		if f.Tag == nil {
			continue
		}
		name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		meaning := strings.TrimSpace(cmp.Or(f.Doc.Text(), f.Comment.Text()))
		fmt.Fprintf(b, "<tr><td><code>%s</code></td><td>%s</td><td>%s</td></tr>\n", name, jsonType(f.Type),
			inline(html.EscapeString(meaning)))
	}
}

// jsonType returns the type in JSON of values of a Go type.
func jsonType(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		switch t.Name {
		case "string", "Status":
			return "text"
		case "bool":
			return "true or false"
		case "int", "int64", "float64":
			return "number"
		}
	case *ast.ArrayType:
		return "list"
	case *ast.StarExpr:
		return jsonType(t.X)
	case *ast.SelectorExpr:
		if t.Sel.Name == "Time" {
			return "text"
		}
	}
	return "object"
}

// plainBlocks returns the HTML of a comment whose indented lines are text.
func plainBlocks(text string) string {
	printer := &comment.Printer{HeadingLevel: 3, DocLinkURL: func(*comment.DocLink) string { return "" }}
	return inline(string(printer.HTML(new(comment.Parser).Parse(text))))
}
