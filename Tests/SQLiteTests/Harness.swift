// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI

/// A failed call: status, row and words.
struct CallError: Error {
  let status: Int32
  let item: Int64
  let message: String
}

/// A box of the tests.
struct TestBox: Equatable {
  var xmin: Double
  var ymin: Double
  var xmax: Double
  var ymax: Double
  init(_ xmin: Double, _ ymin: Double, _ xmax: Double, _ ymax: Double) {
    (self.xmin, self.ymin, self.xmax, self.ymax) = (xmin, ymin, xmax, ymax)
  }
}

/// Memory of one call, as a host gives it.
final class CallMemory {
  var buffers: [UInt32: (pointer: UnsafeMutableRawPointer, count: Int)] = [:]
  /// The k-th request from now on gets no memory; -1 = all get it.
  var failAt = -1
  deinit { for buffer in buffers.values { free(buffer.pointer) } }

  func grow(_ number: UInt32, _ bytes: Int) -> UnsafeMutableRawPointer? {
    if failAt == 0 { return nil }
    if failAt > 0 { failAt -= 1 }
    let old = buffers[number]
    var fresh: UnsafeMutableRawPointer?
    guard posix_memalign(&fresh, 64, max(bytes, 64)) == 0, let fresh else { return nil }
    if let old {
      memcpy(fresh, old.pointer, min(old.count, bytes))
      free(old.pointer)
    }
    buffers[number] = (fresh, bytes)
    return fresh
  }

  func values<T>(_ number: UInt32, _ type: T.Type) -> [T] {
    guard let buffer = buffers[number] else { return [] }
    let typed = buffer.pointer.assumingMemoryBound(to: T.self)
    return Array(UnsafeBufferPointer(start: typed, count: buffer.count / MemoryLayout<T>.stride))
  }
}

/// The SQLite kernel, loaded as a host loads it.
struct Kernel: @unchecked Sendable {
  let plugin: UnsafePointer<mrd_plugin>
  let family: mrd_family_index

  static let shared = Kernel()

  private init() {
    let folder = Bundle.main.bundlePath
    let path = [folder, (folder as NSString).deletingLastPathComponent].map { $0 + "/libMeridianSQLite.so" }
      .first { FileManager.default.fileExists(atPath: $0) }
    guard let path, let library = dlopen(path, RTLD_NOW | RTLD_LOCAL),
      let symbol = dlsym(library, "mrd_plugin_entry_v1")
    else { fatalError("libMeridianSQLite.so cannot be loaded: \(dlerror().map { String(cString: $0) } ?? folder)") }
    typealias Entry =
      @convention(c) (UnsafePointer<mrd_host>?, UnsafeMutablePointer<mrd_error>?) -> UnsafePointer<
        mrd_plugin
      >?
    let entry = unsafeBitCast(symbol, to: Entry.self)
    var host = mrd_host()
    host.struct_size = UInt32(MemoryLayout<mrd_host>.size)
    host.abi_min = MRD_ABI_VERSION
    host.abi_max = MRD_ABI_VERSION
    guard let plugin = entry(&host, nil), let table = plugin.pointee.get_family?(MRD_FAMILY_INDEX) else {
      fatalError("the plug-in refused this host or lacks the index family")
    }
    self.plugin = plugin
    family = table.load(as: mrd_family_index.self)
  }
}

/// Runs one call; `cancelled` sets the cancel word before it starts.
func call(
  _ memory: CallMemory = CallMemory(), rows: Int = 0, cancelled: Bool = false,
  _ body: (UnsafeMutablePointer<mrd_call>) -> Int32
) throws -> (memory: CallMemory, statuses: [Int32]) {
  var cancel: UInt32 = cancelled ? 1 : 0
  var error = mrd_error()
  error.struct_size = UInt32(MemoryLayout<mrd_error>.size)
  var statuses = [Int32](repeating: 0, count: max(rows, 1))
  let status = withUnsafePointer(to: &cancel) { cancelWord in
    withUnsafeMutablePointer(to: &error) { errorRecord in
      statuses.withUnsafeMutableBufferPointer { statuses in
        var call = mrd_call()
        call.struct_size = UInt32(MemoryLayout<mrd_call>.size)
        call.thread_budget = 1
        call.cancel = cancelWord
        call.host = Unmanaged.passUnretained(memory).toOpaque()
        call.grow = { call, buffer, bytes in
          guard let host = call?.pointee.host else { return nil }
          return Unmanaged<CallMemory>.fromOpaque(host).takeUnretainedValue().grow(buffer, Int(bytes))
        }
        call.scratch = { _, _, _ in nil }
        call.item_status = statuses.baseAddress
        call.error = errorRecord
        return body(&call)
      }
    }
  }
  if status != MRD_OK {
    let message = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    throw CallError(status: status, item: error.item, message: message)
  }
  return (memory, statuses)
}

