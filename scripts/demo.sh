#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The main job on a real file, as a user would type it. Results go to build/demo/.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
data=${1:?usage: demo.sh FILE}
case $data in /*) ;; *) data=$(pwd)/$data ;; esac
PATH=$root/build/bin:$PATH
out=$root/build/demo
rm -rf "$out"
mkdir -p "$out"
cd "$out"

# Shows a command before it runs.
show() {
  printf '\n\033[1m$ %s\033[0m\n' "$*"
  "$@"
}

# True when some kernel offers an operation: an adapter may have been left out of the build.
offers() { meridian kernels info "$1" >/dev/null 2>&1 || meridian kernels | grep -q "$1"; }

show meridian kernels
show meridian measure "$data" --summary

# Exit code 1 means findings, which is an answer and not a failure.
if meridian kernels | grep -qw validate; then
  status=0
  show meridian validate "$data" --format json >validate.jsonl || status=$?
  [ "$status" -le 1 ]
  printf 'validate: %s rows, %s of them valid\n' "$(wc -l <validate.jsonl)" "$(grep -c '"valid": *true' validate.jsonl || true)"
fi
if meridian kernels | grep -qw simplify; then
  show meridian simplify "$data" --tolerance 0.1 -o simplified.geojson
  ls -l "$data" simplified.geojson
fi
if meridian kernels | grep -qw snap; then
  show meridian snap "$data" --grid 1e6 -o snapped.geojson
fi
if meridian kernels | grep -qw index; then
  show meridian index build "$data" -o boxes.idx
  show meridian index query boxes.idx --window 5,45,11,48
  show meridian index nearest boxes.idx --point 8.5,47.4 --k 3
fi
if meridian kernels | grep -qw proj; then
  show meridian compare "$data" --op measure.area --kernels native,proj
fi
printf '\ndemo: done; results are in build/demo\n'
