package protocol

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// echo is a kernel that prints the code of each cell.
type echo struct{}

func (echo) Info() Info {
	return Info{Name: "echo", Version: "1", Language: Language{Name: "echo", Extension: ".txt", MIMEType: "text/plain"}}
}

func (echo) Execute(ctx context.Context, code string, out Output) error {
	switch {
	case code == "wait":
		<-ctx.Done()
		return context.Cause(ctx)
	case code == "panic":
		panic("a fault of the kernel")
	case strings.HasPrefix(code, "fail"):
		return &Error{Name: "Fault", Value: code, Trace: []string{"line 1"}}
	}
	out.Display("d", map[string]string{"text/plain": "one"})
	out.Update("d", map[string]string{"text/plain": "two"})
	out.Print(code)
	return nil
}

func (echo) Complete(code string, cursor int) Completion {
	if code == "panic" {
		panic("a fault of the kernel")
	}
	return Completion{Matches: []string{code[:cursor] + "!"}, Start: 0, End: cursor}
}

func (echo) Inspect(code string, _ int) string { return code }

func (echo) Whole(code string) (bool, string) { return !strings.HasSuffix(code, ":"), "  " }

// client is a front end for tests.
type client struct {
	t                    testing.TB
	s                    signer
	shell, control, hear zmq4.Socket
	beat                 zmq4.Socket
	heard                chan zmq4.Msg
}

