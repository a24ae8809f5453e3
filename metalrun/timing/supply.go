package timing

import (
	"context"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// Supply is what the system says of its power: "AC Power", or "Battery Power", with the power mode that the user
// has chosen, if any. It is "" where no system tells.
func Supply() string {
	return supply(func(arguments ...string) string {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		text, _ := exec.CommandContext(ctx, "pmset", arguments...).Output() // no other system has it
		return string(text)
	})
}

var (
	drawing = regexp.MustCompile(`Now drawing from '([^']+)'`)
	mode    = regexp.MustCompile(`(?m)^\s*((?:low|high)?powermode)\s+(\d+)`)
)

// supply reads what pmset prints.
func supply(pmset func(arguments ...string) string) string {
	text := pmset("-g", "batt")
	var parts []string
	if m := drawing.FindStringSubmatch(text); m != nil {
		parts = append(parts, m[1])
	}
	for _, m := range mode.FindAllStringSubmatch(pmset("-g"), -1) {
		parts = append(parts, m[1]+" "+m[2])
	}
	return strings.Join(parts, ", ")
}
