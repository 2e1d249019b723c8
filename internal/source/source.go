// Package source detects changes of code. It hashes packages of a module, with all packages of the module that they
// import, from the sources that are embedded in the program. The hash does not depend on a version control system or on
// the working folder. Changes of comments, layout, tests and other modules do not change it.
//
//	x := source.New(gaplab.Sources, gaplab.Module)
//	sum := x.Hash("solvers/eg", "models/chain")
package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Index hashes packages of one module. It is safe for concurrent use.
type Index struct {
	files  fs.FS
	module string

	mu       sync.Mutex
	packages map[string]*pkg

	text, tokens []byte // content of the file that was read last; the next file reuses the memory
}

// pkg holds the hash of a package's code, and the folders of the packages of the same module that it imports.
type pkg struct {
	sum     [sha256.Size]byte
	imports []string
}

// New returns an Index of a module's files. Their paths are relative to the module's root and separated by slashes. A
// package is read when it is first needed.
func New(files fs.FS, module string) *Index {
	return &Index{files: files, module: module, packages: map[string]*pkg{}}
}

// Hash returns 16 hexadecimal digits that identify the code of the named packages, and of all packages of the module
// that they import, directly or indirectly. A name is a folder or an import path. Hash panics if a folder has no Go
// files, since the program was built from these files.
func (x *Index) Hash(packages ...string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	all := map[string]*pkg{}
	for _, p := range packages {
		x.collect(all, x.folder(p))
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%s %x\n", name, all[name].sum)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// All returns 16 hexadecimal digits that identify the names and contents of all files except tests. It panics if a file
// cannot be read.
func All(files fs.FS) string {
	h := sha256.New()
	var text []byte
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text = readInto(text, files, name)
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
		return nil
	})
	if err != nil {
		panic("source: " + err.Error())
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Holds reports whether a folder has each of the files, except tests, with the same content. A file that is missing or
// cannot be read differs.
func Holds(folder, files fs.FS) bool {
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		want, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		got, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%s differs", name)
		}
		return nil
	})
	return err == nil
}

// folder returns the folder of a package, relative to the module's root. The name is the folder or the import path.
func (x *Index) folder(name string) string {
	if name == x.module {
		return "."
	}
	return strings.TrimPrefix(name, x.module+"/")
}

// collect adds a package, and the packages that it imports directly or indirectly, to all.
func (x *Index) collect(all map[string]*pkg, folder string) {
	if all[folder] != nil {
		return
	}
	p := x.packages[folder]
	if p == nil {
		p = x.read(folder)
		x.packages[folder] = p
	}
	all[folder] = p
	for _, name := range p.imports {
		x.collect(all, name)
	}
}

// read hashes the code of a package without its imports.
func (x *Index) read(folder string) *pkg {
	names, err := fs.Glob(x.files, path.Join(folder, "*.go"))
	if err != nil {
		panic("source: " + err.Error())
	}
	p, h, code := &pkg{}, sha256.New(), 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		x.text = readInto(x.text, x.files, name)
		x.tokens = appendTokens(slices.Grow(x.tokens[:0], 2*len(x.text)), x.text)
		code++
		fmt.Fprintf(h, "%s\n", path.Base(name))
		h.Write(x.tokens)
		p.imports = append(p.imports, x.importsOf(x.tokens)...)
	}
	if code == 0 {
		panic(fmt.Sprintf("source: the program's sources have no package %q", folder))
	}
	slices.Sort(p.imports)
	p.imports = slices.Compact(p.imports)
	h.Sum(p.sum[:0])
	return p
}

// importsOf lists the folders of the module's packages that a file with the given tokens imports.
func (x *Index) importsOf(tokens []byte) []string {
	var out []string
	for len(tokens) > 0 {
		at := bytes.IndexByte(tokens, 0)
		token := string(tokens[:at])
		tokens = tokens[at+1:]
		switch token {
		case "const", "func", "type", "var": // all imports come before
			return out
		}
		if p, err := strconv.Unquote(token); err == nil && (p == x.module || strings.HasPrefix(p, x.module+"/")) {
			out = append(out, x.folder(p))
		}
	}
	return out
}

// appendTokens appends the tokens of a Go file to out, each followed by a zero byte. It skips comments, and writes the
// end of a statement as a semicolon even if the file has a line end in its place. So the result does not depend on
// layout, except for the ends of statements.
func appendTokens(out, text []byte) []byte {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", files.Base(), len(text)), text, nil, 0)
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON:
			literal = ";" // a line end counts as a semicolon
		case literal == "":
			literal = tok.String()
		}
		out = append(append(out, literal...), 0)
	}
}

// readInto reads a file into the memory of buf if it suffices, and into new memory otherwise. It panics if the file
// cannot be read.
func readInto(buf []byte, files fs.FS, name string) []byte {
	file, err := files.Open(name)
	if err != nil {
		panic("source: " + err.Error())
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		panic("source: " + err.Error())
	}
	buf = slices.Grow(buf[:0], int(info.Size()))[:info.Size()]
	if _, err := io.ReadFull(file, buf); err != nil {
		panic("source: " + name + ": " + err.Error())
	}
	return buf
}
