// Package gaplab embeds the source code of the program. Editors show the comments above the fields of settings as
// descriptions of the settings. Manifests of results contain hashes of the source code that ran.
package gaplab

import "embed"

// Module is the path of the module. The import paths of all packages of the module begin with this path.
const Module = "github.com/gaplab/gaplab"

// Sources holds the Go files of the module, tests included, by their paths relative to the module's root. The folders
// examples and tools contain other modules, which cannot be embedded. The patterns therefore exclude subfolders of
// folders whose names begin with e or t; no other such folder has subfolders with packages.
//
//go:embed *.go */*.go [^et]*/*/*.go [^et]*/*/*/*.go [^et]*/*/*/*/*.go
var Sources embed.FS
