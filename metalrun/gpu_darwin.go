//go:build darwin && !ios

package metalrun

import (
	"errors"
	"fmt"

	"github.com/ebitengine/purego/objc"
)

// metal is the Runner on the system's default Metal device.
type metal struct {
	*frameworks
	device objc.ID
	queue  objc.ID
	info   Device
	memory int // bytes of threadgroup memory that a threadgroup may have
}

// NewMetal opens the default Metal device. The error is ErrNoDevice if the
// machine has none.
//
// Metal reports a violation of its own rules by ending the process, so the
// runner checks before each call what it can; and nothing here is safe from a
// kernel that writes far out of range, which may end in a device error.
func NewMetal() (Runner, error) {
	f, err := loadFrameworks()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoDevice, err)
	}
	m := &metal{frameworks: f}
	if err := f.withPool(m.open); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *metal) open() error {
	m.device = m.createSystemDefaultDevice()
	if m.device == 0 {
		// A process without a window session gets no default device, but may
		// still list them.
		all := m.copyAllDevices()
		if objc.Send[uint](all, selCount) > 0 {
			m.device = all.Send(selObjectAtIndex, uint(0)).Send(selRetain)
		}
		all.Send(selRelease)
	}
	if m.device == 0 {
		return ErrNoDevice
	}
	m.queue = m.device.Send(selNewCommandQueue)
	if m.queue == 0 {
		m.device.Send(selRelease)
		return errors.New("device refused a command queue")
	}
	m.memory = int(objc.Send[uint](m.device, selMaxThreadgroupMemoryLength))
	m.info = Device{Backend: "metal", Name: goString(m.device, selName), Detail: m.detail()}
	return nil
}

func (m *metal) detail() string {
	system := objc.ID(objc.GetClass("NSProcessInfo")).Send(selProcessInfo)
	detail := "macOS " + goString(system, selOperatingSystemVersionString)
	if responds(m.device, selArchitecture) { // macOS 14
		detail = goString(m.device.Send(selArchitecture), selName) + ", " + detail
	}
	return detail
}

func (m *metal) Device() Device { return m.info }

func (m *metal) Close() error {
	m.queue.Send(selRelease)
	m.device.Send(selRelease)
	return nil
}
