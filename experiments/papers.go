package experiments

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// reports are the papers' own pages.
//
//go:embed */README.md
var reports embed.FS

// Paper is a paper that has a folder here.
type Paper struct {
	Key      string // its folder, with which the ids of its experiments begin
	Title    string // the heading of its README.md; empty without one
	Citation string // the first paragraph there: authors, title, place and year, with Markdown's stars
}

// Papers are the papers that have experiments here, by their keys in alphabetical order. All that is said about a paper
// comes from its own folder.
func Papers() []Paper {
	folders, err := fs.ReadDir(FS, ".")
	if err != nil {
		panic("experiments: " + err.Error()) // it is embedded
	}
	out := make([]Paper, len(folders))
	for i, folder := range folders {
		out[i].Key = folder.Name()
		if text, err := reports.ReadFile(path.Join(folder.Name(), "README.md")); err == nil {
			out[i].Title, out[i].Citation = beginning(string(text))
		}
	}
	return out
}

// beginning is the heading and the first paragraph of a page in Markdown, each in one line.
func beginning(page string) (title, paragraph string) {
	for _, block := range strings.Split(page, "\n\n") {
		block = strings.Join(strings.Fields(block), " ")
		if heading, ok := strings.CutPrefix(block, "# "); ok {
			title = heading
		} else if block != "" {
			return title, block
		}
	}
	return title, ""
}
