package protocol

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
)

// Connection is the content of Jupyter's connection file: the addresses at which a kernel listens, and the key with
// which messages are signed.
type Connection struct {
	Transport string `json:"transport"` // must be tcp
	IP        string `json:"ip"`
	Shell     int    `json:"shell_port"`
	Control   int    `json:"control_port"`
	Stdin     int    `json:"stdin_port"`
	IOPub     int    `json:"iopub_port"`
	Heartbeat int    `json:"hb_port"`
	Scheme    string `json:"signature_scheme"` // must be hmac-sha256
	Key       string `json:"key"`
}

// ReadConnection reads a connection file.
func ReadConnection(path string) (c Connection, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s: not a connection file: %w", path, err)
	}
	switch {
	case c.Transport != "tcp":
		err = fmt.Errorf("transport is %q; accepted: tcp", c.Transport)
	case c.Key != "" && c.Scheme != "hmac-sha256":
		err = fmt.Errorf("signature_scheme is %q; accepted: hmac-sha256", c.Scheme)
	case net.ParseIP(c.IP) == nil:
		err = fmt.Errorf("ip is %q; accepted: an address, such as 127.0.0.1", c.IP)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// at returns the address of the socket with a port. The address uses the transport of guard.go.
func (c Connection) at(port int) string {
	return guarded + "://" + net.JoinHostPort(c.IP, strconv.Itoa(port))
}
