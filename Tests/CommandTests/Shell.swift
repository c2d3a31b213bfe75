// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// What a run of the command left behind.
struct Outcome {
  let code: Int32
  let out: String
  let err: String
  var lines: [String] { out.split(separator: "\n").map(String.init) }
}

/// Runs the built executable, as a shell would.
enum Shell {
  /// The folder of the products: the test bundle lies in it.
  static let products: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }()

  /// The root of the package, from where this file was compiled.
  static let root = String(#filePath.dropLast("/Tests/CommandTests/Shell.swift".count))

  /// Runs `meridian` with words, environment on top of the test's own, and bytes on standard input.
  static func meridian(
    _ words: [String], environment: [String: String] = [:], input: [UInt8] = []
  ) throws -> Outcome {
    try run(products + "/meridian-cli", words, environment: environment, input: input)
  }

  static func run(
    _ program: String, _ words: [String], environment: [String: String] = [:], input: [UInt8] = []
  ) throws -> Outcome {
    let folder = try Scratch()
    let names = ["in", "out", "err"].map { folder.path + "/" + $0 }
    try folder.write(input, to: "in")
    let child = try spawn(program, words, environment, files: names)
    let code = wait(for: child)
    return Outcome(code: code, out: try folder.read("out"), err: try folder.read("err"))
  }

  /// Starts a program with its three standard streams on files.
  static func spawn(
    _ program: String, _ words: [String], _ environment: [String: String], files: [String]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT, 0o600)
    // Tests run on threads that block signals, and a child inherits that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Tests that run in the background may have been started with the interrupt ignored.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&interrupts, number) }
    posix_spawnattr_setsigdefault(&attributes, &interrupts)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var all = inherited.filter { entry in !environment.keys.contains { entry.hasPrefix($0 + "=") } }
    all += environment.map { "\($0.key)=\($0.value)" }
    var argv: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var child = pid_t()
    let status = posix_spawn(&child, program, &actions, &attributes, &argv, &envp)
    try #require(status == 0, "posix_spawn \(program): \(status)")
    return child
  }

  /// The exit code; 128 + signal for a process that a signal ended. One that does not end is killed, so that a test fails
  /// and does not hang.
  static func wait(for child: pid_t, seconds: Int = 120) -> Int32 {
    var status: Int32 = 0
    for _ in 0..<(seconds * 200) {
      if waitpid(child, &status, WNOHANG) != 0 { return code(status) }
      usleep(5000)
    }
    kill(child, SIGKILL)
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return code(status)
  }

  private static func code(_ status: Int32) -> Int32 {
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  /// The test's own environment without what would choose kernels.
  private static let inherited: [String] = {
    var entries: [String] = []
    var at = environ
    while let entry = at.pointee {
      let text = String(cString: entry)
      if !text.hasPrefix("MERIDIAN_") { entries.append(text) }
      at += 1
    }
    return entries
  }()
}

/// A folder of its own, removed with everything in it.
final class Scratch: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/meridian-tests-XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    path = String(cString: try #require(made))
  }

  deinit {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { remove(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  }

  /// The names in the folder.
  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = try #require(fopen(path + "/" + name, "w"))
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
    return path + "/" + name
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

  func read(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

  func bytes(_ name: String) throws -> [UInt8] {
    let file = try #require(fopen(path + "/" + name, "r"), "\(name) cannot be opened")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}
