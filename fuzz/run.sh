#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes one reader: fuzz/run.sh geojson|geojsonseq|wkt|wkb|csv|gpkg|index [seconds]
# The kept inputs of fuzz/corpus/<reader> are the start; new ones stay in the build folder. A crash leaves its input there.
set -eu
cd "$(dirname "$0")/.."
reader=${1:?name a reader: geojson geojsonseq wkt wkb csv gpkg index}
seconds=${2:-60}
out=${FUZZ_BUILD:-.build/fuzz}
mkdir -p "$out/modules/CPlatform" "$out/modules/CSimdjson" "$out/found/$reader" "fuzz/corpus/$reader"
export SWIFT_BACKTRACE=enable=no
clang=$(dirname "$(command -v swiftc)")/clang

# stale PROGRAM SOURCE...: true when the program is not there or a source is newer.
stale() {
  program=$1
  shift
  [ ! -e "$program" ] || [ -n "$(find "$@" -newer "$program" -print -quit)" ]
}

# One program serves all readers of files.
build_readers() {
  for module in CPlatform CSimdjson; do
    printf 'module %s { header "%s/Sources/%s/include/%s.h" export * }\n' $module "$PWD" $module $module \
      > "$out/modules/$module/module.modulemap"
  done
  modules="-I include -I $out/modules/CPlatform -I $out/modules/CSimdjson -I Sources/CSQLite -I $out"
  for source in Sources/CSimdjson/*.cpp; do
    "$clang" -std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address -I Sources/CSimdjson/include -c "$source" \
      -o "$out/$(basename "$source").o"
  done
  for source in Sources/CPlatform/*.c; do
    "$clang" -O1 -g -fsanitize=address -I Sources/CPlatform/include -c "$source" \
      -o "$out/$(basename "$source").o"
  done
  # shellcheck disable=SC2086,SC2046
  swiftc -O -wmo -g -sanitize=fuzzer,address -parse-as-library -emit-module -emit-library -static \
    -package-name meridian -module-name Meridian $modules $(find Sources/Meridian -name '*.swift' -not -path '*/CInterface/*') \
    -emit-module-path "$out/Meridian.swiftmodule" -o "$out/libMeridian.a"
  # shellcheck disable=SC2086,SC2046
  swiftc -O -wmo -gline-tables-only -sanitize=fuzzer,address -parse-as-library -package-name meridian -module-name MeridianFuzz $modules \
    -D MERIDIAN_SQLITE $(find Sources/MeridianIO -mindepth 2 -name '*.swift') fuzz/*.swift \
    "$out"/*.o "$out/libMeridian.a" -lsimdjson -lstdc++ -lffi -lsqlite3 -o "$out/readers"
}

# The native plug-in as it is shipped, Embedded and optimised, with the fuzzer's counters, in a program of its own.
build_index() {
  embedded="-O -wmo -enable-experimental-feature Embedded -parse-as-library -Xcc -fno-math-errno -Xcc -ffp-contract=off \
    -gline-tables-only -sanitize=address -sanitize-coverage=edge,inline-8bit-counters,pc-table -I include -I $out/index"
  mkdir -p "$out/index"
  # shellcheck disable=SC2086,SC2046
  swiftc $embedded -module-name KernelKit -emit-module -emit-module-path "$out/index/KernelKit.swiftmodule" \
    -c Plugins/KernelKit/*.swift Plugins/KernelKit/*/*.swift -o "$out/index/KernelKit.o"
  # shellcheck disable=SC2086,SC2046
  swiftc $embedded -module-name Native -I Plugins/KernelMath -c $(find Plugins/Native -name '*.swift') \
    -o "$out/index/Native.o"
  "$clang" -std=c11 -O1 -g -Wall -Wextra -fsanitize=fuzzer,address,undefined -fuse-ld=lld -I include fuzz/index.c \
    "$out/index/KernelKit.o" "$out/index/Native.o" -lm -o "$out/index/index"
}

case $reader in
  index)
    program=$out/index/index
    if stale "$program" include Plugins/KernelKit Plugins/KernelMath Plugins/Native fuzz; then build_index; fi
    ;;
  *)
    program=$out/readers
    if stale "$program" Sources fuzz; then build_readers; fi
    ;;
esac
# An SQLite database is some pages at least.
case $reader in gpkg) length=65536 ;; *) length=4096 ;; esac
MERIDIAN_FUZZ_SCRATCH=$(mktemp)
export MERIDIAN_FUZZ_SCRATCH
trap 'rm -f "$MERIDIAN_FUZZ_SCRATCH"' EXIT
MERIDIAN_FUZZ_READER=$reader "$program" -max_total_time="$seconds" -max_len=$length -timeout=10 -rss_limit_mb=2048 \
  -print_final_stats=1 -verbosity=0 -artifact_prefix="$out/found/$reader-" "$out/found/$reader" "fuzz/corpus/$reader"
