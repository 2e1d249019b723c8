package predictions

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestRepeated checks which texts have an object with a key twice, and the first such key.
func TestRepeated(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "", `7`: "", `[]`: "", `{"a": 1, "b": 2}`: "", `{"a": {"a": {"a": 1}}}`: "", `[{"a": 1}, {"a": 2}]`: "",
		`{"a": [{"b": 1}, {"b": 1}], "b": {"b": [[], {}]}}`: "", `{"a": "b", "b": "a"}`: "", `{"a": 1, "A": 2}`: "",
		`{"a": 1, "a": 2}`: "a", `{"a": 1, "b": 2, "a": 3}`: "a", `{"x": [1, [2, {"b": 1, "c": [], "b": 2}]]}`: "b",
		`[{"a": 1}, {"b": 1, "b": 1}]`: "b", `{"x": {"c": {}, "c": {}}, "x": 1}`: "c", `{"x": {"y": {}}, "x": 1}`: "x",
		`{"x": [[], [[]]], "y": {}, "y": 1}`: "y", `{"": 1, "": 2}`: "", `{"a": 1, "\u0061": 2}`: "a",
	} {
		key, twice := repeated(json.NewDecoder(strings.NewReader(text)))
		if key = map[bool]string{true: key}[twice]; key != want || twice != (want != "" || text == `{"": 1, "": 2}`) {
			t.Errorf("%s: key %q, twice %v; want %q", text, key, twice, want)
		}
	}
}

// TestLocal checks which hosts are names of this machine.
func TestLocal(t *testing.T) {
	for host, want := range map[string]bool{"localhost": true, "localhost:8080": true, "127.0.0.1": true,
		"127.0.0.1:1": true, "[::1]:80": true, "::1": true, "": false, "example.org": false, "127.0.0.1.example.org": false,
		"localhost.example.org:80": false, "example.org:127": false, "10.0.0.1:8080": false, "[::2]:80": false} {
		if got := local(host); got != want {
			t.Errorf("host %q is this machine: %v, want %v", host, got, want)
		}
	}
}

// TestBusyService checks that a request which waits for another one longer than the limit is refused, and that each
// path refuses other methods with the accepted one.
func TestBusyService(t *testing.T) {
	h := &handler{limits: Limits{Bytes: 100, Time: time.Millisecond}, turn: make(chan struct{}, 1)}
	h.turn <- struct{}{}
	r := httptest.NewRequest("POST", "/predict", strings.NewReader(`{"rows": []}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.predict(w, r)
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "busy with other requests") {
		t.Errorf("a busy service: %d %s", w.Code, w.Body)
	}
	if len(h.turn) != 1 {
		t.Error("the refused request has ended the turn of the other one")
	}
	service := NewHandler(nil, Limits{})
	for _, c := range []struct {
		method, path, allow string
		status              int
	}{
		{"PUT", "/predict", "POST", 405}, {"GET", "/predict", "POST", 405}, {"POST", "/", "GET", 405},
		{"DELETE", "/", "GET", 405}, {"GET", "/other", "", 404}, {"POST", "/predict/x", "", 404},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(c.method, "http://localhost"+c.path, nil)
		service.ServeHTTP(w, r)
		if w.Code != c.status || w.Header().Get("Allow") != c.allow ||
			w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: status %d, header %v; want %d and %s", c.method, c.path, w.Code, w.Header(), c.status, c.allow)
		}
	}
}
