package crate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
)

// The identifiers that the metadata name. RO-Crate 1.1 has no term for checksums; sha256 is the term of the
// vocabulary of Workflow Run Crates, to which the profile of Process Run Crates belongs.
const (
	specification = "https://w3id.org/ro/crate/1.1"
	profile       = "https://w3id.org/ro/wfrun/process/0.5"
	sha256Term    = "https://w3id.org/ro/terms/workflow-run#sha256"
	repository    = "https://github.com/gaplab/gaplab"
)

// entity is an object of the graph. Its keys are terms of the context.
type entity map[string]any

// ref returns a reference to the entity with an identifier.
func ref(id string) entity { return entity{"@id": id} }

// refs returns references to several entities.
func refs(ids []string) []entity {
	out := make([]entity, len(ids))
	for i, id := range ids {
		out[i] = ref(id)
	}
	return out
}

// graph is a list of entities under construction. An entity is added once.
type graph struct {
	list []entity
	seen map[string]bool
}

// add appends an entity, unless the graph has one with its identifier, and returns the identifier.
func (g *graph) add(e entity) string {
	id := e["@id"].(string)
	if !g.seen[id] {
		g.seen[id] = true
		g.list = append(g.list, e)
	}
	return id
}

// describe returns the text of the metadata. runs has the runs of each experiment.
func (c *Crate) describe(from Contents, runs map[string][]*trace.File) ([]byte, error) {
	g := &graph{seen: map[string]bool{}}
	g.add(entity{"@id": Metadata, "@type": "CreativeWork", "about": ref("./"), "conformsTo": ref(specification)})
	root := entity{"@id": "./", "@type": "Dataset"}
	g.add(root)
	g.add(entity{"@id": profile, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"})
	g.add(entity{"@id": from.Licence, "@type": "CreativeWork", "name": path.Base(from.Licence)})
	authors := g.add(entity{"@id": "#authors", "@type": "Organization", "name": "The gaplab authors", "url": repository})
	var parts, actions []string
	for _, f := range c.Files {
		parts = append(parts, g.add(f.entity()))
	}
	latest, total := "", 0
	for _, id := range c.Experiments {
		files := runs[id]
		total += len(files)
		actions = append(actions, g.action(id, from.Scale, c.of(id), files))
		for _, f := range files {
			latest = max(latest, f.Manifest.Start)
		}
	}
	papers, err := g.papers(c.Experiments)
	if err != nil {
		return nil, err
	}
	root["name"] = fmt.Sprintf("gaplab: results of %s at scale %s", amount.Count(len(c.Experiments), "experiment"),
		from.Scale)
	root["description"] = fmt.Sprintf("The rows of %s, with specs, figures and the origin of each result. "+
		"`gaplab verify` checks this crate and makes runs of it again.", amount.Count(total, "run"))
	root["datePublished"], _, _ = strings.Cut(latest, "T") // the day of the latest run: equal results, equal metadata
	root["license"], root["author"], root["conformsTo"] = ref(from.Licence), ref(authors), ref(profile)
	root["hasPart"], root["mentions"] = refs(parts), refs(actions)
	if len(papers) > 0 {
		root["citation"] = refs(papers)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	context := []any{specification + "/context", entity{"sha256": sha256Term}}
	err = e.Encode(entity{"@context": context, "@graph": g.list})
	return out.Bytes(), err
}

// entity describes a file.
func (f File) entity() entity {
	sum := sha256.Sum256(f.Text)
	name := f.kind
	if f.of != "" {
		name += " of " + f.of
	}
	return entity{"@id": f.Path, "@type": "File", "name": name, "contentSize": strconv.Itoa(len(f.Text)),
		"sha256": hex.EncodeToString(sum[:]), "encodingFormat": mediaType(f.Path)}
}

// of returns the paths of the files of an experiment.
func (c *Crate) of(id string) (paths []string) {
	for _, f := range c.Files {
		if f.of == id {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// mediaType returns the media type of a file, by its name.
func mediaType(name string) string {
	switch path.Ext(name) {
	case ".gz":
		return "application/gzip"
	case ".jsonl":
		return "application/jsonl"
	case ".svg":
		return "image/svg+xml"
	case ".yaml":
		return "application/yaml"
	}
	return "application/json"
}

// title returns the title of an experiment.
func title(id string) string {
	index, err := experiments.Index()
	if err != nil {
		return ""
	}
	return index[id].Title
}
