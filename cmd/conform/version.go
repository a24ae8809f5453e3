package main

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"metalconform/internal/session"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of this program",
		Long: `Version prints the version of conform and the commit that it was built from, the
version of Go that built it, and the platform that it was built for.`,
		Example: `conform version`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "conform %s\ncommit %s\n%s %s/%s\n",
				cmp.Or(session.Release(), "(unknown)"), cmp.Or(session.Commit(), "unknown"), runtime.Version(),
				runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
