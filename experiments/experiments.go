// Package experiments holds the papers' experiments: <paper>/<item>.yaml, with the paper's printed numbers as CSV
// beside them. They are embedded in the program, so that it runs in any folder.
package experiments

import "embed"

// FS holds the specs and the printed numbers, by paths such as eg/fig06.yaml.
//
//go:embed */*.yaml */*.csv
var FS embed.FS
