package lang

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// item finds the item of a list that the head of a path names, and how many steps of the path that takes; 0 if there is
// none. An item is named by its index, or by its as, name or id; names may hold dots, so the longest match wins.
func item(list *yaml.Node, path []string) (index, used int) {
	if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(list.Content) {
		return i, 1
	}
	for used := len(path); used > 0; used-- {
		for i, n := range list.Content {
			if name := itemName(n); name != "" && name == strings.Join(path[:used], ".") {
				return i, used
			}
		}
	}
	return 0, 0
}

// itemName is the name of a list's item: its as, name or id; empty if it has none.
func itemName(n *yaml.Node) string {
	for _, key := range []string{"as", "name", "id"} {
		if v := at(n, key); v != nil && v.Kind == yaml.ScalarNode {
			return v.Value
		}
	}
	return ""
}

// itemNames lists what item accepts.
func itemNames(list *yaml.Node) []string {
	var names []string
	for i, n := range list.Content {
		if name := itemName(n); name != "" {
			names = append(names, name)
		} else {
			names = append(names, strconv.Itoa(i))
		}
	}
	return names
}
