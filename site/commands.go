package main

import (
	"fmt"
	"regexp"
	"strings"
)

// commands returns the page of all commands, from their help.
func commands(gaplab func(args ...string) (string, error)) (string, error) {
	var b strings.Builder
	b.WriteString("# Commands\n\nThe help of each command, as `gaplab COMMAND --help` prints it.\n")
	var add func(words []string) error
	add = func(words []string) error {
		text, err := gaplab(append(words, "--help")...)
		if err != nil {
			return err
		}
		if len(words) > 0 {
			fmt.Fprintf(&b, "\n## gaplab %s\n", strings.Join(words, " "))
		}
		fmt.Fprintf(&b, "\n```text\n%s```\n", text)
		for _, name := range listed(text) {
			if name == "completion" || name == "help" {
				continue
			}
			if err := add(append(words[:len(words):len(words)], name)); err != nil {
				return err
			}
		}
		return nil
	}
	err := add(nil)
	return b.String(), err
}

// listed returns the names of the commands that a help lists: in lines below a heading, indented by two spaces, with a
// description that begins with a capital letter.
func listed(help string) []string {
	_, rest, found := strings.Cut(help, "\nUsage:\n")
	rest, _, _ = strings.Cut(rest, "\nFlags:\n")
	if !found || !strings.Contains(help, "[command]") {
		return nil
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(rest, -1) {
		names = append(names, m[1])
	}
	return names
}
