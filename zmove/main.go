// Command zmove splits package solvers into families (thrown away afterwards).
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/imports"
)

const root = "github.com/gaplab/gaplab/solvers"

// home of a file by prefix, longest first
var homes = [][2]string{
	{"solver.go", ""}, {"env.go", ""}, {"needs.go", ""}, {"missing.go", ""}, {"all.go", "ALL"},
	{"eg_", "eg"}, {"eg.go", "eg"}, {"bench_test", "eg"}, {"structures", "eg"},
	{"oneslack", "cuttingplane"}, {"nslack", "cuttingplane"}, {"bmrm", "cuttingplane"}, {"separation", "cuttingplane"}, {"cuttingplane", "cuttingplane"},
	{"egr", "saddle"}, {"extragradient", "saddle"}, {"pass_test", "saddle"},
	{"bcfw", "frankwolfe"},
	{"smo", "coordinate"}, {"sdca", "coordinate"}, {"decomposition", "coordinate"},
	{"sgd", "gradient"}, {"gradient", "gradient"}, {"lbfgs", "gradient"}, {"adagrad", "gradient"},
	{"rsd", "simplicial"},
	{"bethe", "bethe"}, {"interior", "bethe"},
	{"external", "external"},
	{"given", "direct"}, {"ml", "direct"},
	{"adjoint", "internal/dualspace"}, {"cadence", "internal/dualspace"}, {"layout", "internal/dualspace"},
	{"order", "internal/dualspace"}, {"radius", "internal/dualspace"}, {"vector", "internal/dualspace"},
	{"conformance", "CONF"},
}

func homeOf(file string) string {
	b := filepath.Base(file)
	for _, h := range homes {
		if strings.HasPrefix(b, h[0]) {
			return h[1]
		}
	}
	panic("no home of " + b)
}

// names by family
var names = map[string]string{
	"EG": "Solver", "newEG": "New", "newOneSlack": "NewOneSlack", "newNSlack": "NewNSlack", "newBMRM": "NewBMRM",
	"newEGR": "NewEGR", "newExtragradient": "NewExtragradient", "newBCFW": "New", "newSMO": "NewSMO", "newSDCA": "NewSDCA",
	"newDecomposition": "NewDecomposition", "newSGD": "NewSGD", "Gradient": "Descent", "newGradient": "NewDescent", "newLBFGS": "NewLBFGS",
	"newRSD": "New", "BetheRDA": "RDA", "BetheDamped": "Damped", "BetheAccelerated": "Accelerated", "newBetheRDA": "NewRDA",
	"newBetheDamped": "NewDamped", "newBetheAccelerated": "NewAccelerated", "newInteriorPoint": "NewInteriorPoint",
	"External": "Program", "newExternal": "New", "newGiven": "NewGiven", "newML": "NewML",
	"visitOrder": "Order", "newVisitOrder": "NewOrder", "radiusSq": "RadiusSq",
}

var forced = map[string]bool{} // helpers of tests that stay

func export(s string) string { r := []rune(s); r[0] = unicode.ToUpper(r[0]); return string(r) }

type edit struct {
	at, n int
	text  string
}

