package expr

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// compile parses an expression, checks its names, rewrites it (see rewriter) and compiles it. e is what its functions
// work on; nil if the program is not to be run. An error has the position.
func compile(source string, r *rewriter, e *Evaluation) (*vm.Program, error) {
	config := conf.CreateNew()
	for _, f := range r.functions {
		call := f.call
		config.Functions[f.Name] = &builtin.Function{
			Name: f.Name,
			Func: func(args ...any) (any, error) {
				v, err := call(e, args)
				var lacking *untestable
				if err != nil && !errors.As(err, &lacking) {
					return nil, fmt.Errorf("%s: %w", f.Name, err)
				}
				return v, err
			},
		}
	}
	for name, call := range internals() {
		config.Functions[name] = &builtin.Function{
			Name: name,
			Func: func(args ...any) (any, error) { return call(e, args) },
		}
	}
	config.WithEnv(map[string]any{})
	maps.DeleteFunc(config.Builtins, func(name string, _ *builtin.Function) bool { // their names are free for let
		return !slices.Contains(predicates(), name)
	})
	config.Strict = false // names are checked by the rewriter, whose errors list what there is

	tree, err := parser.ParseWithConfig(source, config)
	if err != nil {
		return nil, err
	}
	tree.Node = r.rewrite(tree.Node)
	if r.err != nil {
		return nil, r.err.Bind(tree.Source)
	}
	if _, err := checker.Check(tree, config); err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			return nil, at
		}
		return nil, err
	}
	return compiler.Compile(tree, config)
}

// Check reports what is wrong with an expression without evaluating it: its syntax, its functions and their
// number of arguments and, in claims, its names. kind is "assert" or "measure" (of a claim), "where" (over labels,
// whose names are not known before the runs), "axis" (over columns) or "bound" (over x and labels).
func Check(kind, source string) error {
	r := &rewriter{}
	switch kind {
	case "assert", "measure":
		r.functions, r.names, r.claim, r.observed = functions(), claimNames(), true, kind == "assert"
	case "where", "axis", "bound":
		r.functions, r.open = functions(), true
	default:
		return fmt.Errorf("expr: no kind of expression %q: assert, measure, where, axis, bound", kind)
	}
	_, err := compile(source, r, nil)
	return err
}
