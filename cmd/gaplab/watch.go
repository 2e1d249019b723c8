package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/report"
)

// watcher serves the curves of the present experiment on this machine, while its runs go on. All methods of a nil
// watcher do nothing.
type watcher struct {
	server *http.Server
	now    atomic.Pointer[report.Live]
}

// watch starts a watcher that listens on a port, or on any free port if the port is "0". It prints the address to
// standard error. The caller must close the watcher.
func watch(ctx context.Context, sys system, port string) (*watcher, error) {
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return nil, term.Usage("--watch=%s is not a port; accepted: 0 (any free port) to 65535", port)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return nil, term.Usage("--watch: %w; choose another port with --watch=PORT", err)
	}
	w := &watcher{}
	w.server = &http.Server{ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 16,
		Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { w.now.Load().ServeHTTP(out, r) })}
	w.now.Store(report.NewLive("", "No runs yet"))
	fmt.Fprintf(sys.err, "curves of the runs: http://%s/\n", listener.Addr())
	go func() { _ = w.server.Serve(listener) }() // the only error is that the server was closed
	return w, nil
}

// begin shows an experiment instead of the one before.
func (w *watcher) begin(id, title string) *report.Live {
	if w == nil {
		return nil
	}
	live := report.NewLive(id, title)
	w.now.Swap(live).End("", true)
	return live
}

// close lets the pages show the final curves, and stops the server.
func (w *watcher) close() {
	if w == nil {
		return
	}
	w.now.Load().End("all runs have ended", false)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if w.server.Shutdown(ctx) != nil {
		_ = w.server.Close() // a page that does not take its last event
	}
}
