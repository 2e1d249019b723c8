//go:build cgo && linux

package main

// The Go runtime reserves far more address space than the program uses memory. If a limit on the address space (ulimit
// -v) does not allow this, the runtime prints its own stack and ends the process with exit code 2, usually before main.
// The function below runs before the runtime. A statically linked program does not contain it, see docs/FAULTS.md.

/*
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

__attribute__((constructor)) static void refuse_small_address_space(void) {
	const rlim_t least = 2097152; // kB
	struct rlimit space;
	if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY || space.rlim_cur / 1024 >= least) {
		return;
	}
	dprintf(2, "gaplab: the limit on the address space, ulimit -v, is %llu kB; accepted: at least %llu kB, since Go "
		"reserves more addresses than it uses memory; to limit the memory, set GOMEMLIMIT or a control group\n",
		(unsigned long long)space.rlim_cur / 1024, (unsigned long long)least);
	_exit(3); // term.ExitFailed
}
*/
import "C"