/// Boxes as the ABI takes them, interleaved.
func withBoxes<R>(
  _ boxes: [TestBox], edges: Int32 = MRD_EDGES_PLANAR, metric: Int32 = MRD_METRIC_COORD,
  _ body: (UnsafePointer<mrd_boxes>) throws -> R
) rethrows -> R {
  var model = mrd_model()
  model.struct_size = UInt32(MemoryLayout<mrd_model>.size)
  model.edges = edges
  model.metric = metric
  model.semi_major = 6_378_137
  let flat = boxes.flatMap { [$0.xmin, $0.ymin, $0.xmax, $0.ymax] }
  return try flat.withUnsafeBufferPointer { values in
    try withUnsafePointer(to: &model) { model in
      var array = mrd_boxes()
      array.struct_size = UInt32(MemoryLayout<mrd_boxes>.size)
      array.length = Int64(boxes.count)
      if let base = values.baseAddress { array.v = (base, base + 1, base + 2, base + 3) }
      array.stride = (32, 32, 32, 32)
      array.model = model
      return try body(&array)
    }
  }
}

/// A handle and the calls on it.
final class TestIndex {
  let handle: OpaquePointer
  let edges: Int32
  private let kernel = Kernel.shared.family
  /// Bytes that an opened handle borrows.
  private let borrowed: UnsafeMutableRawPointer?

  private init(_ handle: OpaquePointer?, edges: Int32, borrowed: UnsafeMutableRawPointer? = nil) throws {
    guard let handle else { throw CallError(status: -1, item: -1, message: "no handle") }
    self.handle = handle
    self.edges = edges
    self.borrowed = borrowed
  }
  deinit {
    kernel.release(handle)
    free(borrowed)
  }

  convenience init(_ boxes: [TestBox], edges: Int32 = MRD_EDGES_PLANAR, path: String? = nil, cancelled: Bool = false)
    throws
  {
    var handle: OpaquePointer?
    let text = path.flatMap { strdup($0) }
    defer { free(text) }
    var options = mrd_index_options()
    options.struct_size = UInt32(MemoryLayout<mrd_index_options>.size)
    options.path = UnsafePointer(text)
    try withBoxes(boxes, edges: edges) { array in
      _ = try call(cancelled: cancelled) { Kernel.shared.family.build(array, &options, &handle, $0) }
    }
    try self.init(handle, edges: edges)
  }

  static func open(file: String, readOnly: Bool = false, edges: Int32 = MRD_EDGES_PLANAR) throws -> TestIndex {
    var handle: OpaquePointer?
    var options = mrd_index_options()
    options.struct_size = UInt32(MemoryLayout<mrd_index_options>.size)
    options.flags = readOnly ? MRD_INDEX_READ_ONLY : 0
    _ = try call { Kernel.shared.family.open_file(file, &options, &handle, $0) }
    return try TestIndex(handle, edges: edges)
  }

  static func open(bytes: [UInt8], edges: Int32 = MRD_EDGES_PLANAR) throws -> TestIndex {
    // Exactly as long as the bytes, so that a sanitizer sees every read behind them.
    var memory: UnsafeMutableRawPointer?
    guard posix_memalign(&memory, 8, max(bytes.count, 1)) == 0, let memory else {
      throw CallError(status: -1, item: -1, message: "no memory")
    }
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    var handle: OpaquePointer?
    do {
      _ = try call { Kernel.shared.family.open(memory, Int64(bytes.count), &handle, $0) }
    } catch {
      free(memory)
      throw error
    }
    return try TestIndex(handle, edges: edges, borrowed: memory)
  }

