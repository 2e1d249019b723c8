package crate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/trace"
)

// data adds the entities of a data set, its licence and its files, and returns the identifier of the data set. Data are
// not in the crate, so these entities are no files of it.
func (g *graph) data(m trace.DataManifest) string {
	id := "#data/" + m.Name
	for _, e := range g.list {
		if e["@id"] == id {
			sums := e["identifier"].([]string)
			if !slices.Contains(sums, m.Checksum) { // the same data set with other settings
				sums = append(sums, m.Checksum)
				slices.Sort(sums)
				e["identifier"] = sums
			}
			g.files(e, m)
			return id
		}
	}
	e := entity{"@id": id, "@type": "CreativeWork", "name": m.Name, "identifier": []string{m.Checksum},
		"description": "Data set. The identifiers are checksums of the examples that the experiments read."}
	known, err := datasets.Find(catalogue.DataSets(), m.Name)
	if err == nil {
		e["name"] = m.Name + ": " + known.Title
		licence := g.add(entity{"@id": "#licence/" + m.Name, "@type": "CreativeWork", "name": "Licence of " + m.Name,
			"description": known.Licence})
		e["license"] = ref(licence)
	}
	if m.Synthetic {
		e["description"] = "Data set, drawn from a seed by gaplab. The identifiers are checksums of its examples."
	}
	g.add(e)
	g.files(e, m)
	return id
}

// files adds the entities of the files of a data set, and lists them as its parts. set is the entity of the data set.
func (g *graph) files(set entity, m trace.DataManifest) {
	known, _ := datasets.Find(catalogue.DataSets(), m.Name)
	ids := map[string]bool{}
	if old, ok := set["hasPart"].([]entity); ok {
		for _, part := range old {
			ids[part["@id"].(string)] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		e := entity{"@id": fmt.Sprintf("#data/%s/%s", m.Name, strings.TrimPrefix(name, m.Name+"/")),
			"@type": "CreativeWork", "name": name, "sha256": m.Files[name],
			"description": "File of a data set. Its checksum and its size are those of the decompressed content."}
		i := slices.IndexFunc(known.Files, func(f datasets.File) bool { return f.Name == name })
		if i >= 0 {
			if f := known.Files[i]; len(f.URLs) > 0 {
				e["url"] = f.URLs[0]
			}
			if n := known.Files[i].Bytes; n > 0 {
				e["contentSize"] = strconv.FormatInt(n, 10)
			}
		}
		ids[g.add(e)] = true
	}
	if len(ids) > 0 {
		set["hasPart"] = refs(slices.Sorted(maps.Keys(ids)))
	}
}
