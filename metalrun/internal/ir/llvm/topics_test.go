package llvm

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ir"
)

// topics are bodies as kernels have them: stencils, lattices, forces, integrators, energies.
var topics = []struct{ name, body string }{
	{"wave", `float c = p[0], o = p[1], xm = p[2], xp = p[3], ym = p[4], yp = p[5], zm = p[6], zp = p[7], a = p[8];
float lap = xm + xp + ym + yp + zm + zp - 6.0f * c; q[0] = 2.0f * c - o + a * lap;`},
	{"wave params first",
		`float a = p[8]; float c = p[0], xm = p[2], xp = p[3], ym = p[4], yp = p[5], zm = p[6], zp = p[7]; float o = p[1];
float lap = (xm + xp) + (ym + yp) + (zm + zp) - 6.0f * c; q[0] = 2.0f * c - o + a * lap;`},
	{"wave damped",
		`float c = p[0], o = p[1], l = p[2], r = p[3], u = p[4], d = p[5], dt = p[6], cs = p[7], dx = p[8], g = p[9];
float k = cs * dt / dx; float k2 = k * k; float lap = l + r + u + d - 4.0f * c; q[0] = (2.0f * c - (1.0f - 0.5f * g * dt) * o + k2 * lap) / (1.0f + 0.5f * g * dt);`},
	{"wave fourth order", `float c = p[0], m1 = p[1], p1 = p[2], m2 = p[3], p2 = p[4], o = p[5], k = p[6];
float lap = -m2 + 16.0f * m1 - 30.0f * c + 16.0f * p1 - p2; q[0] = 2.0f * c - o + k * lap * (1.0f / 12.0f);`},
	{"lbm moments",
		`float f0 = p[0], f1 = p[1], f2 = p[2], f3 = p[3], f4 = p[4], f5 = p[5], f6 = p[6], f7 = p[7], f8 = p[8];
float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8; float ux = (f1 - f3 + f5 - f6 - f7 + f8) / rho; float uy = (f2 - f4 + f5 + f6 - f7 - f8) / rho; q[0] = rho; q[1] = ux; q[2] = uy;`},
	{"lbm collision",
		`float f0 = p[0], f1 = p[1], f2 = p[2], f3 = p[3], f4 = p[4], f5 = p[5], f6 = p[6], f7 = p[7], f8 = p[8], tau = p[9];
float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8; float inv = 1.0f / rho; float ux = (f1 - f3 + f5 - f6 - f7 + f8) * inv; float uy = (f2 - f4 + f5 + f6 - f7 - f8) * inv;
float usq = ux * ux + uy * uy; float omega = 1.0f / tau;
float e0 = (4.0f / 9.0f) * rho * (1.0f - 1.5f * usq); float e1 = (1.0f / 9.0f) * rho * (1.0f + 3.0f * ux + 4.5f * ux * ux - 1.5f * usq);
float e3 = (1.0f / 9.0f) * rho * (1.0f - 3.0f * ux + 4.5f * ux * ux - 1.5f * usq); float cu = ux + uy; float e5 = (1.0f / 36.0f) * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * usq);
q[0] = f0 - omega * (f0 - e0); q[1] = f1 - omega * (f1 - e1); q[3] = f3 - omega * (f3 - e3); q[5] = f5 - omega * (f5 - e5);`},
	{"lbm relaxed", `float f = p[0], rho = p[1], ux = p[2], uy = p[3], tau = p[4];
float cu = ux - uy; float feq = 0.0277777778f * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * (ux * ux + uy * uy)); q[0] = f + (feq - f) / tau;`},
	{"lbm keeps", `float f = p[0], rho = p[1], ux = p[2], uy = p[3], om = p[4];
float u2 = 1.5f * (ux * ux + uy * uy); float t = 1.0f - u2; float wr = 0.11111111f * rho; q[0] = (1.0f - om) * f + om * wr * (t + 3.0f * ux + 4.5f * ux * ux); q[1] = (1.0f - om) * p[5] + om * wr * (t - 3.0f * ux + 4.5f * ux * ux);`},
	{"lj force", `float dx = p[0] - p[3], dy = p[1] - p[4], dz = p[2] - p[5]; float L = p[6];
float r2 = dx * dx + dy * dy + dz * dz; float i2 = 1.0f / r2; float i6 = i2 * i2 * i2; float f = 24.0f * i2 * i6 * (2.0f * i6 - 1.0f); q[0] = f * dx; q[1] = f * dy; q[2] = p[7] + f * dz;`},
	{"lj sigma", `float dx = p[0] - p[3], dy = p[1] - p[4], dz = p[2] - p[5], eps = p[6], sg = p[7];
float r2 = dx * dx + dy * dy + dz * dz; float s2 = sg * sg / r2; float s6 = s2 * s2 * s2; float s12 = s6 * s6; float f = 24.0f * eps * (2.0f * s12 - s6) / r2; q[0] = p[8] + f * dx; q[1] = p[9] + f * dy; q[2] = 4.0f * eps * (s12 - s6);`},
	{"verlet", `float x = p[0], v = p[1], a = p[2], dt = p[3], an = p[4];
float xn = x + v * dt + 0.5f * a * dt * dt; q[0] = xn; q[1] = v + 0.5f * (a + an) * dt;`},
	{"leapfrog", `float x = p[0], v = p[1], f = p[2], dt = p[3], m = p[4];
float vh = v + 0.5f * dt * f / m; q[0] = x + dt * vh; q[1] = vh;`},
	{"hmc energy", `float x = p[0], y = p[1], m = p[2], k = p[3], b = p[4];
float d = y - x * x; float u = (1.0f - x) * (1.0f - x) + b * d * d; q[0] = u + 0.5f * (m * m + k * k); q[1] = -2.0f * (1.0f - x) - 4.0f * b * x * d; q[2] = 2.0f * b * d;`},
	{"hmc step", `float x = p[0], m = p[1], g = p[2], e = p[3];
float mh = m - 0.5f * e * g; float xn = x + e * mh; q[0] = xn; q[1] = mh - 0.5f * e * xn;`},
	{"hmc matrix", `float x0 = p[0], x1 = p[1], x2 = p[2], x3 = p[3]; q[0] = p[4] * x0 + p[5] * x1 + p[6] * x2 + ` +
		`p[7] * x3; q[1] = p[8] * x0 + p[9] * x1 + p[10] * x2 + p[11] * x3;`},
	{"ising", `float s = p[0], n = p[1], e = p[2], so = p[3], w = p[4], b = p[5], h = p[6]; float sum = n + e + so + ` +
		`w; float dE = 2.0f * s * (sum + h); q[0] = dE; q[1] = -dE * b; q[2] = s - 2.0f * s;`},
	{"heat with source",
		`float c = p[0], l = p[1], r = p[2], u = p[3], d = p[4], dx = p[5], dt = p[6], k = p[7], s = p[8]; float i = ` +
			`1.0f / (dx * dx); q[0] = c + dt * (k * ((l - 2.0f * c + r) * i + (u - 2.0f * c + d) * i) + s);`},
	{"powers", `float x = p[0], y = p[1]; float x2 = x * x, x4 = x2 * x2; q[0] = x4 * x2 - y * x4 * x; q[1] = x * x ` +
		`* x * y * y; q[2] = (x + y) * (x + y) * (x - y);`},
	{"interpolation", `float a = p[0], b = p[1], t = p[2], c = p[3], d = p[4], s = p[5]; float u = a * (1.0f - t) + ` +
		`b * t; float v = c + t * (d - c); q[0] = u * (1.0f - s) + v * s;`},
	{"complex", `float a = p[0], b = p[1], c = p[2], d = p[3], x = p[4], y = p[5]; float re = a * c - b * d, im = a ` +
		`* d + b * c; q[0] = x + re; q[1] = x - re; q[2] = y + im; q[3] = y - im;`},
	{"normalise", `float x = p[0], y = p[1], z = p[2]; float n = x * x + y * y + z * z + 0.01f; float k = 1.0f / n; ` +
		`q[0] = x * k; q[1] = y * k; q[2] = z / n;`},
	{"shared quotient", `float a = p[0], b = p[1], c = p[2], d = p[3]; q[0] = a / b + c / b; q[1] = a / d - c / d; ` +
		`q[2] = a * b / c / d; q[3] = a / (b / c) * d;`},
	{"minimum image", `float dx = p[0] - p[1], L = p[2], h = p[3]; float k = dx / L; q[0] = dx - L * k * h; q[1] = ` +
		`(dx * dx) / (L * L);`},
	{"negated", `float a = p[0], b = p[1], c = p[2], m = p[3]; float r = -m * a * b; q[0] = r - c * m; q[1] = -(a - ` +
		`b) * c; q[2] = -a * (b - c) - m; q[3] = c - (-a) * b;`},
	{"kinetic", `float a = p[0], b = p[1], c = p[2], m = p[3]; q[0] = 0.5f * m * (a * a + b * b + c * c); q[1] = ` +
		`0.5f * (a * a / m + b * b / m);`},
	{"alternating", `float a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5]; q[0] = a - b + c - d + e - f; ` +
		`q[1] = (a - b) * (c - d) - (e - f); q[2] = 0.25f * (a + b + c + d) - 0.5f * e + 3.0f * f - 0.125f * a;`},
}

// TestWitnessTopics asks clang what it makes of bodies as physics has them, in fast math: all are ordered alike.
func TestWitnessTopics(t *testing.T) {
	if os.Getenv("CONFORM_WITNESS") == "" {
		t.Skip("CONFORM_WITNESS=1 asks clang")
	}
	var bodies []string
	for _, x := range topics {
		bodies = append(bodies, x.body)
	}
	for i, want := range theirs(t, bodies) {
		f := newFunction(ir.Values(lowered(t, bodies[i])))
		f.simplifyAll()
		if diff := cmp.Diff(want, stored(f)); diff != "" {
			t.Errorf("%s (-clang +ours):\n%s", topics[i].name, diff)
		}
	}
}