func start(t testing.TB) (*client, Connection) {
	t.Helper()
	c := Connection{Transport: "tcp", IP: "127.0.0.1", Scheme: "hmac-sha256", Key: "secret"}
	var held []net.Listener
	for _, port := range []*int{&c.Shell, &c.Control, &c.Stdin, &c.IOPub, &c.Heartbeat} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		*port = l.Addr().(*net.TCPAddr).Port
		held = append(held, l) // not closed yet, so that the next port is another one
	}
	for _, l := range held {
		l.Close()
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, c, echo{}) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("Serve: %v", err)
			}
		case <-time.After(5 * time.Second):
			t.Error("Serve did not end within 5 s of its context")
		}
	})
	k := &client{t: t, s: signer{[]byte(c.Key)}, shell: zmq4.NewDealer(ctx), control: zmq4.NewDealer(ctx),
		hear: zmq4.NewSub(ctx), beat: zmq4.NewReq(ctx)}
	for socket, port := range map[zmq4.Socket]int{k.shell: c.Shell, k.control: c.Control, k.hear: c.IOPub,
		k.beat: c.Heartbeat} {
		if err := socket.Dial(fmt.Sprintf("tcp://127.0.0.1:%d", port)); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.hear.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		t.Fatal(err)
	}
	k.heard = make(chan zmq4.Msg, 1000)
	go func() {
		for {
			m, err := k.hear.Recv()
			if err != nil {
				return
			}
			k.heard <- m
		}
	}()
	for range 50 { // repeat until the subscription works
		k.ask(k.shell, "kernel_info_request", map[string]any{})
		select {
		case <-k.heard:
			for quiet := false; !quiet; {
				select {
				case <-k.heard:
				case <-time.After(200 * time.Millisecond):
					quiet = true
				}
			}
			return k, c
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatal("the client received no status")
	return k, c
}

// ask sends a request and returns the content of the reply.
func (k *client) ask(socket zmq4.Socket, kind string, content any) map[string]any {
	k.t.Helper()
	k.send(socket, kind, content)
	return k.reply(socket)
}

func (k *client) send(socket zmq4.Socket, kind string, content any) {
	k.t.Helper()
	msg, err := k.s.frames(nil, "test", kind, nil, content)
	if err == nil {
		err = socket.SendMulti(msg)
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *client) reply(socket zmq4.Socket) map[string]any {
	k.t.Helper()
	_, out := k.next(socket)
	return out
}

func (k *client) next(socket zmq4.Socket) (kind string, out map[string]any) {
	k.t.Helper()
	raw := k.heard
	if socket != k.hear {
		raw = make(chan zmq4.Msg, 1)
		go func() {
			if m, err := socket.Recv(); err == nil {
				raw <- m
			}
		}()
	}
	select {
	case m := <-raw:
		parsed, err := k.s.parse(m.Frames)
		if err == nil {
			err = json.Unmarshal(parsed.content, &out)
		}
		if err != nil {
			k.t.Fatal(err)
		}
		return parsed.header.Type, out
	case <-time.After(5 * time.Second):
		k.t.Fatal("the kernel did not answer within 5 s")
	}
	return "", nil
}

// published returns the texts of the messages that were published, up to the next status idle.
func (k *client) published() (out []string) {
	k.t.Helper()
	for {
		kind, content := k.next(k.hear)
		text := kind
		for _, name := range []string{"execution_state", "text", "ename", "code", "data"} {
			if v, ok := content[name]; ok {
				text += fmt.Sprint(" ", v)
			}
		}
		out = append(out, text)
		if content["execution_state"] == "idle" {
			return out
		}
	}
}

// TestExecute checks the reply, the published messages and the history of executed cells.
func TestExecute(t *testing.T) {
	k, _ := start(t)
	if got := k.ask(k.shell, "execute_request", map[string]any{"code": "héllo"}); got["status"] != "ok" ||
		got["execution_count"] != 1.0 {
		t.Errorf("reply %v, want ok and count 1", got)
	}
	want := []string{"status busy", "execute_input héllo", "display_data map[text/plain:one]",
		"update_display_data map[text/plain:two]", "stream héllo", "status idle"}
	if got := k.published(); strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("published %q, want %q", got, want)
	}
	for code, name := range map[string]string{"fail here": "Fault", "panic": "Panic"} {
		got := k.ask(k.shell, "execute_request", map[string]any{"code": code})
		if got["status"] != "error" || got["ename"] != name {
			t.Errorf("reply to %s = %v, want the error %s", code, got, name)
		}
	}
	got := k.ask(k.shell, "execute_request", map[string]any{"code": "x", "silent": true})
	if got["execution_count"] != 3.0 {
		t.Errorf("reply to a silent cell = %v, want count 3", got)
	}
	got = k.ask(k.shell, "history_request", map[string]any{"hist_access_type": "search", "pattern": "f*e"})
	if h := fmt.Sprint(got["history"]); h != "[[0 2 fail here]]" && h != "[[0 3 fail here]]" {
		t.Errorf("history = %v, want the cell \"fail here\"", got)
	}
}

// TestRunAllStops checks that a failed cell stops the cells that were requested before it failed: they are not
// executed.
func TestRunAllStops(t *testing.T) {
	k, _ := start(t)
	k.send(k.shell, "execute_request", map[string]any{"code": "wait"})
	k.send(k.shell, "execute_request", map[string]any{"code": "after"})
	time.Sleep(300 * time.Millisecond)
	begun := time.Now()
	if got := k.ask(k.control, "interrupt_request", map[string]any{}); got["status"] != "ok" {
		t.Errorf("reply to the interrupt = %v, want ok", got)
	}
	if got := k.reply(k.shell); got["status"] != "error" || got["ename"] != "Interrupted" {
		t.Errorf("reply of the interrupted cell = %v, want the error Interrupted", got)
	}
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("the interrupt took %v, want at most 2 s", took)
	}
	if got := k.reply(k.shell); got["status"] != "aborted" {
		t.Errorf("reply of the cell after it = %v, want aborted", got)
	}
	if got := k.ask(k.shell, "execute_request", map[string]any{"code": "again"}); got["status"] != "ok" {
		t.Errorf("reply of a later cell = %v, want ok", got)
	}
}

