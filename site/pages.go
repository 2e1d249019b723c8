package main

import (
	"fmt"
	"html"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/internal/markdown"
	"github.com/gaplab/gaplab/site/playground"
)

// page is a page of the site.
type page struct {
	Path    string // path in the site, with slashes, such as docs/GATE.html
	Source  string // path of its Markdown in the repository; "" for pages that are made here
	Section string // heading of the navigation above it
	Name    string // its name in the navigation
	Title   string
	Body    template.HTML
}

// site is all that is written.
type site struct {
	root    string // folder of the repository
	pages   []*page
	reports []string        // papers that have a report
	figures map[string]bool // paths of figures in the repository that pages show
}

// playgroundPath is the path of the playground in the site.
const playgroundPath = "playground.html"

// papers returns the folders of experiments that have a README.
func papers() []string { return []string{"eg", "cutting-plane", "egr", "bethe", "rsd", "peers"} }

// reportOf returns the path of a paper's report in the site.
func reportOf(paper string) string { return "papers/" + paper + "-curves.html" }

// contents lists the pages in the order of the navigation, without their texts.
func contents() []*page {
	all := []*page{
		{Source: "README.md", Path: "index.html", Section: "Start", Name: "gaplab in five minutes"},
		{Path: playgroundPath, Section: "Start", Name: "Playground", Title: "Playground"},
		{Source: "docs/REPRODUCE.md", Section: "Guides", Name: "Reproduce a paper"},
		{Source: "docs/OWN-DATA.md", Section: "Guides", Name: "Train and predict"},
		{Source: "solvers/README.md", Path: "docs/solvers.html", Section: "Guides", Name: "Choose a solver"},
		{Source: "CONTRIBUTING.md", Path: "docs/contributing.html", Section: "Guides", Name: "Add a solver or a model"},
		{Source: "docs/EXTERNAL.md", Section: "Guides", Name: "Compare another program"},
		{Source: "docs/GATE.md", Section: "Guides", Name: "Guard convergence in CI"},
		{Source: "docs/CLUSTER.md", Section: "Guides", Name: "Use a cluster"},
		{Source: "docs/NOTEBOOKS.md", Section: "Guides", Name: "Teach with notebooks"},
	}
	names := map[string]string{"eg": "Exponentiated gradient", "cutting-plane": "Cutting planes", "egr": "Excessive gap",
		"bethe": "Bethe projections", "rsd": "Simplicial decomposition", "peers": "Other programs"}
	for _, paper := range papers() {
		all = append(all, &page{Source: "experiments/" + paper + "/README.md", Path: "papers/" + paper + ".html",
			Section: "Results", Name: names[paper]})
	}
	return append(all,
		&page{Source: "articles/egr/README.md", Path: "articles/egr.html", Section: "Articles",
			Name: "Excessive gap, measured"},
		&page{Source: "articles/rsd/README.md", Path: "articles/rsd.html", Section: "Articles", Name: "The right prediction"},
		&page{Path: "docs/commands.html", Section: "Reference", Name: "Commands"},
		&page{Source: "docs/SPEC.md", Section: "Reference", Name: "Experiments in YAML"},
		&page{Path: "docs/expressions.html", Section: "Reference", Name: "Expressions and claims"},
		&page{Path: "reference/solvers.html", Section: "Reference", Name: "Solvers", Title: "Solvers"},
		&page{Path: "reference/models.html", Section: "Reference", Name: "Models", Title: "Models"},
		&page{Path: "reference/files.html", Section: "Reference", Name: "Files", Title: "Files"},
		&page{Source: "docs/MISTAKES.md", Section: "Reference", Name: "Messages"},
		&page{Source: "docs/GLOSSARY.md", Section: "Reference", Name: "Glossary"},
		&page{Source: "ARCHITECTURE.md", Path: "docs/architecture.html", Section: "Background", Name: "Architecture"},
		&page{Source: "docs/CHOICES.md", Section: "Background", Name: "Choices"},
		&page{Source: "docs/FAULTS.md", Section: "Background", Name: "Faults"},
		&page{Source: "docs/PLANTED.md", Section: "Background", Name: "Planted bugs"},
		&page{Source: "CHANGELOG.md", Path: "docs/changelog.html", Section: "Background", Name: "Changes"})
}

