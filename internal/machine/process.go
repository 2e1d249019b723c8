package machine

import (
	"os"
	"strings"
)

// ThisProcess returns a text that distinguishes this process from all others, on this machine and elsewhere: the number
// of the machine's boot, the id of the process, and the time of its start in ticks since the boot. ok is false if the
// system does not report them.
func ThisProcess() (text string, ok bool) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", false
	}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return "", false
	}
	// The second field, the name of the program, is in parentheses and may contain spaces. The process id is the first
	// field, and the time of the start is field 22, the 20th after the name.
	id, _, _ := strings.Cut(string(stat), " ")
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 {
		return "", false
	}
	return strings.Join([]string{strings.TrimSpace(string(boot)), id, fields[19]}, " "), true
}
