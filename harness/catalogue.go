package harness

import (
	"sync"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/harness/entries"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/schema"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/internal/source"
)

// ownSources returns an index of the program's own sources, which computes a hash for each package.
var ownSources = sync.OnceValue(func() *source.Index { return source.New(gaplab.Sources, gaplab.Module) })

// ownProgram returns a single hash of all sources of the program, without tests.
var ownProgram = sync.OnceValue(func() string { return source.All(gaplab.Sources) })

// Catalogue returns the lists of data sets, models and solvers that specs may name.
func Catalogue() lang.Catalogue {
	c := entries.All()
	c.CheckExpr, c.Describe = expr.Check, schema.Comments(gaplab.Sources, gaplab.Module)
	c.Rows, c.Sources, c.Program = record.Component(), ownHash, ownProgram
	return c
}

// ownHash returns the hash of a package of this program and of all its packages that it imports.
func ownHash(pkg string) string { return ownSources().Hash(pkg) }
