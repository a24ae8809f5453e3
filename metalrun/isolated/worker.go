package isolated

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// worker is a process that answers.
type worker struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	requests *gob.Encoder
	replies  *gob.Decoder
	said     *tail
	known    map[int]bool // libraries, and sequences on the device
	after    func(worker int, limit time.Duration) <-chan time.Time
}

// died is the error of a request that the worker did not survive.
type died struct {
	hung bool
	how  string
}

func (d *died) Error() string { return d.how }

// neverEnded reports whether a request did not end.
func neverEnded(err error) bool {
	var d *died
	return errors.As(err, &d) && d.hung
}

// emulator is the variable of the environment that names what runs the program of a worker, with
// its flags, as go test -exec does: where that is not of this machine's architecture, or another
// build is to do the work.
const emulator = "CONFORM_EMULATOR"

// start makes a worker of another process of this program.
func start() (*worker, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := append(strings.Fields(os.Getenv(emulator)), program)
	w := &worker{cmd: exec.Command(command[0], command[1:]...), said: &tail{}, known: map[int]bool{},
		after: func(_ int, limit time.Duration) <-chan time.Time { return time.After(limit) }}
	w.cmd.Env = append(os.Environ(), variable+"=1")
	w.cmd.Stderr = w.said
	w.cmd.WaitDelay = time.Second
	// An interrupt at the terminal is for the program alone: it finishes what is under
	// way, for which it needs the worker.
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.requests, w.replies = gob.NewEncoder(w.in), gob.NewDecoder(out)
	return w, w.cmd.Start()
}

// ask waits for an answer, but not for ever. After an error, which is a *died, the
// worker is gone.
func (w *worker) ask(q request, limit time.Duration) (reply, error) {
	var a reply
	done := make(chan error, 1)
	go func() {
		err := w.requests.Encode(&q)
		if err == nil {
			err = w.replies.Decode(&a)
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil {
			return a, nil
		}
		w.cmd.Process.Kill() // it may live, and speak in tongues
		how := "ended"
		if err := w.cmd.Wait(); err != nil {
			how = err.Error()
		}
		return reply{}, &died{how: fmt.Sprintf("the process of the launch: %s: %s", how, w.said)}
	case <-w.after(w.cmd.Process.Pid, limit):
		w.cmd.Process.Kill()
		w.cmd.Wait()
		<-done
		return reply{}, &died{hung: true, how: fmt.Sprintf("it did not end in %v", limit)}
	}
}

// stop ends a worker that is idle.
func (w *worker) stop() {
	w.in.Close()
	timer := time.AfterFunc(5*time.Second, func() { w.cmd.Process.Kill() })
	w.cmd.Wait()
	timer.Stop()
}

// tail keeps the first words of what a process says before it dies: what comes later
// are the stacks of its threads.
type tail struct{ text []byte }

const tailSize = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[:min(len(p), tailSize-len(t.text))]...)
	return len(p), nil
}

// String is the first line.
func (t *tail) String() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(t.text)), "\n")
	return line
}
