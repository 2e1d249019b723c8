//go:build darwin || dragonfly || freebsd || linux || openbsd

package machine

import (
	"os/exec"
	"syscall"
)

// Group makes a command the leader of a process group, so that EndGroup also ends the processes that the command
// starts. It must be called before the command is started. A Ctrl-C at the terminal does not reach the group.
func Group(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// EndGroup sends SIGTERM, or SIGKILL if force is true, to the process group of a started command.
func EndGroup(c *exec.Cmd, force bool) {
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-c.Process.Pid, signal) // the only expected error is that the processes have ended
}
