// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A host as C callers hold it, with the strings that it has handed out.
final class SessionHandle: Sendable {
  let host: Host
  private let strings = Guarded(StringPool())

  init(_ host: Host) { self.host = host }

  /// The string as a C string that lives as long as the session.
  func keep(_ string: String) -> UnsafePointer<CChar> { strings.withLock { $0.keep(string) } }
}

@c @implementation
public func mrd_session_create(
  _ options: UnsafePointer<mrd_session_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let out = try require(out, "out")
    let host = try Host(try hostOptions(try read(options, "options", zero: mrd_session_options())))
    out.pointee = makeHandle(SessionHandle(host))
  }
}

private func hostOptions(_ raw: mrd_session_options) throws(MeridianError) -> Host.Options {
  var options = Host.Options()
  options.discovers = raw.flags & MRD_SESSION_NO_DISCOVERY == 0
  options.readsEnvironment = raw.flags & MRD_SESSION_NO_ENVIRONMENT == 0
  guard raw.flags & ~(MRD_SESSION_NO_DISCOVERY | MRD_SESSION_NO_ENVIRONMENT) == 0 else {
    throw MeridianError(.unsupported, "options.flags has bits that this version does not know")
  }
  if raw.n_paths > 0 {
    guard let paths = raw.paths else { throw MeridianError(.argument, "options.paths is NULL") }
    for index in 0..<Int(raw.n_paths) {
      guard let path = paths[index] else { throw MeridianError(.argument, "options.paths has a NULL") }
      options.paths.append(String(cString: path))
    }
  }
  options.threads = Int(raw.threads)
  options.cpuLevel = raw.cpu_level.map { String(cString: $0) }
  options.configFile = raw.config_file.map { String(cString: $0) }
  if let log = raw.log {
    nonisolated(unsafe) let context = raw.log_context
    options.log = { level, message in message.withCString { log(context, level, $0) } }
  }
  return options
}

@c @implementation
public func mrd_session_release(_ session: OpaquePointer?) { releaseHandle(session, as: SessionHandle.self) }

@c @implementation
public func mrd_session_register(
  _ session: OpaquePointer?, _ plugin: UnsafePointer<mrd_plugin>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    try require(session, "session", as: SessionHandle.self).host.register(try require(plugin, "plugin"))
  }
}

@c @implementation
public func mrd_session_use(
  _ session: OpaquePointer?, _ rules: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    try require(session, "session", as: SessionHandle.self).host.use(String(cString: try require(rules, "rules")))
  }
}

@c @implementation
public func mrd_session_observe(
  _ session: OpaquePointer?, _ observer: UnsafePointer<mrd_observer>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let session = try require(session, "session", as: SessionHandle.self)
    session.host.observe(try read(try require(observer, "observer"), "observer", zero: mrd_observer()))
  }
}

// MARK: - Kernels

@c @implementation
public func mrd_session_kernel_count(_ session: OpaquePointer?) -> Int64 {
  guard let session else { return 0 }
  return Int64(object(session, as: SessionHandle.self).host.kernels.count)
}

/// Kernel number `index` of a session, nil when there is none.
private func kernel(_ session: SessionHandle, _ index: Int64) -> Kernel? {
  let kernels = session.host.kernels
  return index >= 0 && index < Int64(kernels.count) ? kernels[Int(index)] : nil
}

@c @implementation
public func mrd_session_kernel(
  _ session: OpaquePointer?, _ index: Int64, _ out: UnsafeMutablePointer<mrd_kernel>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let session = try require(session, "session", as: SessionHandle.self)
    let out = try require(out, "out")
    guard let kernel = kernel(session, index) else { throw MeridianError(.argument, "there is no such kernel") }
    try fill(
      out,
      with: mrd_kernel(
        struct_size: 0, operations: UInt32(kernel.operations.count), id: session.keep(kernel.id),
        short_id: session.keep(kernel.shortID), name: session.keep(kernel.name), version: session.keep(kernel.version),
        license: session.keep(kernel.license), manifest: session.keep(kernel.manifest),
        library: session.keep(kernel.library), cpu_level: session.keep(kernel.cpuLevel),
        loaded: kernel.isLoaded ? 1 : 0, pad0: 0))
  }
}

@c @implementation
public func mrd_session_kernel_operation(
  _ session: OpaquePointer?, _ kernelIndex: Int64, _ index: UInt32
) -> UnsafePointer<CChar>? {
  guard let session else { return nil }
  let handle = object(session, as: SessionHandle.self)
  guard let kernel = kernel(handle, kernelIndex), Int(index) < kernel.operations.count else { return nil }
  return handle.keep(kernel.operations[Int(index)])
}

@c @implementation
public func mrd_session_kernel_info(
  _ session: OpaquePointer?, _ kernelIndex: Int64, _ operation: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> UnsafePointer<mrd_op_info>? {
  var info: UnsafePointer<mrd_op_info>?
  _ = report(to: error) { () throws(MeridianError) in
    let session = try require(session, "session", as: SessionHandle.self)
    let name = String(cString: try require(operation, "operation"))
    guard let kernel = kernel(session, kernelIndex) else { throw MeridianError(.argument, "there is no such kernel") }
    guard let operation = Operation.all.first(where: { $0.fullName == name }) else {
      throw MeridianError(.argument, "there is no operation '\(name)'")
    }
    info = try session.host.info(kernel: kernel.id, operation: operation)
  }
  return info
}

// MARK: - Diagnostics

@c @implementation
public func mrd_session_diagnostic_count(_ session: OpaquePointer?) -> Int64 {
  guard let session else { return 0 }
  return Int64(object(session, as: SessionHandle.self).host.diagnostics.count)
}

@c @implementation
public func mrd_session_diagnostic(
  _ session: OpaquePointer?, _ index: Int64, _ out: UnsafeMutablePointer<mrd_diagnostic>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let session = try require(session, "session", as: SessionHandle.self)
    let out = try require(out, "out")
    let diagnostics = session.host.diagnostics
    guard index >= 0, index < Int64(diagnostics.count) else {
      throw MeridianError(.argument, "there is no such diagnostic")
    }
    let diagnostic = diagnostics[Int(index)]
    try fill(
      out,
      with: mrd_diagnostic(
        struct_size: 0, reason: diagnostic.reason.rawValue, path: session.keep(diagnostic.path),
        message: session.keep(diagnostic.message)))
  }
}
