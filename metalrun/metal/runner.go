//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"metalconform/metalrun"
)

// Supported says that this program can use Metal, if the machine has it.
const Supported = true

// gpuFamilies are MTLGPUFamily. Every later Apple GPU belongs to the earlier families.
var gpuFamilies = []struct {
	name   string
	number int
}{
	{"Apple1", 1001}, {"Apple2", familyApple2}, {"Apple3", 1003}, {"Apple4", 1004}, {"Apple5", 1005}, {"Apple6", 1006},
	{"Apple7", 1007},
	{"Apple8", 1008}, {"Apple9", 1009}, {"Apple10", 1010}, {"Mac2", 2002}, {"Metal3", 5001}, {"Metal4", 5002},
}

const familyApple2 = 1002

// runner is the Runner on the system's default Metal device.
type runner struct {
	device id
	queue  id
	info   metalrun.Device
	limits limits

	featuresMu sync.Mutex
	features   map[metalrun.Feature]bool // that have been asked for, and whether the device lacks them
	controls   int                       // control kernels so far

	close sync.Once
	lost  atomic.Pointer[error] // the failure after which the device ignores this process
}

// New opens the default Metal device and tests itself on it. The error is ErrNoDevice
// if the machine has none, and wraps ErrUnusable if its Metal is not the one that the
// runner knows.
//
// Metal ends the process when its rules are violated, so the runner checks what it
// can before each call. Nothing here is safe from a kernel that writes far out of
// range, which may end in a device error.
func New() (metalrun.Runner, error) {
	if err := load(); err != nil {
		return nil, fmt.Errorf("%w: %w", metalrun.ErrNoDevice, err)
	}
	r := &runner{}
	if err := withPool(r.open); err != nil {
		r.Close()
		return nil, err
	}
	if err := r.selfTest(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *runner) open() error {
	r.device = objc.createSystemDefaultDevice()
	if r.device == 0 {
		r.device = firstDevice()
	}
	if r.device == 0 {
		return metalrun.ErrNoDevice
	}
	r.queue = mtlDevice.NewCommandQueue(r.device)
	if r.queue == 0 {
		return errors.New("device refused a command queue")
	}
	r.limits = limits{
		threadgroupMemory: int(mtlDevice.MaxThreadgroupMemoryLength(r.device)),
		buffer:            int(mtlDevice.MaxBufferLength(r.device)),
		constantOffset:    constantOffset(mtlDevice.SupportsFamily(r.device, familyApple2)),
	}
	facts := r.facts()
	r.info = metalrun.Device{Backend: "metal", Name: goString(mtlDevice.Name(r.device)), Clock: metalrun.GPUClock,
		Facts: facts}
	r.info.Detail = strings.TrimPrefix(facts.Architecture+", "+facts.System, ", ")
	return nil
}

// firstDevice is one of all devices, 0 for none: a process without a window session
// gets no default device, but may still list them.
func firstDevice() id {
	all := objc.copyAllDevices()
	if all == 0 {
		return 0
	}
	defer release(all)
	if nsArray.Count(all) == 0 {
		return 0
	}
	return nsObject.Retain(nsArray.ObjectAtIndex(all, 0))
}

// facts are all but what a pipeline tells.
func (r *runner) facts() metalrun.Facts {
	system := nsProcessInfo.ProcessInfo(objc.getClass("NSProcessInfo\x00"))
	f := metalrun.Facts{
		System:            "macOS " + goString(nsProcessInfo.OperatingSystemVersionString(system)),
		ThreadgroupMemory: r.limits.threadgroupMemory, Buffer: r.limits.buffer,
		WorkingSet: int(mtlDevice.WorkingSet(r.device)),
	}
	if responds(r.device, "architecture") { // macOS 14
		if architecture := mtlDevice.Architecture(r.device); architecture != 0 {
			f.Architecture = goString(mtlArchitecture.Name(architecture))
		}
	}
	for _, family := range gpuFamilies {
		if mtlDevice.SupportsFamily(r.device, family.number) {
			f.Families = append(f.Families, family.name)
		}
	}
	return f
}

func (r *runner) Device() metalrun.Device { return r.info }

// Condition asks the system how hot it is, and whether it saves power.
func (r *runner) Condition() (c metalrun.Condition, err error) {
	err = withPool(func() error {
		system := nsProcessInfo.ProcessInfo(objc.getClass("NSProcessInfo\x00"))
		c = metalrun.Condition{Thermal: metalrun.Thermal(nsProcessInfo.ThermalState(system)),
			LowPower: nsProcessInfo.IsLowPowerModeEnabled(system)}
		return nil
	})
	return c, err
}

// Methods are those that this process has called so far.
func (r *runner) Methods() ([]metalrun.Method, error) { return methods(), nil }

// Close releases the device, once.
func (r *runner) Close() (err error) {
	r.close.Do(func() {
		err = withPool(func() error {
			release(r.queue, r.device)
			return nil
		})
	})
	return err
}

// ignored is why the device no longer takes launches from this process, nil while it
// does.
func (r *runner) ignored() error {
	if cause := r.lost.Load(); cause != nil {
		return fmt.Errorf("%w: an earlier launch has failed: %v", metalrun.ErrLost, *cause)
	}
	return nil
}
