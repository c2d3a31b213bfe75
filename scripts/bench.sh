#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compares pairs of kernels on one file: largest difference and ratio of times, each the median of several runs.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
data=${1:?usage: bench.sh FILE}
repeats=${2:-15}
meridian=$root/build/bin/meridian

for comparison in measure.area:native,proj measure.length:native,proj measure.perimeter:native,proj \
  measure.bounds:native,geos measure.centroid:native,geos; do
  operation=${comparison%%:*}
  kernels=${comparison#*:}
  # A kernel may be left out of the build, or not offer the operation.
  for kernel in $(echo "$kernels" | tr ',' ' '); do
    "$meridian" kernels info "$kernel" 2>/dev/null | grep -q "$operation" || continue 2
  done
  echo "== $operation, $kernels, median of $repeats"
  "$meridian" compare "$data" --op "$operation" --kernels "$kernels" --repeat "$repeats"
done
