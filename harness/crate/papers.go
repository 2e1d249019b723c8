package crate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/experiments"
)

// papers adds the entities of the papers that the experiments reproduce, and returns their identifiers.
func (g *graph) papers(ids []string) (out []string, err error) {
	index, err := experiments.Index()
	if err != nil {
		return nil, err
	}
	title, year := regexp.MustCompile(`\*([^*]+)\*`), regexp.MustCompile(`\b(19|20)\d\d\b`)
	for _, p := range experiments.Papers() {
		cited := slices.ContainsFunc(ids, func(id string) bool { return index[id].Paper == p.Key })
		name := title.FindStringSubmatch(p.Citation)
		if !cited || name == nil {
			continue
		}
		e := entity{"@id": "#paper/" + p.Key, "@type": "ScholarlyArticle", "name": name[1],
			"description": strings.ReplaceAll(p.Citation, "*", "")}
		if all := year.FindAllString(p.Citation, -1); len(all) > 0 {
			e["datePublished"] = all[len(all)-1]
		}
		out = append(out, g.add(e))
	}
	return out, nil
}
