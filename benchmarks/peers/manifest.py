#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the manifest of a built peer from what its library declares: manifest.py LIBRARY

The manifest lands beside the library, named by the plug-in's id. Its operations are those that `info` answers to.
"""

import ctypes
import json
import pathlib
import sys
from ctypes import POINTER, byref, c_char_p, c_int32, c_int64, c_uint32, c_void_p

ABI = 1  # MRD_MAKE_ABI(0, 1)
OPERATIONS = {
    "measure": {1: "length", 2: "perimeter", 3: "area", 4: "area_signed", 5: "perimeter_area", 6: "bounds",
                7: "centroid", 8: "counts", 9: "interpolate", 16: "inverse", 17: "distance", 18: "closest",
                24: "direct", 32: "densify"},
    "validate": {1: "valid", 2: "simple", 3: "layer", 16: "repair", 24: "prepared"},
    "simplify": {1: "douglas_peucker", 2: "visvalingam", 3: "topology_preserving", 4: "coverage"},
    "snap": {1: "query", 16: "pair", 17: "layer", 18: "self", 19: "grid"},
    "index": {1: "build", 2: "window", 3: "nearest", 4: "join", 5: "insert", 6: "remove", 7: "save", 8: "open"},
}


class Host(ctypes.Structure):
    _fields_ = [("struct_size", c_uint32), ("abi_min", c_uint32), ("abi_max", c_uint32), ("pad0", c_uint32),
                ("name", c_char_p), ("version", c_char_p), ("get_extension", c_void_p)]


class Error(ctypes.Structure):
    _fields_ = [("struct_size", c_uint32), ("code", c_int32), ("item", c_int64), ("coord", c_int64),
                ("message", ctypes.c_char * 488)]


class Plugin(ctypes.Structure):
    _fields_ = [("struct_size", c_uint32), ("abi", c_uint32), ("id", c_char_p), ("name", c_char_p),
                ("vendor", c_char_p), ("version", c_char_p), ("license", c_char_p), ("build", c_char_p),
                ("init", c_void_p), ("get_family", ctypes.CFUNCTYPE(c_void_p, c_char_p)), ("get_extension", c_void_p)]


class Family(ctypes.Structure):
    """What all family tables begin with."""
    _fields_ = [("struct_size", c_uint32), ("pad0", c_uint32), ("info", ctypes.CFUNCTYPE(c_void_p, c_uint32))]


def entry(path):
    """The table of the plug-in in this library; raises OSError or RuntimeError."""
    library = ctypes.CDLL(str(path))
    library.mrd_plugin_entry_v1.restype = POINTER(Plugin)
    host = Host(ctypes.sizeof(Host), ABI, ABI, 0, b"manifest.py", b"0")
    error = Error(struct_size=ctypes.sizeof(Error))
    plugin = library.mrd_plugin_entry_v1(byref(host), byref(error))
    if not plugin:
        raise RuntimeError(error.message.decode())
    return plugin.contents


def operations(plugin):
    for family, names in OPERATIONS.items():
        table = plugin.get_family(f"meridian.{family}/1".encode())
        if table:
            info = Family.from_address(table).info
            yield from (f"{family}.{name}" for op, name in names.items() if info(op))


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    path = pathlib.Path(arguments[0]).resolve()
    plugin = entry(path)
    name = plugin.id.decode()
    manifest = {
        "manifest_version": 1, "id": name, "name": plugin.name.decode(), "version": plugin.version.decode(),
        "license": plugin.license.decode(), "abi": "0.1", "operations": list(operations(plugin)),
        "libraries": [{"platform": platform, "path": path.name} for platform in ("linux-x86_64", "linux-aarch64")],
    }
    target = path.parent / f"{name}.meridian.json"
    target.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
