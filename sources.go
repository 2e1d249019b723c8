// Package gaplab holds the sources of the program itself: the comments above the settings' fields describe them to
// editors, and hashes of what ran go into the manifests of results.
package gaplab

import "embed"

// Module is the path of the module, with which the import paths of its packages begin.
const Module = "github.com/gaplab/gaplab"

// Sources are the Go files of the module, by their paths from its root. Tests are among them. Below examples and tools
// are other modules, which cannot be embedded; no other folder with an e or a t at its beginning has packages below it.
//
//go:embed *.go */*.go [^et]*/*/*.go [^et]*/*/*/*.go [^et]*/*/*/*/*.go
var Sources embed.FS
