"""Writes the files here with NumPy: python3 make.py (they were written by NumPy 1.24.2)."""
import numpy as np

floats = np.array([[-1.5, 0, 2], [3, 64, -0.25]])
whole = np.array([[0, 1, 2], [3, 100, 5]])

for order in "<>":
    for kind, x in [("f2", floats), ("f4", floats), ("f8", floats), ("i2", -whole), ("i4", -whole), ("i8", -whole),
                    ("u2", whole), ("u4", whole), ("u8", whole)]:
        np.save({"<": "little", ">": "big"}[order] + "_" + kind, x.astype(order + kind))
np.save("bool", whole > 1)
np.save("u1", whole.astype("u1"))
np.save("i1", (-whole).astype("i1"))
np.save("fortran", np.asfortranarray(np.arange(24, dtype="<f4").reshape(2, 3, 4)))
np.save("number", np.float32(2.5))
np.save("empty", np.zeros((3, 0), "f4"))
np.save("bfloat16", (floats.astype("<f4").view("<u4") >> 16).astype("<u2").view("V2"))
for version in [(1, 0), (2, 0), (3, 0)]:
    with open("version%d.npy" % version[0], "wb") as f:
        np.lib.format.write_array(f, floats.astype("<f4"), version)
np.savez("stored", x=floats.astype("f4"), y=whole)
np.savez_compressed("deflated", x=floats.astype("f4"), many=np.zeros((100, 100)))

# Refused.
np.save("object", np.array([None], dtype=object), allow_pickle=True)
np.save("record", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))
np.save("complex", np.zeros(2, dtype="complex64"))
