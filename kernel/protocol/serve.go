package protocol

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
	"golang.org/x/sync/errgroup"
)

// server is one running kernel.
type server struct {
	kernel  Kernel
	sign    signer
	session string

	shell, control, stdin, heartbeat zmq4.Socket

	mu    sync.Mutex // protects the socket iopub, on which several goroutines send
	iopub zmq4.Socket

	running sync.Mutex // protects cancel
	cancel  context.CancelCauseFunc

	count   int // number of cells that were executed
	history []entry
	end     context.CancelFunc
}

// entry is one cell of the history.
type entry struct {
	line int
	code string
}

// remembered is the largest number of cells in the history.
const remembered = 1000

// waiting is the largest number of messages that wait for a slow front end. Further messages are dropped.
const waiting = 5000

// window is how long the reply for a failed cell is delayed. In this time, the requests for further cells arrive that
// were sent together with the failed one.
const window = 100 * time.Millisecond

// ErrInterrupted is the cause of the context of a cell that the user has interrupted.
var ErrInterrupted = errors.New("interrupted")

// Serve listens on the addresses of the connection, and nowhere else, until ctx ends or a front end shuts the kernel
// down.
func Serve(ctx context.Context, c Connection, k Kernel) error {
	if err := register(); err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	s := &server{kernel: k, sign: signer{[]byte(c.Key)}, session: unique(), end: end}
	quiet := zmq4.WithLogger(log.New(io.Discard, "", 0)) // do not log broken connections
	s.shell, s.control, s.stdin = zmq4.NewRouter(ctx, quiet), zmq4.NewRouter(ctx, quiet), zmq4.NewRouter(ctx, quiet)
	s.iopub, s.heartbeat = zmq4.NewPub(ctx, quiet), zmq4.NewRep(ctx, quiet)
	if err := s.iopub.SetOption(zmq4.OptionHWM, waiting); err != nil {
		return fmt.Errorf("iopub socket: %w", err)
	}
	for _, socket := range []struct {
		name string
		zmq4.Socket
		port int
	}{{"shell", s.shell, c.Shell}, {"control", s.control, c.Control}, {"stdin", s.stdin, c.Stdin},
		{"iopub", s.iopub, c.IOPub}, {"heartbeat", s.heartbeat, c.Heartbeat}} {
		defer socket.Close()
		if err := socket.Listen(c.at(socket.port)); err != nil {
			return fmt.Errorf("%s socket: %w", socket.name, err)
		}
	}
	queue := newQueue()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.echo(ctx) })
	g.Go(func() error {
		return s.receive(ctx, s.control, func(m message) { s.handle(ctx, m, s.control, queue) })
	})
	g.Go(func() error { return s.receive(ctx, s.shell, queue.put) })
	g.Go(func() error {
		for {
			m, ok := queue.next(ctx)
			if !ok {
				return nil
			}
			s.handle(ctx, m, s.shell, queue)
		}
	})
	return g.Wait()
}

// echo answers heartbeats: it sends back each message of the heartbeat socket.
func (s *server) echo(ctx context.Context) error {
	for {
		m, err := s.heartbeat.Recv()
		if ctx.Err() != nil || errors.Is(err, context.Canceled) { // the sockets may end before ctx does
			return nil
		}
		if err != nil {
			return fmt.Errorf("heartbeat: %w", err)
		}
		if err := s.heartbeat.Send(m); err != nil && ctx.Err() == nil {
			return fmt.Errorf("heartbeat: %w", err)
		}
	}
}

// receive passes the messages of a socket to take. It drops messages that are malformed or not signed.
func (s *server) receive(ctx context.Context, socket zmq4.Socket, take func(message)) error {
	for {
		raw, err := socket.Recv()
		if ctx.Err() != nil || errors.Is(err, context.Canceled) { // the sockets may end before ctx does
			return nil
		}
		if err != nil {
			return err
		}
		if m, err := s.sign.parse(raw.Frames); err == nil {
			take(m)
		}
	}
}

// request has the fields of the contents of all requests.
type request struct {
	Code    string `json:"code"`
	Cursor  int    `json:"cursor_pos"` // offset in code points
	Silent  bool   `json:"silent"`
	Store   *bool  `json:"store_history"`
	Stop    *bool  `json:"stop_on_error"`
	Restart bool   `json:"restart"`
}

