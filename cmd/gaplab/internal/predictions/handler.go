// Package predictions answers requests for predictions over HTTP.
package predictions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Limits holds the limits of a request.
type Limits struct {
	Bytes int64         // largest body
	Time  time.Duration // longest time for the prediction, including the wait for other requests
}

// handler answers requests with one predictor.
type handler struct {
	predictor *harness.Predictor
	limits    Limits
	turn      chan struct{} // holds a value while a request uses the predictor, which is not safe for concurrent use
}

// NewHandler returns a handler of POST /predict, which labels examples, and of GET /, which describes the model. Two
// checks keep foreign web pages out. The handler refuses a request whose header Host does not name this machine,
// because a page may have bound another name to this machine. It refuses a request to POST /predict whose content type
// is not JSON, because a browser sends such requests of a foreign page without asking the service first.
func NewHandler(p *harness.Predictor, limits Limits) http.Handler {
	h := &handler{p, limits, make(chan struct{}, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", h.describe)
	mux.HandleFunc("POST /predict", h.predict)
	mux.HandleFunc("/{$}", refuse("GET"))
	mux.HandleFunc("/predict", refuse("POST"))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusNotFound, errors.New("there is nothing at this path; want POST /predict, or GET /"))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r.Host) {
			fail(w, http.StatusMisdirectedRequest, fmt.Errorf("host %q is not this machine; want localhost or 127.0.0.1",
				r.Host))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// refuse returns a handler of requests to a path that accepts another method only.
func refuse(method string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", method)
		fail(w, http.StatusMethodNotAllowed, fmt.Errorf("the method is %s; want %s %s", r.Method, method, r.URL.Path))
	}
}

// local reports whether a host, with or without a port, is a name of this machine.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// describe answers GET /.
func (h *handler) describe(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, h.predictor.Describe())
}

// predict answers POST /predict.
func (h *handler) predict(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, errors.New("want the header Content-Type: application/json"))
		return
	}
	var q harness.Question
	if status, err := h.read(w, r, &q); err != nil {
		fail(w, status, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.limits.Time)
	defer cancel()
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		fail(w, http.StatusServiceUnavailable, errors.New("the service is busy with other requests; try again later"))
		return
	}
	labels, err := h.answer(ctx, q)
	switch {
	case errors.Is(err, harness.ErrQuestion):
		fail(w, http.StatusBadRequest, err)
	case errors.Is(err, context.DeadlineExceeded):
		fail(w, http.StatusServiceUnavailable, fmt.Errorf("the prediction takes longer than %v; send fewer examples",
			h.limits.Time))
	case err != nil:
		fail(w, http.StatusInternalServerError, err)
	default:
		reply(w, http.StatusOK, map[string]any{"predictions": labels})
	}
}

// answer labels the examples of a request. It then releases the predictor for the next request.
func (h *handler) answer(ctx context.Context, q harness.Question) ([]harness.Label, error) {
	defer func() { <-h.turn }()
	return h.predictor.Answer(ctx, q)
}

// read decodes the body of a request, which must be one JSON object without unknown keys or repeated keys. If the body
// is wrong, read returns the HTTP status of the response and the error.
func (h *handler) read(w http.ResponseWriter, r *http.Request, q *harness.Question) (status int, err error) {
	var text bytes.Buffer
	body := json.NewDecoder(io.TeeReader(http.MaxBytesReader(w, r.Body, h.limits.Bytes), &text))
	body.DisallowUnknownFields()
	if err = body.Decode(q); err == nil {
		if _, more := body.Token(); !errors.Is(more, io.EOF) {
			if err = more; err == nil {
				err = errors.New("want one JSON object, and nothing after it")
			}
		}
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return http.StatusRequestEntityTooLarge, fmt.Errorf("the body has more than %d bytes; send fewer examples",
			large.Limit)
	}
	if err != nil {
		return http.StatusBadRequest, explained(err, h.predictor.Example())
	}
	if key, twice := repeated(json.NewDecoder(&text)); twice {
		return http.StatusBadRequest, fmt.Errorf("the key %q is given twice in one object; want it once", key)
	}
	return 0, nil
}

// repeated reads one JSON value, and returns the first key that an object in it has twice.
func repeated(in *json.Decoder) (key string, twice bool) {
	token, err := in.Token()
	if err != nil { // not possible: the text was decoded before
		return "", false
	}
	var seen map[string]bool // made for an object only
	if token == json.Delim('{') {
		seen = map[string]bool{}
	}
	for seen != nil && in.More() {
		name, _ := in.Token()
		key, _ = name.(string)
		if seen[key] {
			return key, true
		}
		seen[key] = true
		if key, twice = repeated(in); twice {
			return key, true
		}
	}
	for token == json.Delim('[') && in.More() {
		if key, twice = repeated(in); twice {
			return key, true
		}
	}
	if _, nested := token.(json.Delim); nested {
		_, _ = in.Token() // the closing bracket
	}
	return "", false
}

// explained returns the error for a body that is not a request, without the words of Go for it. The argument example is
// a body in the right form.
func explained(err error, example string) error {
	example = "such as " + example
	var wrong *json.UnmarshalTypeError
	key, unknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the body is empty; want one JSON object, " + example)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the body is not a request in JSON: it ends within a value")
	case unknown:
		return fmt.Errorf("unknown key %s%s", key, nearest.Accepted(strings.Trim(key, `"`), fields()))
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("the body is a JSON %s; want one object, %s", wrong.Value, example)
	case errors.As(err, &wrong) && strings.HasPrefix(wrong.Value, "number ") && wrong.Type.Kind() == reflect.Float64:
		return fmt.Errorf("%s: the %s is too large", wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: got a value of type %s; want %s", wrong.Field, wrong.Value, form(wrong.Field))
	}
	return fmt.Errorf("the body is not a request in JSON: %w", err)
}

// fields lists the keys of a request.
func fields() []string {
	var out []string
	t := reflect.TypeFor[harness.Question]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		out = append(out, name)
	}
	return out
}

// form describes the values that a key of a request accepts.
func form(key string) string {
	switch key {
	case "rows":
		return "a list of rows, such as [[0.5, 2]]"
	case "sequences":
		return "a list of sequences, each a list of rows, such as [[[0.5, 2], [1, 0]]]"
	case "sentences":
		return `a list of sentences, each a list of tokens, such as [[["the"], ["dog"]]]; for trees [["the", "dog"]]`
	}
	return "true or false"
}

// fail writes an error as the response.
func fail(w http.ResponseWriter, status int, err error) {
	reply(w, status, map[string]string{"error": err.Error()})
}

// reply writes a value as JSON. It ignores write errors, because the client has then closed the connection.
func reply(w http.ResponseWriter, status int, v any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)              // the client is a program, not a web page
	if err := encoder.Encode(v); err != nil { // not possible: a prediction has texts and finite numbers
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes())
}
