package main

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"metalconform/internal/exit"
	"metalconform/internal/session"
)

// process is conform on its way in a process of its own, with results in a directory.
func process(t *testing.T, dir string, flags ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("conform", shortRun(append(flags, "-q", "-no-clocks", "-o", dir)...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	return cmd
}

// resultsIn are the bytes of results that are whole, nil if they are not.
func resultsIn(t *testing.T, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, session.ResultsName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return text
}

// killed starts a run, kills it when its results have so many bytes, and reports whether it had still not ended.
func killed(t *testing.T, dir string, by syscall.Signal, bytes int64) bool {
	t.Helper()
	cmd := process(t, dir, "-resume")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("a run that nobody killed: %v", err)
			}
			return false
		case <-time.After(time.Millisecond):
		}
		if info, err := os.Stat(filepath.Join(dir, session.PartialName(session.ResultsName))); err == nil &&
			info.Size() >= bytes {
			if err := cmd.Process.Signal(by); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			<-ended
			return true
		}
	}
}

// A run that is killed again and again, wherever that may be and whatever by, ends as the same bytes as one that is
// left alone.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("dozens of processes")
	}
	whole := t.TempDir()
	if out, err := process(t, whole).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := resultsIn(t, whole)
	r := rand.New(rand.NewPCG(19, 1))
	total := 0
	for n := range 5 {
		dir, kills := t.TempDir(), 0
		for at := int64(0); kills < 6; {
			by := syscall.SIGKILL
			if r.IntN(4) == 0 {
				by = syscall.SIGTERM
			}
			if at += r.Int64N(int64(len(want) / 4)); !killed(t, dir, by, at) {
				break
			}
			kills++
			total++
		}
		if resultsIn(t, dir) == nil {
			if out, err := process(t, dir, "-resume").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		if got := resultsIn(t, dir); !bytes.Equal(got, want) {
			t.Errorf("run %d, killed %d times: %d bytes, want %d:\n%s", n, kills, len(got), len(want), got)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("run %d: left %v, %v", n, list, err)
		}
	}
	if total < 5 {
		t.Errorf("only %d were killed before they ended", total)
	}
}

// Of processes that want one directory at once, one has it and the others say so: no results are mixed.
func TestOneDirectory(t *testing.T) {
	if testing.Short() {
		t.Skip("several processes")
	}
	dir := t.TempDir()
	var list []*exec.Cmd
	var said [4]bytes.Buffer
	for i := range said {
		cmd := process(t, dir, "-seed", "7")
		cmd.Stdout, cmd.Stderr = io.Discard, &said[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		list = append(list, cmd)
	}
	ended := 0
	for i, cmd := range list {
		err := cmd.Wait()
		switch text := said[i].String(); {
		case err == nil:
			ended++
		case cmd.ProcessState.ExitCode() != exit.Usage || !strings.Contains(text, "another conform is writing it"):
			t.Errorf("%v: %s", err, text)
		}
	}
	alone := t.TempDir()
	if out, err := process(t, alone, "-seed", "7").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := resultsIn(t, dir); ended == 0 || !bytes.Equal(got, resultsIn(t, alone)) {
		t.Errorf("%d processes ended well, with %d bytes of results", ended, len(got))
	}
}