// handle answers a request. It publishes the status busy before and the status idle after.
func (s *server) handle(ctx context.Context, m message, socket zmq4.Socket, queue *queue) {
	s.publish(m, "status", map[string]string{"execution_state": "busy"})
	defer s.publish(m, "status", map[string]string{"execution_state": "idle"})
	reply := func(kind string, content any) { s.send(socket, m, kind, content) }
	var in request
	defer func() { // of the kernel's methods, only Execute has a guard of its own
		if r := recover(); r != nil {
			reply(failure(m, "Panic", fmt.Sprint(r)))
		}
	}()
	if err := json.Unmarshal(m.content, &in); err != nil {
		reply(failure(m, "MessageError", fmt.Sprintf("the content of a message of type %s: %v", m.header.Type, err)))
		return
	}
	switch m.header.Type {
	case "kernel_info_request":
		reply("kernel_info_reply", s.info())
	case "execute_request":
		kind, content := s.execute(ctx, m, in.Code, in.Silent, in.Store == nil || *in.Store)
		if content["status"] == "ok" || in.Stop != nil && !*in.Stop {
			reply(kind, content)
			break
		}
		time.Sleep(window) // requests that were sent together with the cell may still be on their way
		gone := queue.executions()
		reply(kind, content)
		for _, m := range gone {
			s.aborted(m)
		}
	case "complete_request":
		c := s.kernel.Complete(in.Code, bytesAt(in.Code, in.Cursor))
		if c.Matches == nil {
			c.Matches = []string{}
		}
		start, end := pointsAt(in.Code, c.Start), pointsAt(in.Code, c.End)
		kinds := []any{} // in the form of IPython, which front ends understand
		for i, kind := range c.Kinds {
			kinds = append(kinds, map[string]any{"text": c.Matches[i], "type": kind, "start": start, "end": end})
		}
		reply("complete_reply", map[string]any{"status": "ok", "matches": c.Matches, "cursor_start": start,
			"cursor_end": end, "metadata": map[string]any{"_jupyter_types_experimental": kinds}})
	case "inspect_request":
		text := s.kernel.Inspect(in.Code, bytesAt(in.Code, in.Cursor))
		data := map[string]string{}
		if text != "" {
			plain := strings.NewReplacer("**", "", "`", "").Replace(text) // for front ends that show no Markdown
			data = map[string]string{"text/plain": plain, "text/markdown": text}
		}
		reply("inspect_reply", map[string]any{"status": "ok", "found": text != "", "data": data,
			"metadata": map[string]any{}})
	case "is_complete_request":
		status, indent := "complete", ""
		if whole, next := s.kernel.Whole(in.Code); !whole {
			status, indent = "incomplete", next
		}
		reply("is_complete_reply", map[string]string{"status": status, "indent": indent})
	case "history_request":
		var h historyRequest
		if err := json.Unmarshal(m.content, &h); err != nil {
			reply(failure(m, "MessageError", err.Error()))
			break
		}
		reply("history_reply", map[string]any{"status": "ok", "history": h.of(s.history)})
	case "comm_info_request":
		reply("comm_info_reply", map[string]any{"status": "ok", "comms": map[string]any{}})
	case "interrupt_request":
		s.interrupt()
		reply("interrupt_reply", map[string]string{"status": "ok"})
	case "shutdown_request":
		s.interrupt()
		reply("shutdown_reply", map[string]any{"status": "ok", "restart": in.Restart})
		s.publish(m, "shutdown_reply", map[string]any{"status": "ok", "restart": in.Restart})
		s.end()
	}
}

// failure returns the kind and the content of the reply to a request that cannot be answered. Jupyter ignores a message
// that is not a request, and so it ignores the reply to it.
func failure(m message, name, why string) (kind string, content any) {
	kind = strings.TrimSuffix(m.header.Type, "_request") + "_reply"
	return kind, map[string]any{"status": "error", "ename": name, "evalue": why, "traceback": []string{name + ": " + why}}
}

func (s *server) info() map[string]any {
	i := s.kernel.Info()
	help := i.Help
	if help == nil {
		help = []Link{}
	}
	return map[string]any{"status": "ok", "protocol_version": version, "implementation": i.Name,
		"implementation_version": i.Version, "language_info": i.Language, "banner": i.Banner, "help_links": help,
		"debugger": false}
}

// send sends the reply to the request parent on a socket.
func (s *server) send(socket zmq4.Socket, parent message, kind string, content any) {
	if msg, err := s.sign.frames(parent.identities, s.session, kind, parent.raw, content); err == nil {
		_ = socket.SendMulti(msg) // after an error, the front end no longer exists
	}
}

// publish sends a message to all front ends. parent is the request that caused it.
func (s *server) publish(parent message, kind string, content any) {
	msg, err := s.sign.frames([][]byte{[]byte(kind)}, s.session, kind, parent.raw, content)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.iopub.SendMulti(msg)
}

// interrupt ends the context of the cell that is being executed.
func (s *server) interrupt() {
	s.running.Lock()
	defer s.running.Unlock()
	if s.cancel != nil {
		s.cancel(ErrInterrupted)
	}
}
