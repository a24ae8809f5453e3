// 40 threads are two simdgroups, the second of eight lanes.
// dispatch groups=1 per=40
// bind 0 uint 0 x40
// want 0 uint 200 201 202 203 204 205 206 207 208 209 210 211 212 213 214 215 216 217 218 219 220 221 222 223 224 225 226 227 228 229 230 231 1200 1201 1202 1203 1204 1205 1206 1207
#include <metal_stdlib>
using namespace metal;

kernel void f(device uint* a [[buffer(0)]], uint i [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
              uint s [[simdgroup_index_in_threadgroup]], uint n [[simdgroups_per_threadgroup]])
{
    a[i] = 1000 * s + 100 * n + lane;
}
