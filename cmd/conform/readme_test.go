package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// codeBlock is a block of code in Markdown.
type codeBlock struct{ kind, text string }

// codeBlocks are the blocks of code of a page, in their order.
func codeBlocks(page string) []codeBlock {
	var list []codeBlock
	open := false
	for line := range strings.Lines(page) {
		kind, mark := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case mark && !open:
			list = append(list, codeBlock{kind: kind})
			open = true
		case mark:
			open = false
		case open:
			list[len(list)-1].text += line
		}
	}
	return list
}

// TestReadme does what the README says in its five minutes, in an empty directory: it saves the source under the name
// in its first line, puts the definition in place of the one that conform new left open, makes the change and runs
// every command.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(page, []byte("\n")); n > 150 {
		t.Errorf("the README has %d lines, 150 at most", n)
	}
	t.Chdir(t.TempDir())
	done := map[string]int{}
	for _, f := range codeBlocks(string(page)) {
		done[f.kind]++
		switch f.kind {
		case "cpp":
			name, _, _ := strings.Cut(strings.TrimPrefix(f.text, "// "), ":")
			saveFile(t, name, f.text)
		case "python":
			replaceLine(t, "softmax_rows.star", "    fail(", "")
			replaceLine(t, "softmax_rows.star", "    return {", f.text)
		case "diff":
			before, after, _ := strings.Cut(f.text, "\n+")
			replaceLine(t, "softmax.metal", strings.TrimPrefix(before, "-"), after)
		case "console":
			for _, e := range manualExamples("```console\n" + f.text + "```\n") {
				readmeCommand(t, e)
			}
		}
	}
	if done["cpp"] != 1 || done["python"] != 1 || done["diff"] != 1 || done["console"] < 3 {
		t.Errorf("the README has the blocks %v", done)
	}
}

// readmeCommand runs a command on the simulator, wherever the test runs.
func readmeCommand(t *testing.T, e example) {
	t.Helper()
	args := words(e.command)[1:]
	if args[0] != "new" {
		args = append(args, "-backend", "simulator")
	}
	var stdout bytes.Buffer
	conform(context.Background(), args, &stdout, &stdout)
	if !e.pattern().MatchString(stdout.String()) {
		t.Errorf("$ %s\nprints\n%s\nthe README shows\n%s", e.command, stdout.String(), e.output)
	}
}

// replaceLine puts a text in place of the one line of a file that begins with another.
func replaceLine(t *testing.T, name, begin, text string) {
	t.Helper()
	file, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	lines, found := strings.SplitAfter(string(file), "\n"), 0
	for i, l := range lines {
		if strings.HasPrefix(l, begin) {
			lines[i] = text
			found++
		}
	}
	if found != 1 {
		t.Fatalf("%s has %d lines that begin with %q:\n%s", name, found, begin, file)
	}
	saveFile(t, name, strings.Join(lines, ""))
}

func saveFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
