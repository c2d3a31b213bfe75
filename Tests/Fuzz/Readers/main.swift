// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianIO

// A fuzzer over the readers: any bytes give features or an error, in bounded time and memory, and never a trap.
//
//     FuzzReaders FORMAT [libFuzzer's arguments]
//
// What was read is written again in the same format, since writers are handed whatever readers let through.

/// libFuzzer's loop, from the variant of its library that has no `main`.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

guard CommandLine.arguments.count >= 2, let format = Format(rawValue: CommandLine.arguments[1]) else {
  FileHandle.standardError.write(Data("usage: FuzzReaders geojson|geojsonseq|wkt|wkb|csv|gpkg [options]\n".utf8))
  exit(2)
}
let fuzzedFormat = format
/// The readers take files; this one lies in memory where the system has such a place.
let input =
  (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory())
  + "/meridian-fuzz-\(getpid())"
let output = input + ".out"

func readAndWrite() throws {
  let reader = try openReader(input, format: fuzzedFormat)
  let writer = try openWriter(output, format: fuzzedFormat, layer: reader.layer)
  defer { writer.abandon() }
  while let batch = try reader.next(BatchLimit(rows: 64, coordinates: 4096)) { try writer.write(batch) }
}

func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let descriptor = open(input, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
  guard descriptor >= 0 else { return 0 }
  let written = bytes.map { write(descriptor, $0, count) } ?? 0
  close(descriptor)
  // An error is an answer.
  if written == count { try? readAndWrite() }
  return 0
}

// libFuzzer takes its arguments behind the format.
var count = CommandLine.argc - 1
var arguments = CommandLine.unsafeArgv + 1
let status = withUnsafeMutablePointer(to: &arguments) { pointer in
  pointer.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.self, capacity: 1) {
    runFuzzer(&count, $0, fuzz)
  }
}
unlink(input)
exit(status)
