package schema

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

// Comments returns a function that looks up the description of a setting: the first paragraph of the comment above a
// field of a struct, in the sources of a module. The first call reads the sources.
func Comments(sources fs.FS, module string) Describe {
	all := sync.OnceValue(func() map[string]string { return comments(sources, module) })
	return func(t reflect.Type, field string) string {
		if field == "" {
			return ""
		}
		return all()[t.PkgPath()+"."+t.Name()+"."+field]
	}
}

// comments reads the sources of a module and returns a map from package.type.field to the description of the field.
func comments(sources fs.FS, module string) map[string]string {
	out := map[string]string{}
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		text, err := fs.ReadFile(sources, name)
		if err != nil || !bytes.Contains(text, []byte("`yaml:\"")) {
			return err // nil for a file without settings, which is skipped
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
		panic("schema: the program's own sources: " + err.Error())
	}
	return out
}

// commentsOf adds the descriptions of a struct's fields to out.
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
