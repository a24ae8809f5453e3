// Functions of Apple's compiler that libraries declare with __asm labels: copies that the
// threads of a simdgroup make together, and the wait for them. No specification describes
// them; what they do is what the engines that use them document. Each thread copies its
// share at once, which is one of the times at which a device may do so, and other threads
// see it behind the wait.

uint __event_lane [[thread_index_in_simdgroup]];

inline uint __event_lanes() { return popcount(uint((simd_vote::vote_t)simd_active_threads_mask())); }

// The last thread begins, so that no thread finds its own element where the wait is missing.
inline uint __event_share(uint lanes)
{
    return lanes - 1 - popcount(uint((simd_vote::vote_t)simd_active_threads_mask()) & (1u << __event_lane) - 1);
}

#define EVENT_COPY_1D(NAME, TO, FROM) \
    thread void* NAME(ulong size, ulong align, TO void* to, const FROM void* from, ulong count) \
    { \
        const uint lanes = __event_lanes(), first = __event_share(lanes); \
        for (ulong i = first; i < count; i += lanes) { \
            EVENT_ELEMENT(TO, FROM, i * size, i * size) \
        } \
        return nullptr; \
    }

#define EVENT_MOVE(TYPE, TO, FROM, AT, OF) \
    ((TO TYPE*)((TO uchar*)to + (AT)))[0] = ((const FROM TYPE*)((const FROM uchar*)from + (OF)))[0];

#define EVENT_ELEMENT(TO, FROM, AT, OF) \
    switch (align < size ? 1 : size) { \
    case 2: EVENT_MOVE(ushort, TO, FROM, AT, OF) break; \
    case 4: EVENT_MOVE(float, TO, FROM, AT, OF) break; \
    case 8: EVENT_MOVE(float2, TO, FROM, AT, OF) break; \
    case 16: EVENT_MOVE(float4, TO, FROM, AT, OF) break; \
    default: for (ulong b = 0; b < size; b++) { EVENT_MOVE(uchar, TO, FROM, (AT) + b, (OF) + b) } \
    }

EVENT_COPY_1D(__event_copy_1d_in, threadgroup, device)
EVENT_COPY_1D(__event_copy_1d_out, device, threadgroup)

// A tile of toTile columns and rows gets what lies offset into the other. Outside of that
// one it is zero, or, if clamp is 1, what is nearest.
#define EVENT_COPY_2D(NAME, TO, FROM) \
    thread void* NAME(ulong size, ulong align, TO void* to, ulong toRow, ulong toStride, ulong2 toTile, \
                      const FROM void* from, ulong fromRow, ulong fromStride, ulong2 fromTile, long2 offset, int clamp) \
    { \
        const uint lanes = __event_lanes(), first = __event_share(lanes); \
        const ulong count = toTile.x * toTile.y; \
        for (ulong i = first; i < count; i += lanes) { \
            const ulong x = i % toTile.x, y = i / toTile.x; \
            long u = long(x) + offset.x, v = long(y) + offset.y; \
            const bool inside = u >= 0 && u < long(fromTile.x) && v >= 0 && v < long(fromTile.y); \
            const ulong at = (y * toRow + x * toStride) * size; \
            if (inside || clamp == 1 && fromTile.x > 0 && fromTile.y > 0) { \
                u = max(0l, min(u, long(fromTile.x) - 1)); \
                v = max(0l, min(v, long(fromTile.y) - 1)); \
                const ulong of = (ulong(v) * fromRow + ulong(u) * fromStride) * size; \
                EVENT_ELEMENT(TO, FROM, at, of) \
            } else { \
                for (ulong b = 0; b < size; b++) \
                    ((TO uchar*)to)[at + b] = 0; \
            } \
        } \
        return nullptr; \
    }

EVENT_COPY_2D(__event_copy_2d_in, threadgroup, device)
EVENT_COPY_2D(__event_copy_2d_out, device, threadgroup)

inline void __event_wait(int count, thread void* thread* events)
{
    simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
}
