//go:build linux && metaldouble

package metal

import (
	"errors"
	"strings"
	"testing"

	"metalconform/metalrun"
	_ "metalconform/metalrun/metal/fake"
)

// TestMismatch sends what the receiver does not take: the message is not sent, and the
// error names it.
func TestMismatch(t *testing.T) {
	if err := load(); err != nil {
		t.Fatal(err)
	}
	wrong := bind[struct {
		New     func(class id) uint         `objc:"new"`
		Length  func(b id) uint             `objc:"length"`
		SetMode func(o id, fast uint)       `objc:"setFastMathEnabled:"`
		Absent  func(o id, i uint, x id) id `objc:"setFastMath:for:"`
	}]("MTLCompileOptions")
	for _, test := range []struct {
		send func(options id)
		want string
	}{
		{func(id) { mtlDevice.Name(0) }, "MTLDevice name is sent to nil"},
		{func(id) { wrong.New(objc.getClass("MTLCompileOptions\x00")) },
			"[MTLCompileOptions new]: the result is read as uint, the method returns @"},
		{func(o id) { wrong.Length(o) }, "MTLCompileOptions, an MTLCompileOptions, does not respond to length"},
		{func(o id) { wrong.SetMode(o, 1) },
			"[MTLCompileOptions setFastMathEnabled:]: argument 1 is sent as uint, the method takes C"},
		{func(o id) { wrong.Absent(o, 1, o) }, "does not respond to setFastMath:for:"},
		{func(o id) { mtlBuffer.Contents(o) }, "MTLCompileOptions, an MTLBuffer, does not respond to contents"},
	} {
		err := withPool(func() error {
			options, err := newObject("MTLCompileOptions")
			if err != nil {
				return err
			}
			defer release(options)
			test.send(options)
			return nil
		})
		if !errors.Is(err, metalrun.ErrUnusable) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
	if err := withPool(func() error { _, err := newObject("MTLNothing"); return err }); err == nil ||
		err.Error() != "there is no class MTLNothing" {
		t.Errorf("no class: %v", err)
	}
}
