package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

// served runs a command line of gaplab serve in this process until the test ends, and returns the address at which it
// answers. At the end it interrupts the service, and checks that the service ends soon, with exit code 0.
func served(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	lines, out := io.Pipe()
	var stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, system{in: strings.NewReader(""), out: out, err: &stderr, getenv: func(string) string { return "" }},
			append([]string{"serve", "--port", "0"}, args...))
		out.Close()
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case got := <-code:
			if got != term.ExitFine {
				t.Errorf("exit code %d after the interrupt, want %d\n%s", got, term.ExitFine, &stderr)
			}
		case <-time.After(time.Minute):
			t.Error("the service did not end within a minute after the interrupt")
		}
	})
	var address string
	if _, err := fmt.Fscanf(lines, "listening on %s\n", &address); err != nil {
		t.Fatalf("gaplab serve printed no address: %v\n%s", err, &stderr)
	}
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("address %s, want one of this machine only", address)
	}
	return address
}

// asked sends a request, and returns the status and the body of the response.
func asked(t *testing.T, method, url, contentType, body string, edit ...func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	for _, f := range edit {
		f(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, strings.TrimSpace(string(text))
}

// toServe is a folder with specs, data and weights for the test of the service.
func toServe(t *testing.T) string {
	t.Helper()
	dir := folderWith(t, "tagger.yaml", `apiVersion: gaplab/v1
id: my/tagger
dataset: {format: conll, path: tokens.txt, columns: "word pos", encoding: ISO-8859-1, comments: true}
model: {name: chain, loss: log, features: "word[0] suffix2[0] word[-1]"}
regularisation: {convention: lambda, lambda: [0.01]}
solvers: [{name: auto}]
stop: {gap: 1e-3, passes: 300}
`)
	for name, text := range map[string]string{
		"tokens.txt": "the DT\ndog NN\nbarks VB\n\na DT\n# \xe9tude\n\xe9tude NN\nsleeps VB\n",
		"rows.yaml": "apiVersion: gaplab/v1\nid: my/rows\ndataset: {format: libsvm, path: rows.txt, scale: max}\n" +
			"model: {name: multiclass, loss: hinge}\nregularisation: {convention: lambda, lambda: 0.01}\n" +
			"solvers: [{name: auto}]\nstop: {passes: 20}\n",
		"table.yaml": "apiVersion: gaplab/v1\nid: my/table\ndataset: {format: csv, path: table.csv}\n" +
			"model: {name: binary, loss: log}\nregularisation: {convention: lambda, lambda: 0.01}\n" +
			"solvers: [{name: auto}]\nstop: {passes: 20}\n",
		"table.csv": "size,hue,kind\n1,red,a\n2,red,a\n1.5,blue,b\n3,blue,b\n",
		"rows.txt":  "a 1:3\na 1:2 2:0.1\nb 2:1\nb 2:0.8 3:10\nc 3:90\nc 1:0.1 3:80\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	succeeds(t, dir, "run", "tagger.yaml", "--save-weights=tagger.gz")
	succeeds(t, dir, "run", "rows.yaml", "--save-weights")
	succeeds(t, dir, "run", "table.yaml", "--save-weights")
	return dir
}

// TestServe sends requests to the service over a real port. It compares predictions with those of gaplab predict, and
// checks the responses to wrong requests.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test serves runs that wait")
	}
	dir := toServe(t)
	at := served(t, filepath.Join(dir, "tagger.gz"), "--max-body", "1")
	const ask = `{"sentences": [[["the"], ["étude"], ["barks"]], [["dog", "NN"]]], "marginals": true, "scores": true}`
	status, body := asked(t, "POST", at+"/predict", "application/json; charset=utf-8", ask)
	var answer struct {
		Predictions []struct {
			Labels    []string
			Score     float64
			Marginals []float64
		}
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
		t.Fatalf("response to POST /predict: status %d, error %v, want predictions in JSON: %s", status, err, body)
	}
	var lines strings.Builder
	for i, words := range [][]string{{"the", "\xe9tude", "barks"}, {"dog"}} {
		p := answer.Predictions[i]
		fmt.Fprintf(&lines, "# score = %.10g\n", p.Score)
		for k, word := range words {
			fmt.Fprintf(&lines, "%s %s %.6f\n", word, p.Labels[k], p.Marginals[k])
		}
		if len(p.Labels) != len(words) || len(p.Marginals) != len(words) {
			t.Errorf("%d labels, %d marginals; want one for each of %d tokens", len(p.Labels), len(p.Marginals), len(words))
		}
		lines.WriteString("\n")
	}
	file := filepath.Join(dir, "ask.txt")
	if err := os.WriteFile(file, []byte("the\n\xe9tude\nbarks\n\ndog\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	predict := command(dir, "predict", "tagger.yaml", file, "--scores", "--marginals")
	predicted, err := predict.Output()
	if err != nil || string(predicted) != lines.String() {
		t.Errorf("want the same predictions; gaplab predict (error %v):\n%s\nthe service:\n%s", err, predicted, &lines)
	}
	if want := []string{"DT", "NN", "VB"}; !slices.Equal(answer.Predictions[0].Labels, want) {
		t.Errorf("labels %q, want %q", answer.Predictions[0].Labels, want)
	}
	if status, body := asked(t, "GET", at+"/", "", ""); status != http.StatusOK || !strings.Contains(body,
		`"columns":["word","pos"]`) || !strings.Contains(body, `"predicts":"pos"`) ||
		!strings.Contains(body, `"model":"chain"`) {
		t.Errorf("response to GET /: status %d, %s; want the columns and the model", status, body)
	}
	post := func(body string) func(*testing.T) (int, string) {
		return func(t *testing.T) (int, string) { return asked(t, "POST", at+"/predict", "application/json", body) }
	}
	for _, c := range []struct {
		name   string
		ask    func(*testing.T) (int, string)
		status int
		says   string
	}{
		{"nothing", post(`{}`), 200, `{"predictions":[]}`},
		{"a word like a comment", post(`{"sentences": [[["#"], ["#x"]]]}`), 200, `"labels"`},
		{"no JSON", post(`the dog`), 400, "not a request in JSON"},
		{"more than one value", post(`{} {}`), 400, "one JSON object"},
		{"unknown key", post(`{"sentence": []}`), 400,
			`unknown key \"sentence\", did you mean \"sentences\"?; accepted: rows, sequences, `},
		{"empty body", post(``), 400, `the body is empty; want one JSON object, such as {\"sentences\": [[[\"word\"]]]}`},
		{"a key twice", post(`{"sentences": [[["a"]]], "sentences": [[["b"]]]}`), 400,
			`the key \"sentences\" is given twice`},
		{"text in place of a list", post(`{"sentences": "the dog"}`), 400,
			"sentences: got a value of type string; want a list of sentences"},
		{"text in place of a token", post(`{"sentences": [["the", null]]}`), 400,
			`sentences[0]: token 0 is \"the\"; want a list of its columns: [\"word\"]`},
		{"null", post(`{"sentences": [[["the", null]]]}`), 400, "token 0, column 1: got null; want a text"},
		{"rows", post(`{"rows": [[1]]}`), 400, "model chain needs sentences"},
		{"tab", post(`{"sentences": [[["a\tb"]]]}`), 400, "sentences[0]: token 0, column 0"},
		{"newline", post(`{"sentences": [[["a"], ["b\n\nc"]]]}`), 400, "token 1, column 0"},
		{"number", post(`{"sentences": [[[7]]]}`), 400, "token 0, column 0"},
		{"too many columns", post(`{"sentences": [[["a", "b", "c"]]]}`), 400, "sentences[0][0]: 3 instead of 2 columns"},
		{"empty sentence", post(`{"sentences": [[]]}`), 400, "sentences[0]: it has no tokens"},
		{"large body", post(`{"sentences": [[["` + strings.Repeat("a", 1<<20) + `"]]]}`), 413, "more than 1048576 bytes"},
		{"other type", func(t *testing.T) (int, string) { return asked(t, "POST", at+"/predict", "text/plain", ask) }, 415,
			"application/json"},
		{"other host", func(t *testing.T) (int, string) {
			return asked(t, "POST", at+"/predict", "application/json", ask, func(r *http.Request) { r.Host = "example.org" })
		}, 421, "example.org"},
		{"other path", func(t *testing.T) (int, string) { return asked(t, "GET", at+"/weights", "", "") }, 404,
			`{"error":"there is nothing at this path; want POST /predict, or GET /"}`},
		{"GET of predict", func(t *testing.T) (int, string) { return asked(t, "GET", at+"/predict", "", "") }, 405,
			`{"error":"the method is GET; want POST /predict"}`},
	} {
		if status, body := c.ask(t); status != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s: %d %.200s; want %d with %q", c.name, status, body, c.status, c.says)
		}
	}
}

// TestServeRows checks the two forms of rows. Their values are not scaled, as in the files.
func TestServeRows(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains")
	}
	dir := toServe(t)
	t.Chdir(dir)
	at := served(t, "rows.yaml")
	status, body := asked(t, "POST", at+"/predict", "application/json",
		`{"rows": [{"1": 3}, [2, 0.1], [0, 1, 0], {"3": 90, "1": 0.1}, {"3": 90, "17": 1}, {"3": 90}]}`)
	const want = `{"predictions":[{"label":"a"},{"label":"a"},{"label":"b"},{"label":"c"},{"label":"c","notes":[` +
		`"the data have features beyond the 3 of the training rows; they have no weights and are ignored"]},{"label":"c"}]}`
	if status != http.StatusOK || body != want {
		t.Errorf("response to six rows: status %d, %s; want %s", status, body, want)
	}
	for _, wrong := range []string{`[["x"]]`, `[{"0": 1}]`, `[{"x": 1}]`, `[7]`, `[{"1": 1, "01": 2}]`, `[[1e999]]`} {
		if status, body := asked(t, "POST", at+"/predict", "application/json",
			`{"rows": `+wrong+`}`); status != http.StatusBadRequest {
			t.Errorf("rows %s: %d %s; want 400", wrong, status, body)
		}
	}
	if status, body := asked(t, "POST", at+"/predict", "application/json",
		`{"rows": [[1]], "marginals": true}`); status != http.StatusBadRequest || !strings.Contains(body, "log loss") {
		t.Errorf("marginals of the hinge: %d %s; want 400", status, body)
	}
}

// TestServeTable checks that messages about rows of a table speak of the request, not of the lines of a file.
func TestServeTable(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains")
	}
	t.Chdir(toServe(t))
	at := served(t, "table.yaml")
	for rows, says := range map[string]string{
		`[{"size": 1, "hue": "red"}, [3, "blue"]]`: `{"predictions":[{"label":"a"},{"label":"b"}]}`,
		`[{"size": 1}]`:                          `rows[0]: it has no value of hue; want a value of each column: size, hue`,
		`[[1, "red"], ["x", "red"]]`:             `wrong: rows[1]: column \"size\" has the value \"x\": want a number`,
		`[{"size": null, "hue": "a"}]`:           `rows[0]: column \"size\" is null; want a number or a text`,
		`[[1]]`:                                  `rows[0]: it has 1 value; want one for each of the 2 columns`,
		`[[1e999, "red"]]`:                       `rows: the number 1e999 is too large`,
		`7`:                                      `rows: got a value of type number; want a list of rows`,
		`[{"size": 1, "hue": "red", "size": 3}]`: `the key \"size\" is given twice in one object`,
		`[{"size": 1, "hue": "green"}, [3, "blue"]]`: `{"predictions":[{"label":"b","unknown":{"hue":"green"}},` +
			`{"label":"b"}]}`,
		`{"size": 1}`: `rows: got a value of type object; want a list of rows`,
	} {
		_, body := asked(t, "POST", at+"/predict", "application/json", `{"rows": `+rows+`}`)
		if !strings.Contains(body, says) {
			t.Errorf("rows %s: %s; want %s", rows, body, says)
		}
	}
}
