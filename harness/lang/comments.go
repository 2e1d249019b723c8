package lang

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"reflect"
	"strings"
	"sync"
)

// Comments looks up what the first paragraph of the comment above a field of a struct says, in the sources of a
// module: the description of a setting. It reads them when first asked. A field without a comment has "".
func Comments(sources fs.FS, module string) func(t reflect.Type, field string) string {
	all := sync.OnceValue(func() map[string]string { return comments(sources, module) })
	return func(t reflect.Type, field string) string {
		if field == "" {
			return ""
		}
		return all()[t.PkgPath()+"."+t.Name()+"."+field]
	}
}

// comments maps package, type and field, with points between, to the description.
func comments(sources fs.FS, module string) map[string]string {
	out := map[string]string{}
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		text, err := fs.ReadFile(sources, name)
		if err != nil || !bytes.Contains(text, []byte("`yaml:\"")) {
			return err // a file without settings
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok {
				if s, ok := t.Type.(*ast.StructType); ok {
					commentsOf(out, path.Join(module, path.Dir(name))+"."+t.Name.Name, s)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		panic("lang: the program's own sources: " + err.Error())
	}
	return out
}

func commentsOf(out map[string]string, typeName string, s *ast.StructType) {
	for _, field := range s.Fields.List {
		if field.Doc == nil {
			continue
		}
		first, _, _ := strings.Cut(field.Doc.Text(), "\n\n")
		for _, name := range field.Names {
			out[typeName+"."+name.Name] = strings.Join(strings.Fields(first), " ")
		}
	}
}
