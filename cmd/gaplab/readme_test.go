package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestReadme runs the commands of README.md and of the pages that continue it. Commands are the lines in fenced sh
// blocks; they begin with gaplab or go run ./cmd/gaplab. The commands of a page run in order, in a folder with the
// results of the repository and the files that the page shows. The folder is a git repository whose branch main has the
// results. A page shows a file in a fenced block whose first line is a comment with only the name of the file, such as
// "# letters.yaml".
//
// A line that ends in the comment "# needs data" is skipped. A line that ends in "# exits N" must end with exit code N.
//
// A text block that begins with a command shows its output in JSON: see transcript.
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
	for _, page := range []string{"README.md", "docs/OWN-DATA.md", "docs/REPRODUCE.md", "docs/GATE.md"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
			if err != nil {
				t.Fatal(err)
			}
			dir := checkout(t, root)
			// README.md and docs/GATE.md run a spec that docs/OWN-DATA.md shows.
			for _, block := range append(fenced(string(own)), fenced(string(text))...) {
				if block.file == "" || !filepath.IsLocal(block.file) {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, block.file), []byte(block.text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if strings.Contains(string(text), "gaplab baseline diff main") {
				commit(t, dir)
			}
			commands := 0
			for _, block := range fenced(string(text)) {
				if block.language == "text" && regexp.MustCompile(`^(gaplab|curl) `).MatchString(block.text) {
					t.Run("transcript", func(t *testing.T) { transcript(t, dir, block.text) })
				}
				if block.language != "sh" {
					continue
				}
				lines, others := shellLines(block.text)
				for _, line := range others {
					if line != "go test ./..." { // this command runs this test
						t.Errorf("%s: the line %q in a sh block is not a command of gaplab, so it is not tested", page, line)
					}
				}
				for _, line := range lines {
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

// commit makes a folder a git repository whose branch main has all files of the folder.
func commit(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "all"}} {
		gitIn(t, dir, args...)
	}
}

// gitIn runs git in a folder, and returns what it prints.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args[0], err, out)
	}
	return strings.TrimSpace(string(out))
}

// transcript runs the command in the first line of a block, and in further lines if each ends in a backslash. The other
// lines are the output in JSON. In these, numbers are rounded, and the object may go over several lines. A command with
// the address localhost:8080 gets the answer of gaplab serve with the weights file tagger.gz.
func transcript(t *testing.T, dir, text string) {
	line, shown, _ := strings.Cut(strings.ReplaceAll(text, "\\\n", " "), "\n")
	const there = "localhost:8080"
	if strings.Contains(line, there) {
		if _, err := exec.LookPath("curl"); err != nil {
			t.Skip("curl is not installed")
		}
		address := served(t, filepath.Join(dir, "tagger.gz"))
		line = strings.ReplaceAll(line, there, strings.TrimPrefix(address, "http://"))
	}
	var want, got any
	if err := json.Unmarshal([]byte(shown), &want); err != nil {
		t.Fatalf("%v: the page shows as output\n%s", err, shown)
	}
	cmd := command(dir)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd.Path, cmd.Args = shell, []string{"sh", "-c", line}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&got); err != nil { // the first object
		t.Fatalf("%v: the output is\n%s", err, out)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 0.006)); diff != "" {
		t.Errorf("the page shows (-) other output than the command prints (+):\n%s", diff)
	}
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

// shellLines returns the lines of a text that call gaplab, and the other lines. It replaces go run ./cmd/gaplab by
// gaplab, which is the tested program.
func shellLines(text string) (out, others []string) {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "go run ./cmd/gaplab"); ok {
			line = "gaplab" + rest
		}
		if line == "gaplab" || strings.HasPrefix(line, "gaplab ") {
			out = append(out, line)
		} else {
			others = append(others, line)
		}
	}
	return out, others
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
	lines, others := shellLines(blocks[0].text)
	if len(lines) != 2 || lines[0] != "gaplab run eg/fig06    --scale smoke # x" || lines[1] != "gaplab list" {
		t.Errorf("shellLines = %q, want gaplab run eg/fig06 and gaplab list", lines)
	}
	if len(others) != 2 || others[0] != "go build" || others[1] != "$ gaplab list" {
		t.Errorf("the other lines are %q, want go build and $ gaplab list", others)
	}
}

// isFolder reports whether a folder exists.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
