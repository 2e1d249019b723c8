package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/reference"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/nearest"
)

// noHelp returns the error for a word that is neither a command nor a topic of gaplab help. It names the command that
// prints the help of this word, or of the word with the nearest spelling or the same meaning.
func noHelp(root *cobra.Command, word string) error {
	pages, err := helpPages(root)
	if err != nil {
		return err
	}
	if page := pages[word]; page != "" {
		return fmt.Errorf("%q is neither a command nor a topic; see: %s", word, page)
	}
	for _, near := range []string{nearest.Word(word, topics()), nearest.Word(word, slices.Sorted(maps.Keys(pages)))} {
		if near != "" {
			return fmt.Errorf("unknown command or topic %q%s; see: %s", word, nearest.Ask(near), pages[near])
		}
	}
	return fmt.Errorf("unknown command or topic %q; `gaplab help` lists the commands, `gaplab help help` the topics, and "+
		"`gaplab help spec` the keys of specs", word)
}

// unknownCommand returns the error for a word in the place of a command. If the word is an experiment, a spec, or has a
// help page, the error names the command for it.
func unknownCommand(root *cobra.Command, word string) error {
	if strings.HasSuffix(word, ".yaml") || slices.Contains(experiments.IDs(), word) {
		return fmt.Errorf("unknown command %q; did you mean gaplab run %[1]s?", word)
	}
	pages, err := helpPages(root)
	if err != nil {
		return err
	}
	if page := pages[word]; page != "" {
		return fmt.Errorf("unknown command %q; `%s` explains this word", word, page)
	}
	return fmt.Errorf("unknown command %q", word)
}

// helpPages maps each word that has help to the command that prints it: commands, topics, tasks of gaplab train, keys
// of specs, and data sets, models and solvers with their settings. If a word has several meanings, the first of these
// counts.
func helpPages(root *cobra.Command) (map[string]string, error) {
	pages := make(map[string]string)
	add := func(word, page string) {
		if pages[word] == "" {
			pages[word] = "gaplab help " + page
		}
	}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			add(c.Name(), c.Name())
		}
	}
	for _, topic := range topics() {
		add(topic, topic)
	}
	for _, task := range []string{"tag", "parse", "classify"} {
		add(task, "train")
	}
	text, err := lang.Schema(harness.Catalogue())
	if err != nil {
		return nil, err
	}
	r, err := reference.New(text)
	if err != nil {
		return nil, err
	}
	for _, k := range r.Keys {
		if !strings.ContainsAny(k.Path, ".[") {
			add(k.Path, "spec "+k.Path)
		}
	}
	for _, topic := range topics() {
		add(strings.TrimSuffix(topic, "s"), topic)
	}
	for _, section := range []string{"regularisation.", "stop.", ""} { // the sections that most specs have come first
		for _, k := range r.Keys {
			page, _, _ := strings.Cut(k.Path, "[")
			if strings.HasPrefix(k.Path, section) {
				add(k.Path[strings.LastIndexByte(k.Path, '.')+1:], "spec "+page)
			}
		}
	}
	topic := func(c reference.Component) string { return strings.Replace(c.Kind, "format", "dataset", 1) + "s" }
	for _, c := range r.Components {
		if slices.Contains(topics(), topic(c)) { // the schema also defines an overlay, which has no name
			add(c.Name, topic(c)+" "+c.Name)
		}
	}
	for _, kind := range []string{"format", "solver", "model", "dataset"} {
		for _, c := range r.Components {
			for _, k := range c.Settings {
				if c.Kind == kind {
					add(k.Path, topic(c))
				}
			}
		}
	}
	return pages, nil
}
