//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Process is the CPU time that this process has used, in the kernel too.
func Process() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of the process itself it is always known
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
