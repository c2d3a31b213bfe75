// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// A caller may have closed standard input, output or error. The next file that is opened would take its number, and
/// messages would land in results. So the numbers are filled first: with /dev/null opened the wrong way round, so that
/// using them still fails as it does with a closed file.
enum StandardFiles {
  static func fill() {
    for (number, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
    where mrdp_is_open(number) == 0 {
      _ = mrdp_open("/dev/null", mode, 0)
    }
  }
}