func main() {
	dry := len(os.Args) > 1 && os.Args[1] == "-n"
	fset := token.NewFileSet()
	cfg := &packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps, Fset: fset, Tests: true}
	pkgs, err := packages.Load(cfg, root)
	if err != nil {
		panic(err)
	}
	var main_, ext *packages.Package
	for _, p := range pkgs {
		for _, e := range p.Errors {
			fmt.Println(e)
		}
		switch {
		case p.ID == root+" ["+root+".test]":
			main_ = p
		case p.Name == "solvers_test":
			ext = p
		}
	}
	// where each package-level object lives: key name (main) or x.name (ext)
	home := map[string]string{}
	test := map[string]bool{}
	decl := map[string]ast.Decl{}
	fileOf := map[string]*ast.File{}
	collect := func(p *packages.Package, prefix string) {
		for _, f := range p.Syntax {
			file := fset.Position(f.Pos()).Filename
			for _, d := range f.Decls {
				add := func(n string) {
					home[prefix+n] = homeOf(file)
					test[prefix+n] = strings.HasSuffix(file, "_test.go")
					decl[prefix+n], fileOf[prefix+n] = d, f
				}
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil {
						add(d.Name.Name)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							add(s.Name.Name)
						case *ast.ValueSpec:
							for _, n := range s.Names {
								if n.Name != "_" {
									add(n.Name)
								}
							}
						}
					}
				}
			}
		}
	}
	collect(main_, "")
	collect(ext, "x.")
	key := func(o types.Object, p *packages.Package) (string, bool) {
		if o == nil || o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
			return "", false
		}
		switch o.Pkg().Path() {
		case root:
			return o.Name(), true
		case root + "_test":
			return "x." + o.Name(), true
		}
		return "", false
	}
	// test helpers used from another home -> testbed, with what they use
	bed := map[string]bool{}
	type use struct{ from, to string }
	uses := map[string]map[string]bool{} // object -> objects it uses
	for _, p := range []*packages.Package{main_, ext} {
		for _, f := range p.Syntax {
			h := homeOf(fset.Position(f.Pos()).Filename)
			for _, d := range f.Decls {
				var owners []string
				switch d := d.(type) {
				case *ast.FuncDecl:
					n := d.Name.Name
					if d.Recv != nil {
						t := d.Recv.List[0].Type
						if s, ok := t.(*ast.StarExpr); ok {
							t = s.X
						}
						if ix, ok := t.(*ast.IndexExpr); ok {
							t = ix.X
						}
						n = t.(*ast.Ident).Name
					}
					owners = []string{n}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							owners = append(owners, s.Name.Name)
						case *ast.ValueSpec:
							for _, n := range s.Names {
								owners = append(owners, n.Name)
							}
						}
					}
				}
				ast.Inspect(d, func(n ast.Node) bool {
					id, ok := n.(*ast.Ident)
					if !ok {
						return true
					}
					k, ok := key(p.TypesInfo.Uses[id], p)
					if !ok {
						return true
					}
					for _, o := range owners {
						if p == ext {
							o = "x." + o
						}
						if uses[o] == nil {
							uses[o] = map[string]bool{}
						}
						uses[o][k] = true
					}
					if test[k] && home[k] != h {
						bed[k] = true
					}
					return true
				})
			}
		}
	}
	for again := true; again; {
		again = false
		for k := range bed {
			for u := range uses[k] {
				if test[u] && !bed[u] {
					bed[u] = true
					again = true
				}
			}
		}
	}
	var list []string
	for k := range bed {
		list = append(list, k)
	}
	sort.Strings(list)
	for _, k := range list {
		var non []string
		for u := range uses[k] {
			if !test[u] && home[u] != "" && home[u] != "internal/dualspace" {
				non = append(non, u)
			}
		}
		fmt.Println("testbed:", k, home[k], non)
		home[k] = "internal/testbed"
	}
	if dry {
		return
	}
	newName := func(k string, cross bool) string {
		n := strings.TrimPrefix(k, "x.")
		if r, ok := names[n]; ok && !test[k] {
			return r
		}
		if home[k] == "internal/testbed" || home[k] == "internal/dualspace" {
			return export(n)
		}
		return n
	}
	// fields and methods of shared types are exported
	shared := map[types.Object]string{}
	memberKey := map[string]string{} // position -> name
	for _, p := range []*packages.Package{main_, ext} {
		for id, o := range p.TypesInfo.Defs {
			if o == nil {
				continue
			}
			isMember := false
			switch o := o.(type) {
			case *types.Var:
				isMember = o.IsField()
				if isMember && o.Embedded() {
					// named after its type
					continue
				}
			case *types.Func:
				isMember = o.Type().(*types.Signature).Recv() != nil
			}
			if !isMember {
				continue
			}
			file := fset.Position(id.Pos()).Filename
			h := homeOf(file)
			inBed := false
			if strings.HasSuffix(file, "_test.go") { // in a declaration of the testbed?
				for k := range bed {
					if d := decl[k]; d.Pos() <= id.Pos() && id.Pos() < d.End() {
						inBed = true
					}
				}
				if f, ok := o.(*types.Func); ok { // a method of a type of the testbed
					t := f.Type().(*types.Signature).Recv().Type()
					if pt, ok := t.(*types.Pointer); ok {
						t = pt.Elem()
					}
					if nt, ok := t.(*types.Named); ok {
						if k, ok := key(nt.Obj(), p); ok && bed[k] {
							inBed = true
						}
					}
				}
				if !inBed {
					continue
				}
			} else if h != "internal/dualspace" {
				continue
			}
			shared[o] = export(o.Name())
			memberKey[fset.Position(id.Pos()).String()] = export(o.Name())
		}
	}
	outFiles := map[string][]byte{}
	bedText := map[string]*bytes.Buffer{}
	for _, p := range []*packages.Package{main_, ext} {
		for _, f := range p.Syntax {
			path := fset.Position(f.Pos()).Filename
			h := homeOf(path)
			if h == "ALL" || h == "CONF" || h == "" && !strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, _ := os.ReadFile(path)
			tf := fset.File(f.Pos())
			off := func(p token.Pos) int { return tf.Offset(p) }
			var edits []edit
			need := map[string]bool{}
			// ranges cut to the testbed
			type span struct{ lo, hi int }
			var cuts []span
			inCut := func(o int) bool {
				for _, c := range cuts {
					if c.lo <= o && o < c.hi {
						return true
					}
				}
				return false
			}
			for _, d := range f.Decls {
				cut := false
				var doc *ast.CommentGroup
				switch d := d.(type) {
				case *ast.FuncDecl:
					doc = d.Doc
					n := d.Name.Name
					if d.Recv != nil {
						t := d.Recv.List[0].Type
						if s, ok := t.(*ast.StarExpr); ok {
							t = s.X
						}
						if ix, ok := t.(*ast.IndexExpr); ok {
							t = ix.X
						}
						n = t.(*ast.Ident).Name
					}
					if p == ext {
						n = "x." + n
					}
					cut = bed[n]
				case *ast.GenDecl:
					doc = d.Doc
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.TypeSpec:
							n := s.Name.Name
							if p == ext {
								n = "x." + n
							}
							cut = cut || bed[n]
						case *ast.ValueSpec:
							for _, id := range s.Names {
								n := id.Name
								if p == ext {
									n = "x." + n
								}
								cut = cut || bed[n]
							}
						}
					}
				}
				if cut {
					lo := off(d.Pos())
					if doc != nil {
						lo = off(doc.Pos())
					}
					hi := off(d.End())
					for hi < len(src) && src[hi] != '\n' {
						hi++
					}
					cuts = append(cuts, span{lo, hi + 1})
				}
			}
			selX := map[*ast.Ident]string{} // solvers in solvers.X -> package
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && p == ext {
					if x, ok := s.X.(*ast.Ident); ok {
						if pn, ok := p.TypesInfo.Uses[x].(*types.PkgName); ok && pn.Imported().Path() == root {
							selX[x] = s.Sel.Name
						}
					}
				}
				return true
			})
			bedNeed := map[string]bool{}
			ast.Inspect(f, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				at := off(id.Pos())
				here := h
				needs := need
				if inCut(at) {
					here, needs = "internal/testbed", bedNeed
				}
				if name, ok := selX[id]; ok {
					to := home[name]
					pk := filepath.Base(to)
					if to == "" {
						pk = "solvers"
					}
					if to == here && false {
						return true
					}
					edits = append(edits, edit{at, len(id.Name), pk})
					needs[to] = true
					return true
				}
				if o := p.TypesInfo.Defs[id]; o != nil {
					if k, ok := key(o, p); ok {
						if nn := newName(k, false); nn != id.Name {
							edits = append(edits, edit{at, len(id.Name), nn})
						}
						return true
					}
					if nn, ok := shared[o]; ok {
						edits = append(edits, edit{at, len(id.Name), nn})
						return true
					}
				}
				o := p.TypesInfo.Uses[id]
				if o == nil {
					return true
				}
				if fn, ok := o.(*types.Func); ok {
					o = fn.Origin()
				}
				if v, ok := o.(*types.Var); ok && v.IsField() {
					v = v.Origin()
					o = v
					if v.Embedded() {
						t := v.Type()
						if pt, ok := t.(*types.Pointer); ok {
							t = pt.Elem()
						}
						if nt, ok := t.(*types.Named); ok {
							if k, ok := key(nt.Obj(), p); ok {
								if nn := newName(k, false); nn != id.Name {
									edits = append(edits, edit{at, len(id.Name), nn})
								}
							}
						}
						// an embedded field's type ident is in Uses as the type as well
						if _, isType := p.TypesInfo.Uses[id].(*types.TypeName); !isType {
							return true
						}
					}
				}
				if nn, ok := memberKey[fset.Position(o.Pos()).String()]; ok {
					edits = append(edits, edit{at, len(id.Name), nn})
					return true
				}
				k, ok := key(o, p)
				if !ok {
					return true
				}
				if p == ext && !strings.HasPrefix(k, "x.") { // the Sel of solvers.X
					if nn := newName(k, true); nn != id.Name {
						edits = append(edits, edit{at, len(id.Name), nn})
					}
					return true
				}
				nn := newName(k, true)
				if home[k] == here {
					if nn != id.Name {
						edits = append(edits, edit{at, len(id.Name), nn})
					}
					return true
				}
				pk := filepath.Base(home[k])
				if home[k] == "" {
					pk = "solvers"
				}
				needs[home[k]] = true
				edits = append(edits, edit{at, len(id.Name), pk + "." + nn})
				return true
			})
			sort.Slice(edits, func(i, j int) bool { return edits[i].at < edits[j].at })
			apply := func(lo, hi int) string {
				var b strings.Builder
				at := lo
				for _, e := range edits {
					if e.at < lo || e.at >= hi {
						continue
					}
					if e.at < at {
						continue
					}
					b.Write(src[at:e.at])
					b.WriteString(e.text)
					at = e.at + e.n
				}
				b.Write(src[at:hi])
				return b.String()
			}
			importText := func(needs map[string]bool) string {
				var lines []string
				for n := range needs {
					ip := root
					if n != "" {
						ip += "/" + n
					}
					lines = append(lines, fmt.Sprintf("\t%q\n", ip))
				}
				sort.Strings(lines)
				if len(lines) == 0 {
					return ""
				}
				return "import (\n" + strings.Join(lines, "") + ")\n"
			}
			headEnd := off(f.Name.End())
			pkgName := filepath.Base(h)
			if p == ext {
				pkgName += "_test"
			}
			var oldImports string
			body := headEnd
			if len(f.Imports) > 0 {
				for _, d := range f.Decls {
					if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
						oldImports += string(src[off(g.Pos()):off(g.End())]) + "\n"
						body = off(g.End())
					}
				}
			}
			delete(need, h)
			if p == ext {
				need[h] = true
				if h == "" {
					delete(need, h)
				}
			}
			var out strings.Builder
			out.WriteString(string(src[:off(f.Package)]))
			out.WriteString("package " + pkgName + "\n\n" + oldImports + importText(need))
			at := body
			sort.Slice(cuts, func(i, j int) bool { return cuts[i].lo < cuts[j].lo })
			for _, c := range cuts {
				out.WriteString(apply(at, c.lo))
				at = c.hi
			}
			out.WriteString(apply(at, len(src)))
			base := strings.TrimSuffix(filepath.Base(path), ".go")
			outFiles[filepath.Join(filepath.Dir(path), h, base+".go")] = []byte(out.String())
			if len(cuts) > 0 {
				var b strings.Builder
				delete(bedNeed, "internal/testbed")
				b.WriteString("package testbed\n\n" + oldImports + importText(bedNeed))
				for _, c := range cuts {
					b.WriteString("\n" + apply(c.lo, c.hi))
				}
				outFiles[filepath.Join(filepath.Dir(path), "internal/testbed", strings.TrimSuffix(base, "_test")+".go")] = []byte(b.String())
			}
			_ = bedText
			os.Remove(path)
		}
	}
	for path, text := range outFiles {
		os.MkdirAll(filepath.Dir(path), 0o755)
		res, err := imports.Process(path, text, &imports.Options{Comments: true, TabIndent: true, TabWidth: 8})
		if err != nil {
			fmt.Println(path, err)
			res = text
		}
		os.WriteFile(path, res, 0o644)
	}
}
