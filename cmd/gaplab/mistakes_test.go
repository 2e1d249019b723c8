package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write docs/MISTAKES.md")

const mistakesShow = 200 // largest number of characters of a message in docs/MISTAKES.md

// TestMistakes makes each mistake of docs/MISTAKES.md. It checks that the exit code and the first message are those
// that the page states. A row of the page shows the mistake: wrong lines for the spec, a wrong content of the file
// my.txt, or a wrong command.
func TestMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs the program once for each mistake")
	}
	file, err := filepath.Abs("../../docs/MISTAKES.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, spec, ok := strings.Cut(string(text), "```yaml\n# my.yaml\n")
	spec, _, closed := strings.Cut(spec, "```")
	if !ok || !closed {
		t.Fatal("no spec my.yaml on the page")
	}
	rows := regexp.MustCompile("(?m)^\\| (.*`.*) \\| ([0-9]*) ?\\| (.*)\\|$")
	n := 0
	page := rows.ReplaceAllStringFunc(string(text), func(row string) string {
		n++
		cells := rows.FindStringSubmatch(row)
		code, says := mistaken(t, spec, cells[1])
		if cells[2] != strconv.Itoa(code) || strings.TrimSpace(cells[3]) != says {
			if !*update {
				t.Errorf("%s\ngot  %d, %s\nwant %s, %s", cells[1], code, says, cells[2], cells[3])
			}
		}
		return fmt.Sprintf("| %s | %d | %s |", cells[1], code, says)
	})
	if n < 80 {
		t.Errorf("mistakes on the page = %d, want at least 80", n)
	}
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// mistaken makes one mistake in a temporary folder, and returns the exit code and the beginning of the message.
func mistaken(t *testing.T, spec, mistake string) (code int, says string) {
	t.Helper()
	t.Chdir(t.TempDir())
	args := []string{"run", "my.yaml"}
	data, hasData := "", strings.Contains(mistake, "an empty file")
	for _, span := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(mistake, -1) {
		line := span[1]
		key, _, isEdit := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "gaplab "):
			args = strings.Fields(line)[1:]
		case strings.HasPrefix(mistake, "without"):
			spec = regexp.MustCompile(`(?m)^`+line+`:.*\n`).ReplaceAllString(spec, "")
		case isEdit && regexp.MustCompile(`^[A-Za-z]+$`).MatchString(key):
			old := regexp.MustCompile(`(?m)^` + key + `:.*$`)
			if old.MatchString(spec) {
				spec = old.ReplaceAllLiteralString(spec, line)
			} else {
				spec += line + "\n"
			}
		default:
			data, hasData = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\xe9`, "\xe9").Replace(line)+"\n", true
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("my.yaml", spec)
	if hasData {
		write("my.txt", data)
	}
	var stdout, stderr bytes.Buffer
	getenv := func(name string) string {
		if name == "XDG_CACHE_HOME" {
			return filepath.Join(t.TempDir(), "cache")
		}
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	code = run(ctx, system{in: strings.NewReader(""), out: &stdout, err: &stderr, getenv: getenv}, args)
	if err := follow(getenv, stderr.String()); err != nil {
		t.Errorf("%s: %v", mistake, err)
	}
	for line := range strings.SplitSeq(stderr.String(), "\n") {
		if message, ok := strings.CutPrefix(line, "gaplab: "); ok {
			says = withoutLists(message)
			break
		}
	}
	if runes := []rune(says); len(runes) > mistakesShow {
		says = strings.TrimRight(string(runes[:mistakesShow]), " ") + "…"
	}
	return code, strings.ReplaceAll(says, "|", `\|`)
}

// withoutLists replaces each list of more than four names in a message by an ellipsis, so that the page does not depend
// on which data sets, models, solvers, columns, papers and experiments exist.
func withoutLists(message string) string {
	lists := regexp.MustCompile(`(accepted:|there are|known:)( name:)? [^ ,;]+(, [^ ,;]+){4,}`)
	return lists.ReplaceAllString(message, "$1$2 …")
}
