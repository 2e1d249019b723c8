// Package experiments holds the papers' experiments as specs <paper>/<item>.yaml, and CSV files with the numbers that
// the papers print. All are embedded in the program, so that it runs in any folder.
package experiments

import "embed"

// FS holds the specs and the printed numbers, by paths such as eg/fig06.yaml.
//
//go:embed */*.yaml */*.csv
var FS embed.FS
