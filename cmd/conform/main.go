// Command conform judges Apple Metal compute kernels.
package main

import (
	"context"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	os.Exit(conform(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
