package protocol

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/transport"
)

// guarded names a transport: TCP with a limit on the length of frames. zmq4 allocates as much memory as the header of a
// frame announces, and anybody who can connect may announce a huge frame. If a frame is longer than the limit, this
// transport closes the connection before zmq4 reads the header.
const guarded = "guarded"

// longest is the largest accepted length of a frame, in bytes. The longest frames that a front end sends contain the
// code of a cell.
const longest = 16 << 20

var register = sync.OnceValue(func() error { return zmq4.RegisterTransport(guarded, guard{transport.New("tcp")}) })

type guard struct{ transport.Transport }

func (g guard) Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := g.Transport.Listen(ctx, addr)
	return listener{l}, err
}

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, skip: greeting}, nil
}

// greeting is the number of bytes that ZMTP 3, the protocol of ZeroMQ, sends before the first frame.
const greeting = 64

// conn is a connection that checks the header of each frame that is read. A frame consists of a byte of flags, the
// length in 1 or 8 bytes, and the body.
type conn struct {
	net.Conn
	skip uint64 // number of bytes to pass on until the next header
	head []byte // the bytes of the current header that have been read
}

var errTooLong = errors.New("a ZeroMQ frame from the front end is too long, so the connection is closed")

// Read implements net.Conn. It returns an error if a frame is too long.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if bad := c.follow(p[:n]); bad != nil {
		c.Conn.Close()
		return 0, bad
	}
	return n, err
}

func (c *conn) follow(p []byte) error {
	for len(p) > 0 {
		if c.skip > 0 {
			k := min(c.skip, uint64(len(p)))
			c.skip -= k
			p = p[k:]
			continue
		}
		c.head = append(c.head, p[0])
		p = p[1:]
		const long = 2 // flag of a frame whose length has 8 bytes
		switch size := uint64(0); {
		case len(c.head) == 2 && c.head[0]&long == 0:
			size = uint64(c.head[1])
			c.skip, c.head = size, c.head[:0]
		case len(c.head) == 9:
			if size = binary.BigEndian.Uint64(c.head[1:]); size > longest {
				return fmt.Errorf("%w: it has %d bytes; accepted: at most %d", errTooLong, size, longest)
			}
			c.skip, c.head = size, c.head[:0]
		}
	}
	return nil
}