// TestQuestions checks the replies to all requests other than executions, and the heartbeat.
func TestQuestions(t *testing.T) {
	k, _ := start(t)
	info := k.ask(k.shell, "kernel_info_request", map[string]any{})
	if info["protocol_version"] != version || info["implementation"] != "echo" {
		t.Errorf("reply to kernel_info_request = %v, want protocol %s and implementation echo", info, version)
	}
	c := k.ask(k.shell, "complete_request", map[string]any{"code": "héllo", "cursor_pos": 2})
	if fmt.Sprint(c["matches"], c["cursor_start"], c["cursor_end"]) != "[hé!] 0 2" {
		t.Errorf("reply to complete_request = %v, want the match hé! for characters 0 to 2", c)
	}
	if i := k.ask(k.shell, "inspect_request", map[string]any{"code": "x", "cursor_pos": 1}); i["found"] != true {
		t.Errorf("reply to inspect_request = %v, want an explanation", i)
	}
	w := k.ask(k.shell, "is_complete_request", map[string]any{"code": "a:"})
	if w["status"] != "incomplete" || w["indent"] != "  " {
		t.Errorf("reply to is_complete_request = %v, want incomplete with an indent of two spaces", w)
	}
	if got := k.ask(k.shell, "comm_info_request", map[string]any{}); got["status"] != "ok" {
		t.Errorf("reply to comm_info_request = %v, want ok", got)
	}
	if err := k.beat.Send(zmq4.NewMsgString("ping")); err != nil {
		t.Fatal(err)
	}
	if m, err := k.beat.Recv(); err != nil || string(m.Bytes()) != "ping" {
		t.Errorf("reply to the heartbeat ping = %v, error %v; want ping", m, err)
	}
	if got := k.ask(k.control, "shutdown_request", map[string]any{"restart": true}); got["restart"] != true {
		t.Errorf("reply to shutdown_request = %v, want restart true", got)
	}
}

// TestHostile checks that the kernel still works after messages that are unsigned or malformed, and after frames that
// announce a huge length.
func TestHostile(t *testing.T) {
	k, c := start(t)
	unsigned := signer{[]byte("another key")}
	msg, err := unsigned.frames(nil, "x", "execute_request", nil, map[string]any{"code": "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []zmq4.Msg{msg, zmq4.NewMsgString("nonsense"), zmq4.NewMsgFrom([]byte(delimiter)),
		zmq4.NewMsgFrom([]byte(delimiter), nil, nil, nil, nil, nil)} {
		if err := k.shell.SendMulti(m); err != nil {
			t.Fatal(err)
		}
	}
	signed, err := k.s.frames(nil, "x", "execute_request", nil, []string{"no object"})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.shell.SendMulti(signed); err != nil {
		t.Fatal(err)
	}
	if got := k.reply(k.shell); got["status"] != "error" {
		t.Errorf("reply to a request without an object = %v, want an error", got)
	}
	for _, size := range []uint64{1 << 40, 1<<63 - 1, 1<<64 - 1} {
		raw, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", c.Shell))
		if err != nil {
			t.Fatal(err)
		}
		greet := append([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0}, make([]byte, 52)...)
		copy(greet[12:], "NULL")
		frame := binary.BigEndian.AppendUint64([]byte{2}, size)
		if _, err := raw.Write(append(greet, frame...)); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Logf("sending a frame that announces %d bytes: %v", size, err)
		}
		time.Sleep(50 * time.Millisecond)
		raw.Close()
	}
	if got := k.ask(k.shell, "execute_request", map[string]any{"code": "x"}); got["status"] != "ok" {
		t.Errorf("reply after hostile messages = %v, want ok", got)
	}
}