// read reads the pages from the repository in the folder root. gaplab runs the program with arguments and returns its
// output.
func read(root string, gaplab func(args ...string) (string, error)) (*site, error) {
	s := &site{root: root, pages: contents(), figures: map[string]bool{}}
	for _, p := range s.pages {
		if p.Path == "" {
			p.Path = strings.TrimSuffix(p.Source, ".md") + ".html"
		}
	}
	for _, p := range s.pages {
		var err error
		switch p.Path {
		case "reference/solvers.html":
			p.Body, err = reference(root, p.Title, "../docs/SPEC.html#solvers", solverParts())
		case "reference/models.html":
			p.Body, err = reference(root, p.Title, "../docs/SPEC.html#models", modelParts())
		case "reference/files.html":
			p.Body, err = files(root)
		case playgroundPath:
			p.Body, err = playground.Body()
		}
		if err != nil {
			return nil, err
		}
		if p.Body != "" {
			continue
		}
		text, err := s.text(p, gaplab)
		if err != nil {
			return nil, err
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		p.Title = title
		if p.Body, err = markdown.HTML(text); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Source, err)
		}
		if p.Body, err = s.linked(p); err != nil {
			return nil, err
		}
		for _, paper := range papers() {
			if p.Source == "experiments/"+paper+"/README.md" {
				figures, err := s.gallery(p, paper)
				if err != nil {
					return nil, err
				}
				p.Body += figures
			}
		}
	}
	return s, nil
}

// gallery returns the figures of a paper's experiments at the paper's size, with their titles.
func (s *site) gallery(p *page, paper string) (template.HTML, error) {
	var b strings.Builder
	b.WriteString("\n<h2 id=\"figures\">Figures</h2>\n")
	for _, id := range experiments.IDs() {
		file := "results/paper/" + id + ".svg"
		if path.Dir(id) != paper || !isFile(filepath.Join(s.root, file)) {
			continue
		}
		found, err := harness.Find(id)
		if err != nil {
			return "", err
		}
		e, err := found.At("paper", nil)
		if err != nil {
			return "", err
		}
		s.figures[file] = true
		title := html.EscapeString(e.Title)
		fmt.Fprintf(&b, "<figure><figcaption>%s <code>%s</code></figcaption><img loading=\"lazy\" alt=\"%s\" "+
			"src=\"%s\"></figure>\n", title, id, title, relative(p.Path, "figures/"+file))
	}
	return template.HTML(b.String()), nil
}

// text returns the Markdown of a page.
func (s *site) text(p *page, gaplab func(args ...string) (string, error)) (string, error) {
	switch p.Path {
	case "docs/commands.html":
		return commands(gaplab)
	case "docs/expressions.html":
		text, err := gaplab("help", "expressions")
		return "# Expressions and claims\n\n```text\n" + text + "```\n", err
	}
	text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(p.Source)))
	return string(text), err
}

// linked returns the body of a page with links that lead to pages of the site, to copied figures or, for other files
// of the repository, to the repository's page of the file.
func (s *site) linked(p *page) (template.HTML, error) {
	var failed error
	link := regexp.MustCompile(`(href|src)="([^"]*)"`)
	out := link.ReplaceAllStringFunc(string(p.Body), func(attribute string) string {
		m := link.FindStringSubmatch(attribute)
		target, anchor, _ := strings.Cut(m[2], "#")
		if target == "" || strings.Contains(target, ":") {
			return attribute
		}
		file := path.Join(path.Dir(p.Source), target)
		if !isFile(filepath.Join(s.root, file)) && !isFolder(filepath.Join(s.root, file)) {
			failed = fmt.Errorf("%s: a link leads to %s, which does not exist", p.Source, file)
			return attribute
		}
		to := repository + "/blob/main/" + file
		if m[1] == "src" {
			s.figures[file] = true
			to = relative(p.Path, "figures/"+file)
		}
		for _, q := range s.pages {
			if q.Source == file {
				to = relative(p.Path, q.Path)
			}
		}
		if anchor != "" {
			to += "#" + anchor
		}
		return m[1] + `="` + to + `"`
	})
	return template.HTML(out), failed
}

// repository is the address of the repository, as in go.mod.
const repository = "https://github.com/gaplab/gaplab"

// relative returns the path of a file in the site, relative to a page.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// isFolder reports whether there is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
