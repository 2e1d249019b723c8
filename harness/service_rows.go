// How the rows of a request (Question) become lines of the file formats that predictions read.

package harness

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/amount"
)

// features returns a row of numbers in LIBSVM format, without a label. Indices of lists begin with first.
func features(row any, first int) (string, error) {
	values := map[int]float64{}
	switch row := row.(type) {
	case []any:
		for i, v := range row {
			x, ok := v.(float64)
			if !ok {
				return "", fmt.Errorf("value %d is %s; want a number", i, shown(v))
			}
			values[i+first] = x
		}
	case map[string]any:
		for key, v := range row {
			i, err := strconv.Atoi(key)
			x, ok := v.(float64)
			if err != nil || i < first || i > math.MaxInt32 || !ok {
				return "", fmt.Errorf("feature %q: %s; want a whole number from %d to %d as the index, and a number as the value",
					key, shown(v), first, math.MaxInt32)
			}
			if _, twice := values[i]; twice {
				return "", fmt.Errorf("feature %d is given twice", i)
			}
			values[i] = x
		}
	default:
		return "", fmt.Errorf("got %s; want a list of numbers, or a map from indices to numbers", shown(row))
	}
	var b strings.Builder
	for _, i := range slices.Sorted(maps.Keys(values)) {
		if values[i] != 0 {
			fmt.Fprintf(&b, "%d:%s ", i, strconv.FormatFloat(values[i], 'g', -1, 64))
		}
	}
	if b.Len() == 0 { // a line without features would be a blank line
		fmt.Fprintf(&b, "%d:0", first)
	}
	return strings.TrimSpace(b.String()), nil
}

// variables returns a row of discrete variables as comma-separated values, below a line with the names.
func variables(row any) (string, error) {
	named, ok := row.(map[string]any)
	if !ok || len(named) == 0 {
		return "", fmt.Errorf("got %s; want a map from names of variables to texts", shown(row))
	}
	var names, values []string
	for _, name := range slices.Sorted(maps.Keys(named)) {
		text, ok := named[name].(string)
		if !ok {
			return "", fmt.Errorf("variable %q is %s; want a text", name, shown(named[name]))
		}
		names, values = append(names, quoted(name)), append(values, quoted(text))
	}
	return strings.Join(names, ",") + "\n" + strings.Join(values, ","), nil
}

// tableRow returns a row of a table in CSV, below a line with the names of the columns.
func tableRow(row any, table datasets.Table) (string, error) {
	named, ok := row.(map[string]any)
	list, listed := row.([]any)
	switch {
	case listed && len(list) != len(table.Columns):
		return "", fmt.Errorf("it has %s; want one for each of the %d columns", amount.Count(len(list), "value"),
			len(table.Columns))
	case listed:
		named = map[string]any{}
		for i, c := range table.Columns {
			named[c.Name] = list[i]
		}
	case !ok || len(named) == 0:
		return "", fmt.Errorf("got %s; want a map from the names of the columns to numbers or texts, or a list of these",
			shown(row))
	}
	if err := complete(named, table); err != nil {
		return "", err
	}
	var names, values []string
	for _, name := range slices.Sorted(maps.Keys(named)) {
		var text string
		switch v := named[name].(type) {
		case string:
			text = v
		case float64:
			text = strconv.FormatFloat(v, 'g', -1, 64)
		default:
			return "", fmt.Errorf("column %q is %s; want a number or a text", name, shown(v))
		}
		names, values = append(names, quoted(name)), append(values, quoted(text))
	}
	return strings.Join(names, ",") + "\n" + strings.Join(values, ","), nil
}

// complete returns an error if a row lacks columns of the table.
func complete(row map[string]any, table datasets.Table) error {
	var names, missing []string
	for _, c := range table.Columns {
		names = append(names, c.Name)
		if _, ok := row[c.Name]; !ok {
			missing = append(missing, c.Name)
		}
	}
	if missing == nil {
		return nil
	}
	return fmt.Errorf("it has no value of %s; want a value of each column: %s", strings.Join(missing, ", "),
		strings.Join(names, ", "))
}

// shown returns a value of a request as it is written in JSON.
func shown(v any) string {
	text, err := json.Marshal(v)
	if err != nil { // not possible: the value was read from JSON
		return fmt.Sprint(v)
	}
	return string(text)
}

// quoted returns a text as a value of comma-separated values.
func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
