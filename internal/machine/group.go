//go:build darwin || dragonfly || freebsd || linux || openbsd

package machine

import (
	"os/exec"
	"syscall"
)

// Group makes a command that is not started yet the leader of a process group, so that EndGroup reaches what it starts.
// A Ctrl-C at the terminal does not reach the group.
func Group(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// EndGroup asks the processes of a started command's group to end, or with force ends them. Those that have ended are
// passed over.
func EndGroup(c *exec.Cmd, force bool) {
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-c.Process.Pid, signal) // that there is none left is no fault
}
