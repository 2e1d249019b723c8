package protocol

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-zeromq/zmq4"
)

// version is the version of the messaging protocol.
const version = "5.3"

// header holds the type of a message and its session.
type header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// message is one message on any of the sockets.
type message struct {
	identities [][]byte // identities of a ROUTER socket, or a topic of a publishing socket
	header     header
	content    json.RawMessage
	raw        json.RawMessage // the bytes of the header as received
}

// delimiter separates the identities from the signature.
const delimiter = "<IDS|MSG>"

// signer signs and checks messages with the key of the connection. If the key is empty, messages are not signed.
type signer struct{ key []byte }

func (s signer) sign(parts ...[]byte) string {
	if len(s.key) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, s.key)
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// parse reads a message. It returns an error if the message is malformed or not signed with the key.
func (s signer) parse(frames [][]byte) (m message, err error) {
	at := -1
	for i, f := range frames {
		if string(f) == delimiter {
			at = i
			break
		}
	}
	if at < 0 || len(frames) < at+6 {
		return m, fmt.Errorf("a message has %d frames, want identities, %s, a signature and four parts", len(frames),
			delimiter)
	}
	signature, parts := frames[at+1], frames[at+2:at+6]
	if want := s.sign(parts...); !hmac.Equal([]byte(want), signature) {
		return m, errors.New("a message is not signed with the key of the connection")
	}
	m = message{identities: frames[:at], raw: parts[0], content: parts[3]}
	if err := json.Unmarshal(parts[0], &m.header); err != nil {
		return m, fmt.Errorf("the header of a message: %w", err)
	}
	if m.header.Type == "" {
		return m, errors.New("the header of a message has no msg_type")
	}
	return m, nil
}

// frames returns the frames of a message that answers a request. parent is the header of the request, or nil.
func (s signer) frames(identities [][]byte, session, kind string, parent json.RawMessage, content any) (zmq4.Msg,
	error) {
	head, err := json.Marshal(header{ID: unique(), Session: session, Username: "kernel", Type: kind, Version: version,
		Date: time.Now().UTC().Format(time.RFC3339Nano)})
	if err != nil {
		return zmq4.Msg{}, err
	}
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	if err := e.Encode(content); err != nil {
		return zmq4.Msg{}, err
	}
	if parent == nil {
		parent = json.RawMessage("{}")
	}
	parts := [][]byte{head, parent, []byte("{}"), bytes.TrimSpace(body.Bytes())}
	frames := append([][]byte{}, identities...)
	frames = append(frames, []byte(delimiter), []byte(s.sign(parts...)))
	return zmq4.NewMsgFrom(append(frames, parts...)...), nil
}

// unique returns a random identifier of a message or a session.
func unique() string {
	var b [16]byte
	rand.Read(b[:]) // rand.Read never fails
	return hex.EncodeToString(b[:])
}
