package machine

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// Room is the memory that a process may still allocate.
type Room struct {
	Bytes int64  // math.MaxInt64 if no limit is known
	By    string // what limits the memory, such as "GOMEMLIMIT"
}

// Available returns the memory that this process may still allocate. It considers four limits: the free memory of the
// machine, the limit of the control group, the limit on the address space (ulimit -v) and GOMEMLIMIT. From the last
// three limits it subtracts the memory that this process uses. It returns the smallest value. It does not subtract the
// memory of other processes in the control group.
func Available() Room {
	least := Room{Bytes: math.MaxInt64, By: "no limit that is known"}
	limit := func(bytes int64, by string) {
		if bytes < least.Bytes {
			least = Room{max(0, bytes), by}
		}
	}
	if free, ok := field("/proc/meminfo", "MemAvailable:"); ok {
		limit(free, "the machine's memory")
	}
	if group, err := memlimit.FromCgroup(); err == nil && group < math.MaxInt64 {
		held, _ := field("/proc/self/status", "VmRSS:")
		limit(int64(group)-held, "the control group's limit")
	}
	if space, ok := addressSpace(); ok {
		held, _ := field("/proc/self/status", "VmSize:")
		limit(space-held, "the limit on the address space, ulimit -v")
	}
	if soft := debug.SetMemoryLimit(-1); soft < math.MaxInt64 {
		limit(soft-held(), "GOMEMLIMIT")
	}
	return least
}

// Live returns the memory of the objects on the heap, in bytes, including garbage that is not collected yet.
func Live() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// held returns the memory of this process that counts towards GOMEMLIMIT, in bytes.
func held() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// field reads a value in kilobytes from the line of a file of /proc that begins with name, and returns it in bytes.
func field(file, name string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	_, rest, found := bytes.Cut(append([]byte("\n"), text...), []byte("\n"+name))
	number, _, ends := bytes.Cut(rest, []byte(" kB"))
	kilobytes, err := strconv.ParseInt(string(bytes.TrimSpace(number)), 10, 64)
	return kilobytes << 10, found && ends && err == nil
}

// Size formats a number of bytes with three digits and a unit, such as 34.4 GB.
func Size(bytes float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	k := 0
	for ; bytes >= 1000 && k < len(units)-1; k++ {
		bytes /= 1000
	}
	return fmt.Sprintf("%.3g %s", bytes, units[k])
}
