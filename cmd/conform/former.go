package main

import (
	"strings"

	"metalconform/internal/exit"

	"github.com/spf13/cobra"
)

// formerCommands are spellings of commands that are refused with the present one.
func formerCommands() map[string]string {
	return map[string]string{
		"ab":         "conform compare BASE HEAD, with two directories",
		"serve":      "conform open",
		"devices":    "conform device list",
		"intrinsics": "conform device intrinsics",
		"calibrate":  "conform device calibrate",
		"version":    "conform --version",
	}
}

// formerFlags are spellings of flags that are refused with the present one, by command; "" stands for any.
func formerFlags() map[string]map[string]string {
	return map[string]map[string]string{
		"":       {"format": "-report FORMAT or -report FORMAT=FILE"},
		"report": {"limit": "-max-bytes", "o": "-report FORMAT=FILE"},
		"compare": {"limit": "-max-time", "all": "-all-cases", "o": "-report FORMAT=FILE",
			"output": "-report FORMAT=FILE", "base": "compare BASE HEAD", "head": "compare BASE HEAD"},
		"history": {"o": "-report FORMAT=FILE"},
		"bench":   {"limit": "-max-time", "all": "-all-cases"},
		"gate":    {"limit": "-max-time", "mutants": "-edits"},
		"device":  {"limit": "-max-time"},
		"check":   {"limit": "-n"},
		"mutate":  {"resume": "-from"},
		"shrink":  {"launch": "-o"},
	}
}

// refuseUnknown refuses a former spelling of a command, and what is no command, before flags such as -h count.
func refuseUnknown(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || completing(args) {
		return nil
	}
	if now, former := formerCommands()[args[0]]; former {
		return exit.Usagef("%s has another name now: %s", args[0], now)
	}
	if cmd, _, err := root.Find(args[:1]); err == nil && cmd != root || args[0] == "help" {
		return nil
	}
	return wantCommand(root, args)
}

// presentFlag is the present spelling of a flag that a command had, or "".
func presentFlag(command, flag string) string {
	words := strings.Fields(command)
	if len(words) > 1 {
		if now := formerFlags()[words[1]][flag]; now != "" {
			return now
		}
	}
	return formerFlags()[""][flag]
}
