#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes one reader: fuzz/run.sh geojson|geojsonseq|wkt|wkb|csv [seconds]
# The kept inputs of fuzz/corpus/<reader> are the start; new ones stay in the build folder. A crash leaves its input there.
set -eu
cd "$(dirname "$0")/.."
reader=${1:?name a reader: geojson geojsonseq wkt wkb csv}
seconds=${2:-60}
out=${FUZZ_BUILD:-.build/fuzz}
mkdir -p "$out/modules/CPlatform" "$out/modules/CSimdjson" "$out/found/$reader" "fuzz/corpus/$reader"
export SWIFT_BACKTRACE=enable=no

for module in CPlatform CSimdjson; do
  printf 'module %s { header "%s/Sources/%s/include/%s.h" export * }\n' $module "$PWD" $module $module \
    > "$out/modules/$module/module.modulemap"
done
clang=$(dirname "$(command -v swiftc)")/clang
modules="-I include -I $out/modules/CPlatform -I $out/modules/CSimdjson -I $out"
# One program serves all readers; it is made anew when a source is newer.
newest=$(ls -t Sources/Meridian/*/*.swift Sources/MeridianIO/*/*.swift Sources/CSimdjson/* Sources/CPlatform/* fuzz/*.swift |
  head -1)
if [ ! -e "$out/readers" ] || [ "$newest" -nt "$out/readers" ]; then
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
    -module-name Meridian $modules $(find Sources/Meridian -name '*.swift' -not -path '*/CInterface/*') \
    -emit-module-path "$out/Meridian.swiftmodule" -o "$out/libMeridian.a"
  # shellcheck disable=SC2086,SC2046
  swiftc -O -wmo -gline-tables-only -sanitize=fuzzer,address -parse-as-library -module-name MeridianFuzz $modules \
    $(find Sources/MeridianIO -mindepth 2 -name '*.swift' -not -path '*/GeoPackage/*') fuzz/*.swift \
    "$out"/*.o "$out/libMeridian.a" -lsimdjson -lstdc++ -lffi -o "$out/readers"
fi
MERIDIAN_FUZZ_READER=$reader "$out/readers" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
  -print_final_stats=1 -verbosity=0 -artifact_prefix="$out/found/$reader-" "$out/found/$reader" "fuzz/corpus/$reader"