  func facts() throws -> mrd_index_facts {
    var facts = mrd_index_facts()
    facts.struct_size = UInt32(MemoryLayout<mrd_index_facts>.size)
    let status = kernel.facts(handle, &facts, nil)
    guard status == MRD_OK else { throw CallError(status: status, item: -1, message: "facts") }
    return facts
  }

  struct WindowAnswer {
    var ids: [[Int64]]
    var statuses: [Int32]
  }

  func window(
    _ windows: [TestBox], mode: Int32 = MRD_WINDOW_IDS, limit: Int64 = 0, edges: Int32? = nil, cancelled: Bool = false
  ) throws -> WindowAnswer {
    var options = mrd_window_options()
    options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    options.mode = mode
    options.limit = limit
    options.flags = MRD_WINDOW_ASCENDING
    return try withBoxes(windows, edges: edges ?? self.edges) { array in
      let (memory, statuses) = try call(rows: windows.count, cancelled: cancelled) {
        kernel.window(handle, array, &options, $0)
      }
      let ids = memory.values(MRD_BUF_IDS, Int64.self)
      if mode != MRD_WINDOW_IDS { return WindowAnswer(ids: ids.map { [$0] }, statuses: statuses) }
      return WindowAnswer(ids: split(ids, memory.values(MRD_BUF_ROWS, Int64.self)), statuses: statuses)
    }
  }

  /// (distance, id) of each query.
  func nearest(
    _ queries: [TestBox], k: Int64, ties: Int32 = MRD_TIES_LOWEST_ID, maximum: Double = 0, exclude: [Int64]? = nil,
    metric: Int32 = MRD_METRIC_COORD
  ) throws -> [[(Double, Int64)]] {
    var options = mrd_nearest_options()
    options.struct_size = UInt32(MemoryLayout<mrd_nearest_options>.size)
    options.k = k
    options.ties = ties
    options.max_distance_coord = maximum
    return try withBoxes(queries, edges: edges, metric: metric) { array in
      try (exclude ?? []).withUnsafeBufferPointer { excluded in
        options.exclude = exclude == nil ? nil : excluded.baseAddress
        let (memory, _) = try call(rows: queries.count) { kernel.nearest(handle, array, &options, $0) }
        let rows = memory.values(MRD_BUF_ROWS, Int64.self)
        let ids = split(memory.values(MRD_BUF_IDS, Int64.self), rows)
        let distances = split(memory.values(MRD_BUF_VALUES, Double.self), rows)
        return zip(distances, ids).map { Array(zip($0, $1)) }
      }
    }
  }

  func join(_ other: TestIndex? = nil) throws -> [[Int64]] {
    let (memory, _) = try call { kernel.join(handle, other?.handle, $0) }
    let ids = memory.values(MRD_BUF_IDS, Int64.self)
    return stride(from: 0, to: ids.count - 1, by: 2).map { [ids[$0], ids[$0 + 1]] }
  }

  func insert(_ boxes: [TestBox], ids: [Int64]? = nil) throws {
    try withBoxes(boxes, edges: edges) { array in
      _ = try (ids ?? []).withUnsafeBufferPointer { list in
        try call { kernel.insert(handle, array, ids == nil ? nil : list.baseAddress, $0) }
      }
    }
  }

  func remove(_ ids: [Int64]) throws -> Int64 {
    var removed: Int64 = -1
    _ = try call { kernel.remove(handle, ids, Int64(ids.count), &removed, $0) }
    return removed
  }

  func save() throws -> [UInt8] { try call { kernel.save(handle, $0) }.memory.values(MRD_BUF_BYTES, UInt8.self) }
}

private func split<T>(_ values: [T], _ rows: [Int64]) -> [[T]] {
  zip(rows, rows.dropFirst()).map { Array(values[Int($0)..<Int($1)]) }
}

/// SplitMix64: a seed in a failure message repeats the test.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// A folder of its own for a test, removed with it.
final class TemporaryFolder {
  let path: String
  init() {
    path = NSTemporaryDirectory() + "/meridian-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  func file(_ name: String) -> String { path + "/" + name }
}
