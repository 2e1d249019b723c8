// Package playground makes the playground of the site: a page on which a reader runs experiments in the browser. The
// solvers, models and generators are compiled to WebAssembly and run in a Web Worker; nothing is sent to a server.
//
//	err := playground.Build("public/playground")
package playground

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// replaced holds Go files that replace others in the WebAssembly.
//
//go:embed replaced
var replaced embed.FS

// Build compiles the WebAssembly from the sources in the working directory's module, and writes it to a folder. The
// file gaplab.wasm.gz is compressed, and the page inflates it, so that any static server will do. The script
// wasm_exec.js and its licence come with Go.
func Build(folder string) error {
	scratch, err := os.MkdirTemp("", "gaplab-playground-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	root, err := output("go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	overlay, err := writeOverlay(scratch, goroot, root)
	if err != nil {
		return err
	}
	requirements, err := writeRequirements(scratch, root)
	if err != nil {
		return err
	}
	binary := filepath.Join(scratch, "gaplab.wasm")
	args := []string{"build", "-trimpath", "-overlay", overlay, "-modfile", requirements, "-ldflags", "-s -w",
		"-o", binary}
	for _, pattern := range small() {
		args = append(args, "-gcflags", pattern+"=-l")
	}
	build := exec.Command("go", append(args, "./site/playground/wasm")...)
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=-buildvcs=false")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the playground: %w\n%s", err, text)
	}
	module, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	if module, err = joinData(module); err != nil {
		return err
	}
	var small bytes.Buffer
	zip, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zip.Write(module); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, from := range map[string]string{"wasm_exec.js": "lib/wasm/wasm_exec.js", "go-licence.txt": "LICENSE"} {
		text, err := os.ReadFile(filepath.Join(goroot, filepath.FromSlash(from)))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, "gaplab.wasm.gz"), small.Bytes(), 0o666)
}

// small lists packages that do no numerical work. They are compiled without inlining, which makes them smaller.
func small() []string {
	return []string{"archive/zip", "compress/flate", "encoding/json", "github.com/gaplab/gaplab/harness/lang/...",
		"github.com/invopop/jsonschema", "github.com/santhosh-tekuri/jsonschema/v6/...", "golang.org/x/text/...",
		"gopkg.in/yaml.v3", "log/slog", "math/big", "net/url", "regexp/..."}
}

// output returns what a command prints, without the newline at its end.
func output(name string, args ...string) (string, error) {
	text, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(text)), nil
}

// writeOverlay writes the file for the flag -overlay of go build. The overlay replaces net/http, and the tables of
// character encodings by the decoder of the browser. The sources of solvers, models and generators stay as they are.
func writeOverlay(scratch, goroot, root string) (string, error) {
	files := map[string]string{}
	http := filepath.Join(goroot, "src", "net", "http")
	entries, err := os.ReadDir(http)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") {
			files[filepath.Join(http, e.Name())] = "" // the file does not exist
		}
	}
	for name, place := range map[string]string{
		"net_http.go.txt": filepath.Join(http, "http.go"),
		"encoding.go.txt": filepath.Join(root, "datasets", "internal", "parse", "encoding.go"),
	} {
		text, err := replaced.ReadFile("replaced/" + name)
		if err != nil {
			return "", err
		}
		file := filepath.Join(scratch, strings.TrimSuffix(name, ".txt"))
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return "", err
		}
		files[place] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(scratch, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o666)
}

// schemas is the library of schemas.
const schemas = "github.com/santhosh-tekuri/jsonschema/v6"

// writeRequirements writes the file for the flag -modfile of go build. The file replaces the library of schemas by a
// copy that does not compile the schemas of the JSON Schema standard when the program starts: in a browser this takes
// longer than the rest of the start. The library needs them only to check schemas, and a test checks those of specs. An
// overlay cannot do this, since the go command refuses overlays of downloaded modules.
func writeRequirements(scratch, root string) (string, error) {
	library, err := output("go", "list", "-m", "-f", "{{.Dir}}", schemas)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(scratch, "jsonschema")
	if err := os.CopyFS(changed, os.DirFS(library)); err != nil {
		return "", err
	}
	draft := filepath.Join(changed, "draft.go")
	text, err := os.ReadFile(draft)
	if err != nil {
		return "", err
	}
	const starts, never = "\nfunc init() {\n\tc := NewCompiler()\n", "\nfunc compileStandard() {\n\tc := NewCompiler()\n"
	if !bytes.Contains(text, []byte(starts)) {
		return "", fmt.Errorf("%s: no function init that compiles the schemas of the standard; adapt writeRequirements to "+
			"this version of the library", draft)
	}
	if err := os.WriteFile(draft, bytes.Replace(text, []byte(starts), []byte(never), 1), 0o666); err != nil {
		return "", err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		if name == "go.mod" {
			text = fmt.Appendf(text, "\nreplace %s => %s\n", schemas, changed)
		}
		if err := os.WriteFile(filepath.Join(scratch, name), text, 0o666); err != nil {
			return "", err
		}
	}
	return filepath.Join(scratch, "go.mod"), nil
}
