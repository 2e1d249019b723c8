package main

import (
	"embed"
	"encoding/json"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gaplab/gaplab/site/playground"
)

//go:embed layout
var layout embed.FS

// write writes the site to a folder.
func (s *site) write(out string) error {
	t, err := template.ParseFS(layout, "layout/page.html")
	if err != nil {
		return err
	}
	for _, p := range s.pages {
		var b strings.Builder
		if err := t.Execute(&b, s.view(p)); err != nil {
			return err
		}
		if err := save(out, p.Path, []byte(b.String())); err != nil {
			return err
		}
	}
	for name := range s.figures {
		figure, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if err := save(out, "figures/"+name, figure); err != nil {
			return err
		}
	}
	for _, name := range []string{"style.css", "search.js"} {
		text, err := layout.ReadFile("layout/" + name)
		if err != nil {
			return err
		}
		if err := save(out, name, text); err != nil {
			return err
		}
	}
	assets, err := playground.Assets()
	if err != nil {
		return err
	}
	if assets["licences.txt"], err = os.ReadFile(filepath.Join(s.root, "THIRD_PARTY")); err != nil {
		return err
	}
	for name, text := range assets {
		if err := save(out, "playground/"+name, text); err != nil {
			return err
		}
	}
	index, err := json.Marshal(s.index())
	if err != nil {
		return err
	}
	// A script, because a browser does not let a page that was opened from a folder read a JSON file.
	return save(out, "index.js", append([]byte("const entries = "), append(index, ";\n"...)...))
}

// save writes a file of the site.
func save(out, name string, content []byte) error {
	file := filepath.Join(out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o666)
}

// link is an entry of the navigation.
type link struct {
	Name, To string
	Here     bool // it leads to the page itself
}

// section is a group of the navigation.
type section struct {
	Name  string
	Links []link
}

// view returns what the layout shows of a page.
func (s *site) view(p *page) any {
	var all []section
	add := func(name string, l link) {
		if len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, section{Name: name})
		}
		own := &all[len(all)-1]
		own.Links = append(own.Links, l)
	}
	for _, q := range s.pages {
		add(q.Section, link{q.Name, relative(p.Path, q.Path), p == q})
	}
	curves := ""
	for _, paper := range s.reports {
		if p.Path == "papers/"+paper+".html" {
			curves = relative(p.Path, reportOf(paper))
		}
	}
	return struct {
		*page
		Sections []section
		Top      string // path from the page to the top of the site
		Curves   string // link to the report of the paper, if there is one
	}{p, all, relative(p.Path, ""), curves}
}

// entry is a part of a page that the search finds: a heading and the text below it.
type entry struct {
	To    string `json:"to"` // path in the site, with an anchor
	Page  string `json:"page"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// index returns the parts of all pages.
func (s *site) index() []entry {
	heading := regexp.MustCompile(`(?s)<h[1-3] id="([^"]*)">(.*?)</h[1-3]>`)
	var all []entry
	for _, p := range s.pages {
		body := string(p.Body)
		found := heading.FindAllStringSubmatchIndex(body, -1)
		for i, m := range found {
			end := len(body)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			all = append(all, entry{p.Path + "#" + body[m[2]:m[3]], p.Name, plain(body[m[4]:m[5]]), plain(body[m[1]:end])})
		}
	}
	return all
}

// plain returns the text of HTML in one line.
func plain(body string) string {
	body = regexp.MustCompile(`(?s)<annotation.*?</annotation>`).ReplaceAllString(body, "")
	body = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(body, " ")
	return strings.Join(strings.Fields(html.UnescapeString(body)), " ")
}
