package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"runtime"

	"metalconform/internal/crash"
	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/reports/html"
	"metalconform/reports/serve"

	"github.com/spf13/cobra"
)

// openFlags are the flags of conform open.
type openFlags struct {
	address  string
	browser  bool
	baseline []string
	mutants  string
	memory   session.ResultsMemory
}

func newOpen() *cobra.Command {
	f := &openFlags{}
	cmd := &cobra.Command{
		Use:   "open [flags] [RESULTS...]",
		Short: "show results in a browser, and follow a run",
		Long: `Open shows the results of conform run -o as pages in a browser, on this machine only. Without
RESULTS it shows the results of the last run that was started in this directory. The pages follow a run in
progress: they are made again when RESULTS have grown, and open pages reload and keep their position. An
interrupt ends the command.`,
		Example: `conform open                                  the last run with -o
conform run -sweep full -o out & conform open out
conform open -browser=false -address localhost:8080 part*`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				last, err := session.LastResults()
				if err != nil {
					return err
				}
				args = []string{last}
			}
			return openResults(cmd.Context(), *f, args, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.address, "address", "localhost:0",
		"listen at `HOST:PORT` of this machine; port 0 is any that is free")
	flags.BoolVar(&f.browser, "browser", true,
		"open the first page in a browser; -browser=false prints its address only")
	flags.StringArrayVar(&f.baseline, "baseline", nil, "say what has changed since `RESULTS`; repeatable, for shards")
	flags.StringVar(&f.mutants, "mutants", "",
		"also show the mutants in `FILE`, which conform mutate -o has written")
	f.memory.Add(flags)
	return cmd
}

// openResults makes the pages, and serves them until ctx ends.
func openResults(ctx context.Context, f openFlags, args []string, stdout, stderr io.Writer) error {
	scratch, remove, err := session.NewScratch()
	if err != nil {
		return exit.With(exit.Device, err)
	}
	defer remove()
	pages, err := serve.New(scratch, serve.Source{
		Files: func() []string { return resultsFiles(args) },
		Site:  func() (html.Site, error) { return f.site(args) },
		Tell: func(err error) {
			kept := ""
			var c *crash.Crash
			if errors.As(err, &c) {
				kept = keepCrash(append([]string{"open"}, args...), c)
			}
			fmt.Fprintf(stderr, "conform open: %v%s\n", err, kept)
		},
	})
	if err != nil {
		return err
	}
	listener, err := serve.Listen(f.address)
	if err != nil {
		return err
	}
	url := "http://" + listener.Addr().String() + "/"
	fmt.Fprintf(stdout, "%s\n", url)
	if f.browser {
		openBrowser(ctx, url)
	}
	go pages.Follow(ctx)
	if err := serve.Serve(ctx, listener, pages); !errors.Is(err, http.ErrServerClosed) {
		return exit.With(exit.Device, err)
	}
	return nil
}

// resultsFiles are the files of results as they are now: that of a directory has another name once its run is whole.
func resultsFiles(names []string) []string {
	var files []string
	for _, name := range names {
		files = append(files, session.ResultsFile(name))
	}
	return files
}

// site reads the results. A run that goes on is not whole.
func (f openFlags) site(results []string) (html.Site, error) {
	run, err := session.ReadRun(results, true, f.memory.Room())
	if err != nil {
		return html.Site{}, err
	}
	verdict := session.VerdictFlags{BaselineFiles: f.baseline, Memory: f.memory}
	since, err := verdict.Baseline(true)
	if err != nil {
		return html.Site{}, err
	}
	view, err := verdict.View(run, since, "")
	if err != nil {
		return html.Site{}, err
	}
	figures, err := plotFlags{}.figures(run, since)
	if err != nil {
		return html.Site{}, err
	}
	mutants, err := readMutants(f.mutants)
	return html.Site{View: view, Figures: figures, Mutants: mutants}, err
}

// openBrowser shows an address as the desktop does; where there is none, nobody
// needs to hear of it.
func openBrowser(ctx context.Context, url string) {
	command := "xdg-open"
	if runtime.GOOS == "darwin" {
		command = "open"
	}
	go exec.CommandContext(ctx, command, url).Run()
}
