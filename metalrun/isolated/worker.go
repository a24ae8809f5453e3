package isolated

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
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
	out      io.Closer // what the replies come by
	answers  int
	said     *transcript
	known    map[int]bool  // libraries, and sequences on the device
	wait     func() error  // until the process has ended
	patience time.Duration // with one that has been killed
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
	w := &worker{cmd: exec.Command(command[0], command[1:]...), known: map[int]bool{},
		said:  &transcript{validates: validates(os.Environ())},
		after: func(_ int, limit time.Duration) <-chan time.Time { return time.After(limit) }}
	w.wait, w.patience = w.cmd.Wait, lastWait
	w.cmd.Env = append(validated(os.Environ()), variable+"=1")
	w.cmd.Stdout, w.cmd.Stderr = w.said, w.said
	w.cmd.WaitDelay = time.Second
	// An interrupt at the terminal is for the program alone: it finishes what is under
	// way, for which it needs the worker.
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// Replies have a pipe of their own: whatever a framework prints, it prints to stdout and stderr.
	out, end, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer end.Close()
	w.cmd.ExtraFiles = []*os.File{end}
	w.requests, w.replies, w.out = gob.NewEncoder(w.in), gob.NewDecoder(out), out
	if err := w.cmd.Start(); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return w, nil
}

// valueOf is the value of a variable of an environment, the last one as processes see it.
func valueOf(environment []string, name string) (value string, ok bool) {
	for _, v := range slices.Backward(environment) {
		if key, value, _ := strings.Cut(v, "="); key == name {
			return value, true
		}
	}
	return "", false
}

// validates reports whether a process of an environment has shader validation.
func validates(environment []string) bool {
	on, _ := valueOf(environment, "MTL_SHADER_VALIDATION")
	return on != "" && on != "0"
}

// validated adds to the environment of a process with shader validation what has it tell of its findings.
func validated(environment []string) []string {
	if !validates(environment) {
		return environment
	}
	for _, name := range []string{"MTL_SHADER_VALIDATION_REPORT_TO_STDERR",
		"MTL_SHADER_VALIDATION_ENABLE_ERROR_REPORTING"} {
		if _, given := valueOf(environment, name); !given {
			environment = append(environment, name+"=1")
		}
	}
	return environment
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
			w.answers++
			w.said.await(w.answers)
			return a, nil
		}
		how := w.end(0) // it may live, and speak in tongues
		return reply{}, &died{how: fmt.Sprintf("the process of the launch: %s: %s", how, w.said)}
	case <-w.after(w.cmd.Process.Pid, limit):
		how := fmt.Sprintf("it did not end in %v", limit)
		if end := w.end(0); end == immortal {
			how += ", and its process " + end
		}
		<-done
		return reply{}, &died{hung: true, how: how}
	}
}

// stop ends a worker that is idle.
func (w *worker) stop() { w.end(5 * time.Second) }

// immortal is how a process ends that outlives SIGKILL, since a driver holds it.
const immortal = "does not die when it is killed"

const lastWait = 5 * time.Second // for a process that has been killed

// end closes what goes to a process and comes from it, lets it end by itself for a while, and kills it then. It says
// how the process ended, and waits for none for ever.
func (w *worker) end(gently time.Duration) (how string) {
	ended := make(chan error, 1)
	go func() { ended <- w.wait() }()
	w.in.Close()
	defer w.out.Close()
	if gently > 0 {
		select {
		case err := <-ended:
			return ending(err)
		case <-time.After(gently):
		}
	}
	w.cmd.Process.Kill()
	select {
	case err := <-ended:
		return ending(err)
	case <-time.After(w.patience):
		return immortal
	}
}

func ending(err error) string {
	if err != nil {
		return err.Error()
	}
	return "ended"
}
