package experiments

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// reports holds the papers' README.md files.
//
//go:embed */README.md
var reports embed.FS

// Paper is a paper that has a folder in this package.
type Paper struct {
	Key      string // name of the paper's folder, with which the ids of its experiments begin
	Title    string // the heading of its README.md; empty if there is none
	Citation string // the first paragraph of its README.md, in Markdown: authors, title, place and year
}

// Papers returns the papers that have experiments here, in the order of their keys. All that the project says about a
// paper comes from the paper's own folder.
func Papers() []Paper {
	folders, err := fs.ReadDir(FS, ".")
	if err != nil {
		panic("experiments: " + err.Error()) // impossible: the file is embedded
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

// beginning returns the heading and the first paragraph of a page in Markdown, each as one line.
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
