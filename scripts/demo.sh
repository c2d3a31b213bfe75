#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The main job on a real file, as a user would type it: demo.sh FILE [TREE]. TREE is build/, or a tree like it; results go
# to its folder demo/. Windows, points and tolerances follow from the file: it may hold any part of the earth, in degrees
# or in metres.
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

# of_bounds FORMULA: words made of the numbers x0 y0 x1 y1, the bounds of the data, and w, their longer side.
of_bounds() {
  echo "$bounds" | awk -F, -v OFMT=%.12g -v CONVFMT=%.12g \
    "{ x0 = \$1; y0 = \$2; x1 = \$3; y1 = \$4; w = x1 - x0 > y1 - y0 ? x1 - x0 : y1 - y0; print $1 }"
}

show meridian kernels
# A GeoPackage of several layers: what writes one layer needs to be told which.
layer=$(meridian measure "$data" --format json --quiet | sed -n '1{s/.*"layer":"\([^"]*\)".*/\1/p;q;}')
set --
if [ -n "$layer" ]; then set -- --layer "$layer"; fi
show meridian measure "$data" "$@" --summary >measured.txt
tail -n 12 measured.txt
# Who answered says what the file holds: on the globe there are geodesics.
if grep -q '^kernel: .* geodesic edges' measured.txt; then on_globe=yes; else on_globe=; fi

# Exit code 1 means findings, which is an answer and not a failure.
if offers validate.valid; then
  status=0
  show meridian validate "$data" "$@" --format json >validated.jsonl || status=$?
  [ "$status" -le 1 ]
  valid=$(grep -c '"valid": *true' validated.jsonl || true)
  echo "$(wc -l <validated.jsonl) rows, $valid of them valid"
fi

bounds=
if offers index.build; then
  bounds=$(meridian index query "$data" "$@" --window 0,0,0,0 --summary --quiet | sed -n 's/^bounds: \[\(.*\)\]$/\1/p')
fi
case $bounds in *,*,*,*) ;; *) bounds=-180,-90,180,90 ;; esac
tolerance=0.1
grid=1e6
if [ -z "$on_globe" ]; then
  tolerance=$(of_bounds 'w / 3600')
  grid=1e3
fi
if offers simplify.douglas_peucker; then
  show meridian simplify "$data" "$@" --tolerance "$tolerance" -o simplified.geojson
  wc -c "$data" simplified.geojson
fi
if offers snap.grid; then
  show meridian snap "$data" "$@" --grid "$grid" -o snapped.geojson
fi
if offers index.build; then
  # Without a kernel that saves indexes the features are indexed on the fly.
  index=$data
  if offers index.save; then
    index=boxes.mrdx
    show meridian index build "$data" "$@" -o "$index"
  fi
  # A square around the middle, a thirtieth of the longer side wide.
  window=$(of_bounds '(x0+x1)/2-w/60 "," (y0+y1)/2-w/60 "," (x0+x1)/2+w/60 "," (y0+y1)/2+w/60')
  show meridian index query "$index" --window "$window"
  show meridian index nearest "$index" --point "$(of_bounds '(x0+x1)/2 "," (y0+y1)/2')" -k 3
fi
if [ -n "$on_globe" ] && [ -d "$plugins/meridian.proj" ]; then
  show meridian compare "$data" "$@" --op measure.area --kernels native,proj || [ $? -eq 1 ]
elif [ -z "$on_globe" ] && [ -d "$plugins/meridian.geos" ]; then
  # GEOS and our kernel measure a plane; PROJ does not.
  show meridian compare "$data" "$@" --op measure.area --kernels native,geos || [ $? -eq 1 ]
fi
printf '\ndemo: done; results are in %s\n' "$out"
