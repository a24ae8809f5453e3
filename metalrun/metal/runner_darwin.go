//go:build darwin && !ios

package metal

import (
	"errors"
	"fmt"

	"github.com/ebitengine/purego/objc"

	"metalconform/metalrun"
)

// runner is the Runner on the system's default Metal device.
type runner struct {
	*frameworks
	device objc.ID
	queue  objc.ID
	info   metalrun.Device
	memory int // bytes of threadgroup memory that a threadgroup may have
}

// New opens the default Metal device. The error is ErrNoDevice if the
// machine has none.
//
// Metal ends the process when its rules are violated, so the runner checks what it
// can before each call. Nothing here is safe from a kernel that writes far out of
// range, which may end in a device error.
func New() (metalrun.Runner, error) {
	f, err := loadFrameworks()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", metalrun.ErrNoDevice, err)
	}
	r := &runner{frameworks: f}
	if err := f.withPool(r.open); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *runner) open() error {
	r.device = r.createSystemDefaultDevice()
	if r.device == 0 {
		// A process without a window session gets no default device, but may
		// still list them.
		all := r.copyAllDevices()
		if objc.Send[uint](all, selCount) > 0 {
			r.device = all.Send(selObjectAtIndex, uint(0)).Send(selRetain)
		}
		all.Send(selRelease)
	}
	if r.device == 0 {
		return metalrun.ErrNoDevice
	}
	r.queue = r.device.Send(selNewCommandQueue)
	if r.queue == 0 {
		r.device.Send(selRelease)
		return errors.New("device refused a command queue")
	}
	r.memory = int(objc.Send[uint](r.device, selMaxThreadgroupMemoryLength))
	r.info = metalrun.Device{Backend: "metal", Name: goString(r.device, selName), Detail: r.detail(), Clock: metalrun.GPUClock}
	return nil
}

func (r *runner) detail() string {
	system := objc.ID(objc.GetClass("NSProcessInfo")).Send(selProcessInfo)
	detail := "macOS " + goString(system, selOperatingSystemVersionString)
	if responds(r.device, selArchitecture) { // macOS 14
		detail = goString(r.device.Send(selArchitecture), selName) + ", " + detail
	}
	return detail
}

func (r *runner) Device() metalrun.Device { return r.info }

func (r *runner) Close() error {
	r.queue.Send(selRelease)
	r.device.Send(selRelease)
	return nil
}
