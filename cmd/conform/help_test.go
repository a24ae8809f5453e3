package main

import (
	"testing"

	"metalconform/docs"

	"github.com/spf13/cobra"
)

// TestTopicsOfCommands: the help of each command ends with topics, and they are there.
func TestTopicsOfCommands(t *testing.T) {
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		if topics := topicsOf(cmd); len(topics) == 0 && cmd.IsAvailableCommand() {
			t.Errorf("%s names no topic", cmd.CommandPath())
		} else {
			for _, name := range topics {
				if _, ok := docs.Text(name); !ok {
					t.Errorf("%s: there is no topic %s", cmd.CommandPath(), name)
				}
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRoot(usage{width: leastWidth}))
}
