package parse

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestSentenceStream writes random sentences with random predictions, and compares the text with lines that are joined
// from their fields. The sentences are in columns with spaces or tabs, or in CoNLL-U, whose lines keep their number of
// fields.
func TestSentenceStream(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 3))
	plain := []string{"word", "pos", "chunk"}
	conllu := strings.Fields("id word lemma upos xpos feats head deprel deps misc")
	conllx := strings.Fields("id word lemma cpos pos feats head deprel _ _")
	for trial := range 600 {
		fields, target, inPlace, separator := plain, "chunk", false, " "
		switch rng.IntN(6) {
		case 0:
			target, separator = "pos", "\t"
		case 1:
			fields, target, inPlace, separator = conllu, datasets.Heads, true, "\t"
		case 2:
			fields, target, inPlace, separator = conllu, "upos", true, "\t"
		case 3:
			fields, target, separator = conllx, datasets.Heads, "\t"
		case 4: // the target column is missing
			separator = "\t"
		}
		absent := fields[len(fields)-1] == target && separator == "\t"
		present := fields
		if absent {
			present = fields[:len(fields)-1]
		}
		n := 1 + rng.IntN(4)
		p := &datasets.Sentences{Start: []int{0, n},
			Columns: []datasets.Column{{Name: target, Text: []string{"A", "B", "C"}}}}
		beside := datasets.Beside{Header: rng.IntN(2) == 0}
		if rng.IntN(2) == 0 {
			score := float64(rng.IntN(100)) / 4
			beside.Score = &score
		}
		if rng.IntN(2) == 0 {
			beside.Columns = []string{"more", "most"}
		}
		probable := rng.IntN(2) == 0
		var in, want strings.Builder
		names := slices.Clone(present)
		if inPlace {
			names = strings.Fields("ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC")
		}
		added := 0
		if target != datasets.Heads && !inPlace {
			names, added = append(names, "predicted"), added+1
		}
		if probable && !inPlace {
			names, added = append(names, "marginal"), added+1
		}
		names, added = append(names, beside.Columns...), added+len(beside.Columns)
		if beside.Header {
			fmt.Fprintln(&want, "# global.columns = "+strings.Join(names, " "))
		}
		if rng.IntN(2) == 0 {
			in.WriteString("# a comment\n")
			want.WriteString("# a comment\n")
		}
		if inPlace && rng.IntN(2) == 0 { // a multiword token
			line := "1-2" + strings.Repeat("\t_", 9)
			in.WriteString(line + "\n")
			want.WriteString(line + strings.Repeat("\t_", added) + "\n")
		}
		for k := range n {
			label, head := rng.IntN(3), rng.IntN(n+1)
			p.Columns[0].ID, p.Heads = append(p.Columns[0].ID, int32(label)), append(p.Heads, int32(head))
			line := make([]string, len(present))
			for f, name := range present {
				switch name {
				case "id":
					line[f] = strconv.Itoa(k + 1)
				case "head":
					line[f] = "0"
				case "misc":
					line[f] = []string{"_", "SpaceAfter=No"}[rng.IntN(2)]
				default:
					line[f] = name + strconv.Itoa(rng.IntN(9))
				}
			}
			in.WriteString(strings.Join(line, separator) + "\n")
			made := slices.Clone(line)
			prediction := []string{"A", "B", "C"}[label]
			for f, name := range present {
				switch {
				case target == datasets.Heads && name == "head":
					made[f] = strconv.Itoa(head)
				case target == datasets.Heads && (name == "deprel" || name == "deps" || name == "_" && f == 8):
					made[f] = "_"
				case name == target && inPlace:
					made[f] = prediction
				}
			}
			if target != datasets.Heads && !inPlace {
				made = append(made, prediction)
			}
			if probable {
				beside.Marginals = append(beside.Marginals, float64(rng.IntN(1000))/1000)
				text := strconv.FormatFloat(beside.Marginals[k], 'f', 6, 64)
				switch last := len(made) - 1; {
				case !inPlace:
					made = append(made, text)
				case made[last] == "_":
					made[last] = "Probability=" + text
				default:
					made[last] += "|Probability=" + text
				}
			}
			if beside.Columns != nil {
				beside.Cells = append(beside.Cells, []string{"m" + strconv.Itoa(k), "n"})
				made = append(made, beside.Cells[k]...)
			}
			if k == 0 && beside.Score != nil {
				fmt.Fprintln(&want, "# score =", *beside.Score)
			}
			want.WriteString(strings.Join(made, separator) + "\n")
		}
		want.WriteString("\n")

		twice := strings.NewReader("\n" + in.String() + "\n\n" + in.String())
		s, err := NewSentenceStream("f", twice, fields, true, inPlace, target)
		if err != nil {
			t.Fatal(err)
		}
		for _, first := range []int{2, 2 + strings.Count(in.String(), "\n") + 2} {
			data, err := s.Next()
			if err != nil || data.Len() != 1 || data.(*datasets.Sentences).Start[1] != n {
				t.Fatalf("trial %d: %+v, %v, want a sentence of %d tokens from\n%s", trial, data, err, n, in.String())
			}
			if s.Line() != first {
				t.Errorf("trial %d: line %d, want %d", trial, s.Line(), first)
			}
			if got := string(s.Append(nil, p, beside)); got != want.String() {
				t.Fatalf("trial %d, target %s: from\n%s\nwritten\n%s\nwant\n%s", trial, target, in.String(), got, want.String())
			}
		}
	}
}
