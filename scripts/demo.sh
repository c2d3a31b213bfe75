#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The main job on a real file, as a user would type it: demo.sh FILE [TREE]. TREE is build/, or a tree like it; results go
# to its folder demo/.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
data=${1:?usage: demo.sh FILE [TREE]}
case $data in /*) ;; *) data=$(pwd)/$data ;; esac
tree=$(cd "${2:-$root/build}" && pwd)
plugins=$tree/lib/meridian/plugins
PATH=$tree/bin:$PATH
out=$tree/demo
rm -rf "$out"
mkdir -p "$out"
cd "$out"

# Shows a command before it runs, on the terminal even where its output goes to a file.
exec 3>&1
show() {
  printf '\n$ %s\n' "$*" >&3
  "$@"
}

# True when a plug-in of the tree names an operation: an adapter may have been left out of the build.
offers() { grep -qs "\"$1\"" "$plugins"/*/*.meridian.json; }

show meridian kernels
show meridian measure "$data" --summary >measured.txt
tail -n 12 measured.txt

# Exit code 1 means findings, which is an answer and not a failure.
if offers validate.valid; then
  status=0
  show meridian validate "$data" --format json >validated.jsonl || status=$?
  [ "$status" -le 1 ]
  valid=$(grep -c '"valid": *true' validated.jsonl || true)
  echo "$(wc -l <validated.jsonl) rows, $valid of them valid"
fi
if offers simplify.douglas_peucker; then
  show meridian simplify "$data" --tolerance 0.1 -o simplified.geojson
  wc -c "$data" simplified.geojson
fi
if offers snap.grid; then
  show meridian snap "$data" --grid 1e6 -o snapped.geojson
fi
if offers index.build; then
  # Without a kernel that saves indexes the features are indexed on the fly.
  index=$data
  if offers index.save; then
    index=boxes.mrdx
    show meridian index build "$data" -o "$index"
  fi
  show meridian index query "$index" --window 5,45,11,48
  show meridian index nearest "$index" --point 8.5,47.4 -k 3
fi
if [ -d "$plugins/meridian.proj" ]; then
  show meridian compare "$data" --op measure.area --kernels native,proj || [ $? -eq 1 ]
fi
printf '\ndemo: done; results are in %s\n' "$out"
