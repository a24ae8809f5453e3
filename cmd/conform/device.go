package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/metalrun/probe"
	"metalconform/metalrun/sim"
	"metalconform/reports"
)

type devicesFlags struct {
	session.Selection
	json bool
}

// newDevice is the command about devices, not about kernels.
func newDevice() *cobra.Command {
	f := &surveyFlags{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "device [flags] | device FILE | device COMMAND",
		Short: "show what devices can do, and measure them",
		Long: `Device asks the GPU here, in about two minutes, for everything that Conform assumes of Macs: what it
has and does, what its compiler says of every shader file, what it makes of every kernel, and the types of the
system's methods. It keeps each answer in one file as soon as it is there. With FILE, such a file or the archive
of examples/mac/run, it says on any machine which assumptions the answers confirm and which it refutes, and what
would change then. The exit status is 1 if one is refuted. The commands show what the devices here can do,
measure how accurate their functions are, and fit forecasts of times to a GPU.`,
		Example: `conform device -o m3.json            ask this Mac's GPU everything
conform device m3.json               what the answers mean, on any machine
conform device list                  what the devices here can do
conform device intrinsics            how accurate their functions are
conform device calibrate -o my.json  forecasts of times for this GPU`,
		Args: cobra.ArbitraryArgs,
		RunE: f.run,
	}
	f.define(cmd)
	cmd.AddCommand(newDeviceList(), newDeviceIntrinsics(), newDeviceCalibrate())
	return cmd
}

func newDeviceList() *cobra.Command {
	f := &devicesFlags{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "list [flags]",
		Short: "show what the devices here can do",
		Long: `List shows what the GPU, if there is one, and the simulator can do: families, limits, versions
of the language, math modes and features of kernels. It tries each of these. Small kernels show how the device
rounds, whether it flushes subnormals and fuses products with sums, and in which order it adds.`,
		Example: `conform device list                      the GPU and the simulator
conform device list -backend metal -json for other programs
conform device list -semantics apple     the simulator as an Apple GPU`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return showDevices(*f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f.AddDevice(cmd.Flags())
	cmd.Flags().Var(&f.Seed, "seed", "draw adversarial devices from seed `N`, or from a random one; 1 if not given")
	cmd.Flags().BoolVar(&f.json, "json", false, "print an object per device")
	return cmd
}

// showDevices probes the GPU and the simulator, or the one that the flags name.
func showDevices(f devicesFlags, stdout, stderr io.Writer) error {
	if f.Backend.Value != "simulator" && f.SimulatorFlag() == "" {
		r, _, err := f.Open()
		switch {
		case err != nil:
			return err
		case r.Device().Backend == "simulator":
			fmt.Fprintln(stderr, "no Metal device here")
		default:
			if err := errors.Join(f.show(r, stdout), r.Close()); err != nil {
				return exit.With(exit.Device, err)
			}
		}
	} else if f.Backend.Value == "metal" {
		_, _, err := f.Open() // says why not
		return err
	}
	if f.Backend.Value == "metal" {
		return nil
	}
	if err := f.show(sim.New(f.SimSemantics()), stdout); err != nil {
		return exit.With(exit.Device, err)
	}
	return nil
}

// deviceReport is a device with what was found out.
type deviceReport struct {
	Device reports.Device `json:"device"`
	Probe  *probe.Report  `json:"probe"`
}

func (f devicesFlags) show(r metalrun.Runner, w io.Writer) error {
	p, err := probe.Device(r)
	if err != nil {
		return err
	}
	d := deviceReport{reports.NewDevice(r.Device()), p}
	if f.json {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(d)
	}
	return d.write(w)
}

func (d deviceReport) write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s\n", d.Device.Backend, d.Device.Name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(t, "  %s\t%s\n", name, value)
		}
	}
	number := func(n int, unit string) string {
		if n == 0 {
			return ""
		}
		return strings.TrimSpace(fmt.Sprintf("%d %s", n, unit))
	}
	facts := d.Probe.Facts
	row("system", facts.System)
	row("architecture", facts.Architecture)
	row("families", strings.Join(facts.Families, ", "))
	row("simdgroup", number(facts.Width, "threads"))
	row("threadgroup", number(facts.Threads, "threads"))
	row("threadgroup memory", number(facts.ThreadgroupMemory, "bytes"))
	row("longest buffer", number(facts.Buffer, "bytes"))
	row("working set", number(facts.WorkingSet, "bytes"))
	trials := func(name string, list []probe.Capability, separator string) {
		var has []string
		for _, x := range list {
			if x.Has {
				has = append(has, x.Name)
			}
		}
		row(name, strings.Join(has, separator))
		for _, x := range list {
			if !x.Has {
				row("", "without "+x.Name+": "+strings.ReplaceAll(x.Why, "\n", "; "))
			}
		}
	}
	trials("language", d.Probe.Languages, ", ")
	trials("arithmetic", d.Probe.Modes, "; ")
	trials("features", d.Probe.Features, ", ")
	for _, a := range d.Probe.Measured {
		row(a.Question, a.Answer)
	}
	return t.Flush()
}
