package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/predictions"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

const serveLong = `Answer requests for predictions over HTTP, on this machine only (127.0.0.1),
with the same weights as gaplab predict. The body of POST /predict has one of
these lists:

  {"rows": [{"1": 0.5, "7": 2}, [0, 1]]}     values by index, or all values
  {"rows": [{"outlook": "sunny"}]}           discrete variables
  {"rows": [{"size": 1.5, "hue": "red"}]}    columns of a table in CSV
  {"sequences": [[{"1": 1}, {"2": 1}]]}      sequences of rows
  {"sentences": [[["the", "DT"], ["dog"]]]}  a token is a list of its columns
  {"sentences": [["the", "dog", "barks"]]}   words, for bracketed trees

and "scores": true or "marginals": true, as the flags of gaplab predict, or
"all_scores": true or "all_marginals": true, as their value all. Columns and
indices are those of the training files, without the label. The response is
{"predictions": [...]}, with "label", "labels", "heads" or "tree" in each item.
An item has "unknown" if a value of a categorical column is in no training row:
{"label": "tulip", "unknown": {"hue": "blue"}}. Such a value gets no feature. It
has "notes", a list of texts, if something else in it is ignored, such as an
index above those of the training rows, or if the grammar has no tree for it.
A wrong request gets {"error": "..."} with status 400. GET / describes the
model, with the names of the columns.

The service ends at an interrupt (Ctrl-C), after it has answered the requests in
progress. It has no access control: every program on this machine can use it.`

// newServe returns the command serve.
func newServe(sys system) *cobra.Command {
	var weights *trained
	port, o := 0, predictions.Limits{}
	var megabytes int
	cmd := &cobra.Command{
		Use:   "serve SPEC|WEIGHTS",
		Short: "Predict over HTTP on this machine",
		Long:  serveLong,
		Example: `  gaplab serve tagger.yaml --port 8080
  curl -H 'Content-Type: application/json' localhost:8080/predict \
    -d '{"sentences": [[["the"], ["dog"]]]}'`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case port < 0 || port > 65535:
				return term.Usage("--port %d is out of range; accepted: 0 (any free port) to 65535", port)
			case megabytes < 1 || megabytes > 1024:
				return term.Usage("--max-body %d is out of range; accepted: 1 to 1024 (megabytes)", megabytes)
			case o.Time <= 0:
				return term.Usage("--timeout %v is out of range; accepted: a time > 0, such as 30s", o.Time)
			}
			o.Bytes = int64(megabytes) << 20
			predictor, err := weights.load(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return serve(cmd.Context(), sys, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
				predictions.NewHandler(predictor, o), o)
		},
	}
	weights = addTrained(cmd)
	cmd.Flags().IntVar(&port, "port", 8080, "`port` to listen on; 0: any free port")
	cmd.Flags().IntVar(&megabytes, "max-body", 16, "largest body of a request in `megabytes`")
	cmd.Flags().DurationVar(&o.Time, "timeout", 30*time.Second, "longest `time` for one request")
	return cmd
}

// serve answers requests at an address until ctx ends. Then it answers the requests in progress, for at most their time
// limit, and returns nil.
func serve(ctx context.Context, sys system, address string, handler http.Handler, o predictions.Limits) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return term.Usage("%w; choose another port with --port", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: o.Time,
		WriteTimeout: 2*o.Time + 10*time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 16}
	fmt.Fprintf(sys.out, "listening on http://%s\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Time)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
