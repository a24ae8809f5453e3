// Conform judges Apple Metal compute kernels against float64 oracles.
//
// Each command is a file named after it: it reads flags, calls the packages that do the work, and prints. It judges
// nothing itself. The exit status is the verdict. The manual is in the directory docs, and conform help prints it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"metalconform/metalrun/isolated"
	"metalconform/metalrun/metal"
)

func main() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory())
		boundGarbage(&garbage{cores: busyCores(os.Args[1:])})
	}
	isolated.Main(metal.New)
	ballast := make([]byte, ballastBytes)
	code := conform(interruptible(os.Stderr), os.Args[1:], os.Stdout, os.Stderr)
	runtime.KeepAlive(ballast)
	os.Exit(code)
}

// interruptible is a context that ends with the first interrupt, or with the signal that machines
// end programs with.
func interruptible(stderr io.Writer) context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // from now on an interrupt ends the program
		fmt.Fprintln(stderr, "\nconform: interrupted, finishing the cases under way; interrupt again to stop at once")
	})
	return ctx
}
