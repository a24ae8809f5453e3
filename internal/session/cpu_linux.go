package session

import (
	"bufio"
	"os"
	"strings"
)

// cpus are the names of the processors, none where the kernel does not tell.
func cpus() []string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return []string{strings.TrimSpace(value)}
		}
	}
	return nil
}
