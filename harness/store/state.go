package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// The file of a checkpoint consists of five parts: stateFormat; the length of the trace so far (8 bytes,
// little-endian); this trace (manifest and rows); the bytes that the callback of SaveState wrote; and the SHA-256 of
// everything before it.
const (
	stateFormat = "gaplab-state/2\n"
	stateEnding = ".state"
	unwritten   = ".tmp" // ending of the name of a checkpoint that is being written
)

func stateName(key, point string) string {
	if point != "" {
		key += "." + point
	}
	return key + stateEnding
}

// SaveState writes a checkpoint: the rows so far, and the bytes that the callback write writes. Another process can
// resume the run from the checkpoint. A previous checkpoint with the same point is replaced. point names the point of
// the run up to which it is made in order to be compared (see KeepTrial); it is "" for a complete run.
func (d *Draft) SaveState(point string, write func(io.Writer) error) error {
	root, err := d.folder.store.opened(true)
	if err != nil {
		return err
	}
	rows, err := root.Open(filepath.FromSlash(d.name))
	if err != nil {
		return err
	}
	defer rows.Close()
	to := filepath.FromSlash(d.folder.file(stateName(d.key, point)))
	from := strings.TrimSuffix(filepath.FromSlash(d.name), part) + stateEnding + unwritten
	file, err := root.OpenFile(from, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	if err := writeState(file, rows, write); err != nil {
		file.Close()
		root.Remove(from)
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		root.Remove(from)
		return err
	}
	return root.Rename(from, to)
}

func writeState(file io.Writer, rows *os.File, write func(io.Writer) error) error {
	info, err := rows.Stat()
	if err != nil {
		return err
	}
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(file, sum), 1<<16)
	out.WriteString(stateFormat)
	binary.Write(out, binary.LittleEndian, info.Size()) // Flush returns the error of this write, if any
	if _, err := io.CopyN(out, rows, info.Size()); err != nil {
		return err
	}
	if err := write(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = file.Write(sum.Sum(nil))
	return err
}

// State is an open checkpoint.
type State struct {
	Run  *trace.File       // the rows so far, and the manifest of the process that wrote the checkpoint
	Rest *io.LimitedReader // the bytes that the callback of SaveState wrote
	file *os.File
}

// State opens the last checkpoint of a run. It returns nil if there is none. If the checkpoint is damaged, the error
// wraps trace.ErrDamaged.
func (f *Folder) State(key, point string) (*State, error) {
	root, err := f.store.opened(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	name := f.file(stateName(key, point))
	file, err := openRegular(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, err := readState(file)
	if err == nil && s.Run.Manifest.Key != key {
		err = errMisnamed
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w: %w", name, trace.ErrDamaged, err)
	}
	return s, nil
}

// readState checks the checksum of a checkpoint and reads its rows.
func readState(file *os.File) (*State, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if there := machine.Available(); info.Size() > there.Bytes {
		return nil, fmt.Errorf("the file has %s, but %s leaves only %s", machine.Size(float64(info.Size())), there.By,
			machine.Size(float64(there.Bytes)))
	}
	size := info.Size() - sha256.Size
	sum, in := sha256.New(), bufio.NewReader(file)
	if _, err := io.CopyN(sum, in, size); err != nil {
		return nil, err
	}
	if want, err := io.ReadAll(in); err != nil || !bytes.Equal(want, sum.Sum(nil)) {
		return nil, errors.Join(errors.New("its checksum does not match its content"), err)
	}
	head := make([]byte, len(stateFormat))
	var rows int64
	at := io.NewSectionReader(file, 0, size)
	if _, err := io.ReadFull(at, head); err != nil || string(head) != stateFormat {
		return nil, fmt.Errorf("the file begins with %q, want %q", head, stateFormat)
	}
	if err := binary.Read(at, binary.LittleEndian, &rows); err != nil {
		return nil, err
	}
	if rows < 0 || rows > size {
		return nil, fmt.Errorf("its rows should have %d bytes, but the whole file has %d", rows, size)
	}
	text := make([]byte, rows)
	if _, err := io.ReadFull(at, text); err != nil {
		return nil, err
	}
	run, err := trace.Parse(file.Name(), text)
	if err != nil {
		return nil, err
	}
	rest := size - int64(len(stateFormat)) - 8 - rows
	return &State{Run: run, Rest: &io.LimitedReader{R: bufio.NewReader(at), N: rest}, file: file}, nil
}

// Close closes the checkpoint's file.
func (s *State) Close() error { return s.file.Close() }

// Resume appends the rows of a checkpoint to the run's new file.
func (d *Draft) Resume(s *State) error {
	for _, row := range s.Run.Rows {
		if err := d.Append(row); err != nil {
			return err
		}
	}
	return nil
}

// DropState removes the checkpoint of a run, if there is one.
func (f *Folder) DropState(key, point string) { f.remove(stateName(key, point)) }

// DropUnwritten removes incomplete checkpoints of a key. A process leaves one if it is killed while it writes. The
// caller must hold the lock of the key.
func (f *Folder) DropUnwritten(key string) {
	for _, name := range f.names(".") {
		if strings.HasPrefix(name, key+".") && strings.HasSuffix(name, stateEnding+unwritten) {
			f.remove(name)
		}
	}
}
