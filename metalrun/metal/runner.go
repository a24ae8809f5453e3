//go:build (darwin && !ios) || (linux && metaldouble)

package metal

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"metalconform/metalrun"
)

// Supported says that this program can use Metal, if the machine has it.
const Supported = true

// familyApple2 is MTLGPUFamilyApple2, to which every later Apple GPU belongs.
const familyApple2 = 1002

// runner is the Runner on the system's default Metal device.
type runner struct {
	device id
	queue  id
	info   metalrun.Device
	limits limits

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
	r.info = metalrun.Device{Backend: "metal", Name: goString(mtlDevice.Name(r.device)), Detail: r.detail(), Clock: metalrun.GPUClock}
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

func (r *runner) detail() string {
	system := nsProcessInfo.ProcessInfo(objc.getClass("NSProcessInfo\x00"))
	detail := "macOS " + goString(nsProcessInfo.OperatingSystemVersionString(system))
	if responds(r.device, "architecture") { // macOS 14
		if architecture := mtlDevice.Architecture(r.device); architecture != 0 {
			detail = goString(mtlArchitecture.Name(architecture)) + ", " + detail
		}
	}
	return detail
}

func (r *runner) Device() metalrun.Device { return r.info }

// Condition asks the system how hot it is, and whether it saves power.
func (r *runner) Condition() (c metalrun.Condition, err error) {
	err = withPool(func() error {
		system := nsProcessInfo.ProcessInfo(objc.getClass("NSProcessInfo\x00"))
		c = metalrun.Condition{Thermal: metalrun.Thermal(nsProcessInfo.ThermalState(system)), LowPower: nsProcessInfo.IsLowPowerModeEnabled(system)}
		return nil
	})
	return c, err
}

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