// TestMalformed sends messages that are wrong in one place each. The kernel must drop those that were not signed with
// the key, must ignore unknown types, and must answer requests with wrong content by an error. After each message, the
// next good one must be answered.
func TestMalformed(t *testing.T) {
	k, _ := start(t)
	parts := func(s signer, parts ...string) zmq4.Msg {
		var raw [][]byte
		for _, p := range parts {
			raw = append(raw, []byte(p))
		}
		return zmq4.NewMsgFrom(append([][]byte{[]byte(delimiter), []byte(s.sign(raw...))}, raw...)...)
	}
	header := func(kind string) string { return fmt.Sprintf(`{"msg_id":"1","session":"s","msg_type":%q}`, kind) }
	const cell = `{"code":"x"}`
	execute := header("execute_request")
	good := parts(k.s, execute, "{}", "{}", cell)
	changed := good.Clone()
	changed.Frames[5] = []byte(`{"code":"another"}`)
	short := good.Clone()
	short.Frames[1] = short.Frames[1][:10]
	dropped := map[string]zmq4.Msg{
		"unsigned":                 parts(signer{}, execute, "{}", "{}", cell),
		"signed with another key":  parts(signer{[]byte("other")}, execute, "{}", "{}", cell),
		"changed after signing":    changed,
		"a cut signature":          short,
		"three parts":              parts(k.s, execute, "{}", "{}"),
		"no delimiter":             zmq4.NewMsgFrom(good.Frames[1:]...),
		"only delimiters":          zmq4.NewMsgFrom([]byte(delimiter), []byte(delimiter), []byte(delimiter)),
		"a header that is no JSON": parts(k.s, "{", "{}", "{}", cell),
		"a header that is a list":  parts(k.s, "[]", "{}", "{}", cell),
		"a header without a type":  parts(k.s, "{}", "{}", "{}", cell),
		"a type that is a number":  parts(k.s, `{"msg_type":1}`, "{}", "{}", cell),
		"an unknown type":          parts(k.s, header("unknown_request"), "{}", "{}", "{}"),
		"a message of a widget":    parts(k.s, header("comm_open"), "{}", "{}", `{"comm_id":"1","target_name":"x"}`),
		"a reply":                  parts(k.s, header("execute_reply"), "{}", "{}", `{"status":"ok"}`),
	}
	for name, m := range dropped {
		for _, socket := range []zmq4.Socket{k.shell, k.control} {
			if err := socket.SendMulti(m); err != nil {
				t.Fatal(err)
			}
			if kind, got := k.described(socket); kind != "kernel_info_reply" || got["status"] != "ok" {
				t.Errorf("%s: reply %s %v to the next message, want kernel_info_reply", name, kind, got)
			}
		}
	}
	for content, kinds := range map[string][]string{
		"":                           {"execute", "complete", "inspect", "is_complete", "history", "kernel_info"},
		"{":                          {"execute", "shutdown", "interrupt"},
		`"text"`:                     {"execute", "complete", "shutdown"},
		"[1]":                        {"execute", "comm_info"},
		`{"code":5}`:                 {"execute", "complete", "inspect", "is_complete"},
		`{"n":"many"}`:               {"history"},
		strings.Repeat("[", 100_000): {"execute"},
		`{"code":"panic"}`:           {"complete"},
	} {
		for _, kind := range kinds {
			if err := k.shell.SendMulti(parts(k.s, header(kind+"_request"), "{}", "{}", content)); err != nil {
				t.Fatal(err)
			}
			if got, reply := k.next(k.shell); got != kind+"_reply" || reply["status"] != "error" || reply["evalue"] == "" {
				t.Errorf("%s with content %.20s: %s %v, want %s_reply with status error", kind, content, got, reply, kind)
			}
		}
	}
	for _, cursor := range []int{-1, 100, 1 << 40} {
		got := k.ask(k.shell, "complete_request", map[string]any{"code": "héllo", "cursor_pos": cursor})
		if got["status"] != "ok" {
			t.Errorf("completion at %d = %v, want ok", cursor, got)
		}
	}
	if got := k.ask(k.shell, "execute_request", map[string]any{"code": "x"}); got["status"] != "ok" {
		t.Errorf("reply after malformed messages = %v, want ok", got)
	}
}

// described asks for the kernel's description on a socket and returns the first reply that arrives on it.
func (k *client) described(socket zmq4.Socket) (kind string, out map[string]any) {
	k.send(socket, "kernel_info_request", map[string]any{})
	return k.next(socket)
}

// TestGuardFollowsFrames checks that only a frame above the limit gives an error, however the bytes are divided into
// reads.
func TestGuardFollowsFrames(t *testing.T) {
	stream := make([]byte, greeting)
	stream = append(stream, 1, 3, 'a', 'b', 'c') // a short frame
	stream = append(binary.BigEndian.AppendUint64(append(stream, 2), 300), make([]byte, 300)...)
	stream = append(stream, 0, 0) // an empty frame
	good := len(stream)
	stream = binary.BigEndian.AppendUint64(append(stream, 3), longest+1)
	for _, piece := range []int{1, 7, 64, len(stream)} {
		c := &conn{skip: greeting}
		var err error
		at := 0
		for ; at < len(stream) && err == nil; at += piece {
			err = c.follow(stream[at:min(len(stream), at+piece)])
		}
		if !errors.Is(err, errTooLong) || at < good {
			t.Errorf("pieces of %d bytes: %v at byte %d, want errTooLong at byte %d or later", piece, err, at, good)
		}
	}
}
