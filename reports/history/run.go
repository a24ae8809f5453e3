package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/statistics"
	"metalconform/reports/trend"
	"metalconform/suite"
)

// Run is a run on its way into a history.
type Run struct {
	trend.Night
	Conform string // version of the program that measured it
	Digest  string // of everything that was measured
}

// NewRun summarises results.
func NewRun(set reports.Set) (Run, error) {
	r := Run{Conform: set.Conform, Digest: digestOf(set)}
	r.Key, r.Seed, r.Cases = KeyOf(set.Header), set.Options.Seed, len(set.Results)
	r.Exact, r.Gated = set.Device.Clock == metalrun.HostClock, reports.Gated(set.Device)
	if r.Exact {
		r.Machine = strings.Join(set.Host.CPUs, " and ")
	}
	if len(set.Times.Seconds) > 0 {
		text, err := json.Marshal(set.Times.Settings)
		if err != nil {
			return r, err
		}
		r.Bench = string(text)
	}
	var cases []trend.Case
	for _, x := range set.Results {
		if x.Status == suite.Fail || x.Status == suite.Error {
			r.Failing++
		}
		c := trend.Case{Name: x.Case, Kernel: x.Kernel, Family: x.Family, Status: x.Status, NS: x.NS}
		if e, known := reports.ErrorsOf(x); known {
			c.Errors = &e
		}
		if samples := set.Times.Seconds[x.Case]; len(samples) > 0 {
			c.Seconds, c.Samples = statistics.Median(samples), len(samples)
		}
		cases = append(cases, c)
	}
	r.Kernels = trend.Kernels(cases)
	return r, nil
}

// KeyOf identifies a run. The seed is not part of the key, because each night may draw another one. The processors of a
// machine are not part of it either: only times depend on them.
func KeyOf(h reports.Header) trend.Key {
	o := h.Options
	var options []string
	add := func(format string, args ...any) { options = append(options, fmt.Sprintf(format, args...)) }
	add("%s sweep", o.Sweep)
	if o.Run != "" {
		add("-run %s", o.Run)
	}
	add("%s semantics", cmp.Or(o.Semantics, "reference"))
	if o.Math == "precise" {
		o.Math = "safe" // older results name the functions instead
	}
	if o.Math != "" {
		add("%s math", o.Math)
	}
	if o.Adversaries > 0 {
		add("%d adversaries", o.Adversaries)
	}
	if !o.Checks {
		add("no checks")
	}
	if o.Repeat > 1 {
		add("-repeat %d", o.Repeat)
	}
	if flags := strings.TrimSpace(places.ReplaceAllString(o.Flags, "")); flags != "" {
		add("%s", flags)
	}
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(h.Shaders)) {
		fmt.Fprintf(hash, "%s %s\n", name, h.Shaders[name].SHA256)
	}
	return trend.Key{
		Commit: h.Commit, Device: h.Device.Backend + ": " + h.Device.Name, OS: h.Host.OS + "/" + h.Host.Arch,
		Options: strings.Join(options, ", "), Shaders: hex.EncodeToString(hash.Sum(nil))[:16], Started: h.Started.UTC(),
	}
}

// places matches the flags that say where shaders and declarations are, which differs between nights, and the backend,
// which the device names.
var places = regexp.MustCompile(` ?-(shaders|config|backend) ('[^']*'|\S+)`)

// digestOf is a hash of what was measured, at full precision.
func digestOf(set reports.Set) string {
	hash := sha256.New()
	for _, r := range set.Results {
		e, known := reports.ErrorsOf(r)
		fmt.Fprintln(hash, r.Case, r.Status, r.ErrorRatio, r.Digest, r.NS,
			known, e.Elements, e.Sum, e.Outward, e.Squares, set.Times.Seconds[r.Case])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// identify returns a short identity of a run, which follows from its key.
func identify(k trend.Key) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q %q %q %s", k.Commit, k.Device, k.OS, k.Options, k.Shaders,
		k.Started.UTC().Format(time.RFC3339Nano))
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// fileName is the name of a run's file.
func fileName(k trend.Key) string {
	sweep, _, _ := strings.Cut(k.Options, ",")
	return strings.Join([]string{
		k.Started.UTC().Format("20060102T150405Z"),
		plain(k.Commit, 12), plain(k.Device, 24), plain(sweep, 24), identify(k),
	}, "-") + suffix
}

// plain keeps letters and digits of a text, at most so many, and has a dot for any other characters between them.
func plain(text string, most int) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	joined := strings.Join(words, ".")
	return strings.Trim(joined[:min(len(joined), most)], ".")
}
