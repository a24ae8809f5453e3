package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/reports"
	"metalconform/suite"
)

// forecastCases prints how long a GPU is likely to take for cases.
func (b *benching) forecastCases(ctx context.Context, stdout, stderr io.Writer) error {
	cases := slices.Concat(b.groups...)
	opts := b.opts
	opts.Forecast = b.Forecast.Of(nil, b.Portable)
	if b.launches.Given() {
		opts.Forecast.Unjudged = true
		opts.ReplayCommand, opts.ReplayFlags = "conform bench -forecast "+session.Quote(b.Forecast.Device),
			strings.Join(slices.Concat(
				b.Spec.ReplayFlags(), []string{"-shaders " + session.Quote(b.Shaders)}, b.Build.ReplayFlags(),
				b.Limits.ReplayFlags()), " ")
	}
	for _, c := range cases {
		opts.Forecast.Cases[c.Name] = true
	}
	err := suite.Run(ctx, b.runner, opts, cases, func(r suite.Result) {
		b.results = append(b.results, r)
		b.times.AddForecast(r)
		b.bar.Step(r.Case, r.Status == suite.Fail || r.Status == suite.Error)
	})
	b.bar.Clear()
	if err != nil {
		return err
	}
	if err := printForecasts(stdout, b.results); err != nil || !b.lines {
		return err
	}
	return printLines(stdout, b.results, opts.Shaders.Texts())
}

// printForecasts is a table: the time with its interval, what bounds it, and what it would be
// if that took half as long.
func printForecasts(w io.Writer, results []suite.Result) error {
	duration := func(s float64) string { return reports.Duration(time.Duration(1e9 * s)) }
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	headed := false
	for _, r := range results {
		f := r.Forecast
		if f == nil {
			continue
		}
		if !headed {
			headed = true
			fmt.Fprintf(t, "forecast for %s\ttime\t80 %% interval\tbound by\tif that were halved\n", f.Device)
		}
		fmt.Fprintf(t, "%s\t%s\t%s – %s\t%s\t%s\n", r.Case, duration(f.Seconds), duration(f.Low), duration(f.High),
			f.Bound, duration(f.Halved[f.Bound]))
	}
	return t.Flush()
}

// leastShare is the part of what all lines take from which a line is printed.
const leastShare = .02

// printLines says of each forecast what it is made of: resources, residence and the lines of the source that take
// the most.
func printLines(w io.Writer, results []suite.Result, texts map[string]string) error {
	out := bufio.NewWriter(w)
	for _, r := range results {
		f := r.Forecast
		if f == nil {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", r.Case)
		for _, resource := range f.Largest() {
			fmt.Fprintf(out, "\t%8s  %s\n", reports.Duration(time.Duration(1e9*f.Terms[resource])), resource)
		}
		if text := reports.Residence(f.Residence); text != "" {
			fmt.Fprintf(out, "\t%s\n", text)
		}
		for _, share := range f.Shares(leastShare) {
			l, text := share.Line, ""
			if source := strings.Split(texts[l.File], "\n"); l.Line <= len(source) {
				text = printable.Line(strings.TrimSpace(source[l.Line-1]))
			}
			fmt.Fprintf(out, "\t%6.0f %%  %s:%d  %s: %s\n", 100*share.Part, l.File, l.Line, l.Bound, text)
		}
	}
	return out.Flush()
}
