#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compares pairs of kernels on one file: largest difference and ratio of times, each the median of several runs.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
data=${1:?usage: bench.sh FILE}
repeats=${2:-15}
meridian=$root/build/bin/meridian

# Both kernels of a pair must know the edges: the sphere for native and proj, the plane for native and geos.
for comparison in measure.area:native,proj:great_circle measure.length:native,proj:great_circle \
  measure.perimeter:native,proj:great_circle measure.bounds:native,geos:planar measure.centroid:native,geos:planar; do
  operation=${comparison%%:*}
  edges=${comparison##*:}
  kernels=${comparison#*:}
  kernels=${kernels%:*}
  # A kernel may be left out of the build, or not offer the operation.
  for kernel in $(echo "$kernels" | tr ',' ' '); do
    "$meridian" kernels info "$kernel" 2>/dev/null | grep -q "$operation" || continue 2
  done
  echo "== $operation, $kernels, median of $repeats"
  "$meridian" compare "$data" --op "$operation" --kernels "$kernels" --repeat "$repeats" --edges "$edges" || [ $? -eq 1 ]
done
