package html_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	// A machine that sets demanded has to have a browser.
	demanded = "CONFORM_REQUIRE_CHROMIUM"
	// Pictures of pages go into the directory that pictures names.
	pictures = "CONFORM_SCREENSHOTS"
)

// browser is a tab of Chromium that looks at a report from its files.
type browser struct {
	testing.TB
	ctx context.Context
	dir string // of the report

	mu      sync.Mutex
	opening string   // page that is being looked at
	wrong   []string // what the pages did that they must not
}

// newBrowser opens a tab that shares nothing with others, or skips the test where there is no Chromium.
func newBrowser(t testing.TB, dir string) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	process, err := chromium()
	if err != nil {
		if os.Getenv(demanded) != "" {
			t.Fatalf("%v, and %s demands one", err, demanded)
		}
		t.Skipf("%v (%s=1 makes that an error)", err, demanded)
	}
	tab, cancel := chromedp.NewContext(process, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(tab, 2*time.Minute)
	t.Cleanup(stop)
	b := &browser{TB: t, ctx: ctx, dir: dir}
	if err := chromedp.Listen(ctx, b.watch); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, text := range b.flaws() {
			t.Error(text)
		}
	})
	return b
}

// chromium is the one process that all tests share, since starting one takes a second.
var chromium = sync.OnceValues(func() (context.Context, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
			chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 900),
			chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND")))
		stopChromium = cancel
		return ctx, chromedp.Do(ctx)
	}
	return nil, errors.New("there is no Chromium")
})

var stopChromium = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	stopChromium()
	os.Exit(code)
}

// flaws are what the pages did wrong since they were last asked for.
func (b *browser) flaws() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.wrong
	b.wrong = nil
	return list
}

// watch notes errors, warnings and requests for anything but files.
func (b *browser) watch(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text = "exception: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		text = fmt.Sprintf("console: %v %v", e.Type, e.Args)
	case *log.EventEntryAdded:
		text = "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file:") {
			text = "request: " + e.Request.URL
		}
	}
	if text != "" {
		b.mu.Lock()
		b.wrong = append(b.wrong, b.opening+": "+text)
		b.mu.Unlock()
	}
}

// open loads a page of the report and waits for it.
func (b *browser) open(page string) {
	b.Helper()
	b.mu.Lock()
	b.opening = page
	b.mu.Unlock()
	name, fragment, _ := strings.Cut(page, "#")
	name, query, _ := strings.Cut(name, "?")
	address := url.URL{Scheme: "file", Path: filepath.Join(b.dir, filepath.FromSlash(name)), RawQuery: query,
		Fragment: fragment}
	b.do(chromedp.Navigate(address.String()))
}

// do takes steps in the page.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.Fatalf("%s: %v", b.opening, err)
	}
}

// follow clicks on a link and waits for its page.
func (b *browser) follow(selector string) {
	b.Helper()
	if _, err := chromedp.RunResponse(b.ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		b.Fatalf("%s: %s: %v", b.opening, selector, err)
	}
}

// prefer sets the theme of the system.
func (b *browser) prefer(theme string) {
	b.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
	})
	if err != nil {
		b.Fatal(err)
	}
}

// ask evaluates an expression in the page.
func ask[R any](b *browser, expression string) R {
	b.Helper()
	result, err := chromedp.Run(b.ctx, chromedp.Evaluate[R](expression))
	if err != nil {
		b.Fatalf("%s: %s: %v", b.opening, expression, err)
	}
	return result
}

// expect waits until an expression has a value; pages answer to input in their own
// time.
func expect[R comparable](b *browser, expression string, want R) {
	b.Helper()
	var got R
	for range 100 {
		if got = ask[R](b, expression); got == want {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.Errorf("%s: %s is %v, want %v", b.opening, expression, got, want)
}

// picture takes a picture of the whole page if somebody wants to look at it.
func (b *browser) picture(name string) {
	b.Helper()
	dir := os.Getenv(pictures)
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666)
	}
	if err != nil {
		b.Errorf("%s: %v", name, err)
	}
}

// pages are all that there are, with slashes.
func (b *browser) pages() []string {
	b.Helper()
	var list []string
	err := filepath.WalkDir(b.dir, func(name string, _ os.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".html" {
			page, _ := filepath.Rel(b.dir, name)
			list = append(list, filepath.ToSlash(page))
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	slices.Sort(list)
	return list
}
