// Package results embeds the references of the gate, so that the program has them in any folder. The results at other
// scales are not embedded: the program fetches them as one archive, whose checksum is embedded.
package results

import (
	"embed"
	"strings"
)

// References holds the references of the gate, by paths such as smoke/eg/fig06.jsonl.
//
//go:embed smoke/*/*.jsonl
var References embed.FS

//go:embed archive.sha256
var sum string

// SumFile is the name of the file with the checksum of the archive. `gaplab baseline archive` writes it.
const SumFile = "archive.sha256"

// Sum returns the hexadecimal SHA-256 of the archive, from the file SumFile.
func Sum() string {
	digits, _, _ := strings.Cut(sum, " ")
	return digits
}

// Archived returns the scales of the results in the archive, which are the names of folders.
func Archived() []string { return []string{"paper"} }
