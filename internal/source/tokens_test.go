package source

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/gaplab/gaplab"
)

// scanned returns the tokens of a file as package go/scanner finds them, in the form of appendTokens.
func scanned(text []byte) string {
	var out strings.Builder
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), text, nil, 0)
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return out.String()
		case tok == token.SEMICOLON:
			literal = ";"
		case literal == "":
			literal = tok.String()
		}
		out.WriteString(literal + "\x00")
	}
}

// TestTokens compares the tokens of all files of the module, and of cases that they may lack, with go/scanner.
func TestTokens(t *testing.T) {
	texts := map[string]string{
		"comments": "package a /* one */ // two\n\nvar x /* over\ntwo lines */ = 1 " +
			"/**/\nvar y = 2 //\nvar z = 3 /* a */ /* b\n */ // end",
		"strings": "package a\nconst s, r, c = \"a\\\"//b\\\\\", `raw \\ // \r\n\"`, '\\''\n",
		"numbers": "package a\nvar x = []any{0x1e+2, 1e+2, 1E-3, 0x1p-2, 0X1P+2, .5e1, " +
			"1_000, 0b11, 0o17, 2i, 1., x.y}\n",
		"operators": "package a\nfunc f() { a &^= b<<c; d <<= 1; e >>= 2; g &^ h; i<-j; " +
			"k++; l--; m... ; n &= &o; p |= ^q; *r %= !s || t }\n",
		"constraint": "package a\ntype T[P ~int | ~string] struct{}\n",
		"statements": "package a\nfunc f() {\nfor {\nbreak\n}\nreturn\n}\nfunc g() (a int) " +
			"{ goto\nend\nfallthrough\ncontinue }",
		"letters": "package a\nvar λ, größe, x٣ = 1, 2, 3\n",
	}
	err := fs.WalkDir(gaplab.Sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		text, err := fs.ReadFile(gaplab.Sources, name)
		texts[name] = string(text)
		return err
	})
	if err != nil || len(texts) < 100 {
		t.Fatalf("%d files, error %v; want the module's sources", len(texts), err)
	}
	for name, text := range texts {
		got, want := string(appendTokens(nil, []byte(text))), scanned([]byte(text))
		if got == want {
			continue
		}
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("%s: tokens continue %.60q after %d bytes, want %.60q", name, got[at:], at, want[at:])
	}
}
