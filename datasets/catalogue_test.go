package datasets

import (
	"context"
	"encoding/hex"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"
)

// A Loader type that is missing from All would be unreachable from a spec.
func TestAllListsEveryLoader(t *testing.T) {
	listed := map[string]bool{}
	for _, e := range All() {
		listed[reflect.TypeOf(e.New()).Elem().Name()] = true
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != "Load" {
				continue
			}
			recv := fn.Recv.List[0].Type
			if star, ok := recv.(*ast.StarExpr); ok {
				recv = star.X
			}
			declared++
			if name := recv.(*ast.Ident).Name; !listed[name] {
				t.Errorf("%s: loader %s is not in All", f.Name(), name)
			}
		}
	}
	if declared == 0 {
		t.Error("found no loader: the test no longer sees them")
	}
}

func TestEntriesAreComplete(t *testing.T) {
	names, paths := map[string]bool{}, map[string]bool{}
	for _, e := range All() {
		if names[e.Name] {
			t.Errorf("%s is listed twice", e.Name)
		}
		names[e.Name] = true
		if e.Title == "" || e.About == "" || e.Licence == "" {
			t.Errorf("%s: title, about or licence is empty", e.Name)
		}
		if len(e.Files) == 0 && !e.Synthetic && !e.Format {
			t.Errorf("%s: no files, though it is neither a generator nor a format", e.Name)
		}
		for _, f := range e.Files {
			if paths[f.Name] {
				t.Errorf("%s: file %s belongs to two sets", e.Name, f.Name)
			}
			paths[f.Name] = true
			if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 {
				t.Errorf("%s: %s: SHA-256 %q", e.Name, f.Name, f.SHA256)
			}
			if len(f.URLs) == 0 || f.Bytes <= 0 {
				t.Errorf("%s: %s: no URL or no size", e.Name, f.Name)
			}
		}
		if c, ok := e.New().(Validator); !ok {
			t.Errorf("%s: loader has no Check", e.Name)
		} else if err := c.Validate(); err != nil && !e.Format {
			t.Errorf("%s: the defaults are refused: %v", e.Name, err)
		}
	}
}

func TestFind(t *testing.T) {
	e, err := Find("mnist")
	if err != nil || e.Name != "mnist" {
		t.Errorf("Find(mnist) = %q, %v", e.Name, err)
	}
	_, err = Find("mnits")
	if err == nil || !strings.Contains(err.Error(), "mnits") || !strings.Contains(err.Error(), "digits, mnist") {
		t.Errorf("Find(mnits): %v: want the names that exist", err)
	}
}

// New must not share its loader: settings of one spec would leak into the next.
func TestNewIsFresh(t *testing.T) {
	for _, e := range All() {
		if e.New() == e.New() {
			t.Errorf("%s: New returns the same loader twice", e.Name)
		}
	}
}

func TestSettingsOutOfRange(t *testing.T) {
	for _, c := range []struct {
		loader Loader
		key    string
	}{
		{MNIST{Train: 0}, "train"},
		{MNIST{Train: 60001}, "train"},
		{MNIST{Train: 1, Validation: -1}, "validation"},
		{MNIST{Train: 1, Validation: 10001}, "validation"},
		{Digits{Train: -5}, "train"},
		{Digits{Train: 1, Validation: 1 << 40}, "validation"},
		{LIBSVM{}, "path"},
		{LIBSVM{Path: "x", Train: -1}, "train"},
		{LIBSVM{Path: "x", ValidationFraction: 1}, "validation_fraction"},
		{LIBSVM{Path: "x", ValidationFraction: .2, Validation: "y"}, "validation_fraction"},
		{LIBSVMSet{}, "train"},
		{CoNLL{Columns: "word"}, "path"},
		{CoNLL{Path: "x"}, "columns"},
		{CoNLL{Path: "x", Columns: "id head _"}, "columns"},
		{CoNLL{Path: "x", Columns: "word pos word"}, "columns"},
		{CoNLL{Path: "x", Columns: "word pos", Projective: true}, "projective"},
		{CoNLL{Path: "x", Columns: "word", Train: -1}, "train"},
		{CoNLLU{Path: "x", Validation: "y", ValidationFraction: .5}, "validation_fraction"},
		{PTB{}, "path"},
		{PTB{Path: "x", MaxWords: -1}, "max_words"},
		{OCRLetters{TrainOn: "others", Fold: 10}, "fold"},
		{OCRLetters{TrainOn: "all"}, "train_on"},
		{OCRLetters{TrainOn: "fold", TrainWords: 627}, "train_words"},
		{OCRLetters{TrainOn: "others", ValidationWords: 627}, "validation_words"},
		{CoNLL2000{Train: 8937}, "train"},
		{CoNLL2000{Train: 1, Validation: 2013}, "validation"},
		{CAST3LB{}, "split"},
		{CAST3LB{Split: "eg", Train: 2307}, "train"},
		{CAST3LB{Split: "conllx", Validation: 1001}, "validation"},
		{PTBSample{Train: 3915}, "train"},
		{PTBSample{Validation: 3914}, "validation"},
		{PTBSample{MaxWords: -1}, "max_words"},
	} {
		_, err := c.loader.Load(context.Background(), Source{})
		var setting *SettingError
		if !errors.As(err, &setting) || setting.Key != c.key {
			t.Errorf("%T%+v: %v: want a SettingError of %s", c.loader, c.loader, err, c.key)
		}
	}
}
