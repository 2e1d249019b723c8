//go:build !(darwin || dragonfly || freebsd || linux || openbsd)

package machine

import "os/exec"

// Group does nothing here: EndGroup reaches the command alone.
func Group(*exec.Cmd) {}

// EndGroup ends the process of a started command.
func EndGroup(c *exec.Cmd, _ bool) { _ = c.Process.Kill() }
