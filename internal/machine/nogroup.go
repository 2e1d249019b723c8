//go:build !(darwin || dragonfly || freebsd || linux || openbsd)

package machine

import "os/exec"

// Group does nothing on this system. So EndGroup ends only the command itself.
func Group(*exec.Cmd) {}

// EndGroup ends the process of a started command.
func EndGroup(c *exec.Cmd, _ bool) { _ = c.Process.Kill() }
