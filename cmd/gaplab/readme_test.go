package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestReadme runs the commands of README.md and of the pages that continue it. Commands are the lines in fenced sh
// blocks that begin with gaplab or go run ./cmd/gaplab. The commands of a page run in order, in a folder with the
// results of the repository and the files that the page shows. A page shows a file in a fenced block whose first line
// is a comment with only the name of the file, such as "# letters.yaml".
//
// A line that ends in the comment "# needs data" is skipped. A line that ends in "# exits N" must end with exit code N.
func TestReadme(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the pages run experiments")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the commands of the pages are for sh")
	}
	root := filepath.Join("..", "..")
	own, err := os.ReadFile(filepath.Join(root, "docs", "OWN-DATA.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"README.md", "docs/OWN-DATA.md", "docs/REPRODUCE.md"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
			if err != nil {
				t.Fatal(err)
			}
			dir := checkout(t, root)
			// README.md runs a spec that docs/OWN-DATA.md shows.
			for _, block := range append(fenced(string(own)), fenced(string(text))...) {
				if block.file == "" || !filepath.IsLocal(block.file) {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, block.file), []byte(block.text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			commands := 0
			for _, block := range fenced(string(text)) {
				if block.language != "sh" {
					continue
				}
				for _, line := range shellLines(block.text) {
					commands++
					t.Run(line, func(t *testing.T) { execute(t, dir, line) })
				}
			}
			if commands < 2 {
				t.Errorf("%s shows %d commands of gaplab in sh blocks; want at least 2", page, commands)
			}
		})
	}
}

// checkout returns a temporary folder with the kept results of the repository, for commands that read them.
func checkout(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"experiments", "results"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, scale := range []string{"smoke", "quick", "paper"} {
		kept, err := filepath.Abs(filepath.Join(root, "results", scale))
		if err != nil {
			t.Fatal(err)
		}
		if isFolder(kept) {
			if err := os.CopyFS(filepath.Join(dir, "results", scale), os.DirFS(kept)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// codeBlock is a fenced block. file is the name of the file in its first line, or "" if there is none.
type codeBlock struct{ language, file, text string }

var fileComment = regexp.MustCompile(`^# ([\w/-]+\.[\w.-]+)$`)

// fenced returns the fenced code blocks of a Markdown text.
func fenced(text string) []codeBlock {
	var blocks []codeBlock
	var open *codeBlock
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line := lines.Text()
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &codeBlock{language: strings.TrimSpace(language)}
		case fence:
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			if m := fileComment.FindStringSubmatch(line); m != nil && open.text == "" {
				if open.file = m[1]; strings.HasSuffix(open.file, ".csv") { // a table has no comments
					continue
				}
			}
			open.text += line + "\n"
		}
	}
	return blocks
}

// shellLines returns the lines of a text that call gaplab. It replaces go run ./cmd/gaplab by gaplab, which is the
// tested program.
func shellLines(text string) []string {
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "go run ./cmd/gaplab"); ok {
			line = "gaplab" + rest
		}
		if line == "gaplab" || strings.HasPrefix(line, "gaplab ") {
			out = append(out, line)
		}
	}
	return out
}

var exitComment = regexp.MustCompile(`# exits (\d+)`)

// execute runs one line of a page in a folder, and checks its exit code.
func execute(t *testing.T, dir, line string) {
	if strings.Contains(line, "# needs data") {
		t.Skip("needs data")
	}
	want := 0
	if m := exitComment.FindStringSubmatch(line); m != nil {
		want, _ = strconv.Atoi(m[1]) // cannot fail, since the regular expression matches digits only
	}
	cmd := command(dir)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd.Path, cmd.Args = shell, []string{"sh", "-c", line}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		t.Errorf("exit code %d; want %d\n%s", got, want, out)
	}
}

// TestReadmeReader checks that fenced and shellLines find the blocks and lines of a page.
func TestReadmeReader(t *testing.T) {
	blocks := fenced("text\n```sh\ngo run ./cmd/gaplab run eg/fig06 \\\n  --scale smoke # x\ngo build\n$ gaplab " +
		"list\ngaplab list\n```\n\n```yaml\n# my.yaml\nid: x\n```\n")
	if len(blocks) != 2 || blocks[1].file != "my.yaml" || blocks[1].text != "# my.yaml\nid: x\n" {
		t.Fatalf("fenced = %+v, want a block of commands and the file my.yaml", blocks)
	}
	lines := shellLines(blocks[0].text)
	if len(lines) != 2 || lines[0] != "gaplab run eg/fig06    --scale smoke # x" || lines[1] != "gaplab list" {
		t.Errorf("shellLines = %q, want gaplab run eg/fig06 and gaplab list", lines)
	}
}

// isFolder reports whether a folder exists.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
