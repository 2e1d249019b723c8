package expr

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// calls contains the functions that a compiled program may call, by name.
type calls map[string]func(args ...any) (any, error)

// callsOn returns the functions of the language, and the functions that replace operators ($arith and others) or count
// steps ($step). All of them read curves through the reader r. r may be nil if the program is only checked and not run.
func callsOn(r *reader) calls {
	out := calls{
		"$step":    func(a ...any) (any, error) { return nil, r.spend(a[0].(int)) },
		"$map":     func(a ...any) (any, error) { return a[0], r.take(mapBytes(a[0].(map[string]any))) },
		"$get":     func(a ...any) (any, error) { return r.get(a[0], a[1].(string)) },
		"$arith":   func(a ...any) (any, error) { return arith(a[0].(string), a[1], a[2]) },
		"$compare": func(a ...any) (any, error) { return compare(a[0].(string), a[1], a[2]) },
		"$all":     func(a ...any) (any, error) { return quantify(a[0], func(t, n int) bool { return t == n }) },
		"$any":     func(a ...any) (any, error) { return quantify(a[0], func(t, _ int) bool { return t > 0 }) },
		"$none":    func(a ...any) (any, error) { return quantify(a[0], func(t, _ int) bool { return t == 0 }) },
		"$observe": func(...any) (any, error) { panic("expr: $observe without an Evaluation") },
	}
	for _, f := range allFunctions() {
		out[f.Name] = func(args ...any) (any, error) {
			v, err := f.call(r, args)
			if err != nil && !Lacks(err) && !exceeds(err) {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			return v, err
		}
	}
	for name, call := range out {
		switch name {
		case "$step", "$map", "$observe":
		default:
			out[name] = metered(r, name != "$get", call)
		}
	}
	return out
}

// compile parses an expression, checks its names, rewrites it (see rewriter) and compiles it to a program. The program
// may call the functions in uses. An error states the position in the source.
func compile(source string, r *rewriter, uses calls) (*vm.Program, error) {
	if n := len(source); n > mostCharacters {
		return nil, &excess{fmt.Sprintf("the expression has %d characters; accepted: at most %d", n, mostCharacters)}
	}
	config := conf.CreateNew()
	for name, call := range uses {
		config.Functions[name] = &builtin.Function{Name: name, Func: call}
	}
	config.WithEnv(map[string]any{})
	// remove the other functions of the library, so that let may define variables with their names
	maps.DeleteFunc(config.Builtins, func(name string, _ *builtin.Function) bool {
		return !slices.Contains(predicates(), name)
	})
	config.Strict = false // the rewriter checks the names instead: its errors list the accepted names

	config.MaxNodes = mostNodes

	text, edits := withLet(source)
	tree, err := parser.ParseWithConfig(text, config)
	if err == nil {
		err = checkSize(tree.Node)
	}
	tree.Source = file.NewSource(source)
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) && len(edits) > 0 {
			at.Location = file.Location{From: original(at.From, edits), To: original(at.To, edits)}
			at.Bind(tree.Source)
		}
		return nil, advised(source, translate(err))
	}
	if len(edits) > 0 {
		ast.Walk(&tree.Node, relocation{edits, map[ast.Node]bool{}})
	}
	root := tree.Node
	tree.Node = r.rewrite(root)
	if r.observed {
		r.judged(root)
	}
	if r.err != nil {
		return nil, r.err.Bind(tree.Source)
	}
	if _, err := checker.Check(tree, config); err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			at.Message = redeclared(truthValues(at.Message))
			return nil, at
		}
		return nil, err
	}
	return compiler.Compile(tree, config)
}

// run runs a compiled program with the variables in env. The reader r counts the steps and the memory.
func (r *reader) run(program *vm.Program, env map[string]any) (any, error) {
	r.steps, r.bytes = 0, 0
	machine := vm.VM{MemoryBudget: mostElements}
	value, err := machine.Run(program, env)
	if err == nil {
		err = r.spend(0) // an error if the warnings exceeded the bound: the method warn returns none
	}
	return value, plain(translate(err))
}
