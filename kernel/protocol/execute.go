package protocol

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// execute executes a cell and returns the kind and the content of the reply.
func (s *server) execute(ctx context.Context, m message, code string, silent, store bool) (kind string,
	content map[string]any) {
	kind = "execute_reply"
	if silent {
		store = false
	}
	if store {
		s.count++
		if s.history = append(s.history, entry{s.count, code}); len(s.history) > remembered {
			s.history = slices.Delete(s.history, 0, len(s.history)-remembered)
		}
	}
	if !silent {
		s.publish(m, "execute_input", map[string]any{"code": code, "execution_count": s.count})
	}
	err := s.guarded(ctx, code, &output{s: s, parent: m, silent: silent})
	if err == nil {
		return kind, map[string]any{"status": "ok", "execution_count": s.count, "user_expressions": map[string]any{},
			"payload": []any{}}
	}
	shown := asError(err)
	content = map[string]any{"ename": shown.Name, "evalue": shown.Value, "traceback": shown.Trace}
	if !silent {
		s.publish(m, "error", content)
	}
	return kind, map[string]any{"status": "error", "execution_count": s.count, "ename": shown.Name,
		"evalue": shown.Value, "traceback": shown.Trace}
}

// guarded calls the kernel's Execute, with a context that an interrupt ends. If Execute panics, guarded returns the
// panic as an error of the cell.
func (s *server) guarded(ctx context.Context, code string, out Output) (err error) {
	if strings.TrimSpace(code) == "" {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	s.running.Lock()
	s.cancel = cancel
	s.running.Unlock()
	defer func() {
		s.running.Lock()
		s.cancel = nil
		s.running.Unlock()
		cancel(nil)
		if r := recover(); r != nil {
			err = &Error{Name: "Panic", Value: fmt.Sprint(r), Trace: strings.Split(string(debug.Stack()), "\n")}
		}
	}()
	return s.kernel.Execute(ctx, code, out)
}

// asError converts an error to the form that Jupyter shows.
func asError(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Name: "Error", Value: err.Error()}
		if errors.Is(err, ErrInterrupted) {
			e.Name = "Interrupted"
		}
	}
	if e.Trace == nil {
		e = &Error{e.Name, e.Value, strings.Split(e.Name+": "+e.Value, "\n")}
	}
	return e
}

// aborted answers a request to execute a cell that was sent before an earlier cell failed. The cell is not executed.
func (s *server) aborted(m message) {
	s.publish(m, "status", map[string]string{"execution_state": "busy"})
	s.send(s.shell, m, "execute_reply", map[string]any{"status": "aborted", "execution_count": s.count})
	s.publish(m, "status", map[string]string{"execution_state": "idle"})
}

// output is the Output that a cell writes to.
type output struct {
	s      *server
	parent message
	silent bool
}

func (o *output) publish(kind string, content any) {
	if !o.silent {
		o.s.publish(o.parent, kind, content)
	}
}

func (o *output) Print(text string) {
	o.publish("stream", map[string]string{"name": "stdout", "text": text})
}

func (o *output) Warn(text string) {
	o.publish("stream", map[string]string{"name": "stderr", "text": text})
}

func (o *output) Display(id string, data map[string]string) { o.display("display_data", id, data) }

func (o *output) Update(id string, data map[string]string) {
	o.display("update_display_data", id, data)
}

func (o *output) display(kind, id string, data map[string]string) {
	transient := map[string]string{}
	if id != "" {
		transient["display_id"] = id
	}
	o.publish(kind, map[string]any{"data": data, "metadata": map[string]any{}, "transient": transient})
}

func (o *output) Clear() { o.publish("clear_output", map[string]bool{"wait": true}) }

// queue holds the requests on the shell socket that are not yet answered, in order.
type queue struct {
	mu   sync.Mutex
	list []message
	more chan struct{}
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1)} }

func (q *queue) put(m message) {
	q.mu.Lock()
	q.list = append(q.list, m)
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// next waits for the next request and removes it from the queue. ok is false if ctx has ended.
func (q *queue) next(ctx context.Context) (m message, ok bool) {
	for {
		q.mu.Lock()
		if len(q.list) > 0 {
			m, q.list = q.list[0], q.list[1:]
			q.mu.Unlock()
			return m, true
		}
		q.mu.Unlock()
		select {
		case <-q.more:
		case <-ctx.Done():
			return m, false
		}
	}
}

// executions removes all requests to execute a cell from the queue and returns them.
func (q *queue) executions() (out []message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var rest []message
	for _, m := range q.list {
		if m.header.Type == "execute_request" {
			out = append(out, m)
		} else {
			rest = append(rest, m)
		}
	}
	q.list = rest
	return out
}

// historyRequest is a request for cells that were executed earlier.
type historyRequest struct {
	Access string `json:"hist_access_type"` // range, tail, search
	Start  int    `json:"start"`
	Stop   int    `json:"stop"`
	N      int    `json:"n"`
	Like   string `json:"pattern"` // may contain * and ?
}

// of returns the requested entries of the history. Each is a list of session, line and code.
func (h historyRequest) of(all []entry) [][]any {
	out := [][]any{}
	for i, e := range all {
		switch h.Access {
		case "tail":
			if i < len(all)-h.N {
				continue
			}
		case "range":
			if e.line < h.Start || h.Stop > 0 && e.line >= h.Stop {
				continue
			}
		case "search":
			if !matches(h.Like, e.code) {
				continue
			}
		}
		out = append(out, []any{0, e.line, e.code})
	}
	if h.Access == "search" && h.N > 0 && len(out) > h.N {
		out = out[len(out)-h.N:]
	}
	return out
}

// matches reports whether a text matches a pattern, in which * matches any text and ? matches one character.
func matches(pattern, text string) bool {
	p := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	ok, err := regexp.MatchString("(?s)^"+p+"$", text)
	return err == nil && ok
}

// bytesAt converts an offset in code points to bytes.
func bytesAt(text string, points int) int {
	for i := range text {
		if points == 0 {
			return i
		}
		points--
	}
	return len(text)
}

// pointsAt converts an offset in bytes to code points.
func pointsAt(text string, bytes int) int {
	return utf8.RuneCountInString(text[:max(0, min(bytes, len(text)))])
}
