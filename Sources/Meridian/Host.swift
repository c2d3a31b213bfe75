// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

/// Finds, loads and chooses kernels: a session of the C host ABI.
///
/// Any number of threads may use one host. `use` and `register` are seen by calls that begin later.
public final class Host: Sendable {
  /// What discovery may look at, and how calls run. The members of `mrd_session_options`.
  public struct Options: Sendable {
    /// Absolute directories or manifest files that are searched before all others.
    public var paths: [String] = []
    /// False: only `paths` and registered tables; no environment, no directories.
    public var discovers = true
    /// False: the MERIDIAN_* variables are not read.
    public var readsEnvironment = true
    /// Workers; 0 = one a core.
    public var threads = 0
    /// "baseline", "x86-64-v3", "x86-64-v4", "arm64": forces a level; nil = the best that the machine has.
    public var cpuLevel: String?
    /// A file of rules, one a line, in the syntax of `use`; nil = $XDG_CONFIG_HOME/meridian/config when it exists.
    public var configFile: String?
    /// A file of lines `sha256  library-file-name`: only these libraries are loaded. nil = MERIDIAN_PIN_FILE, or none.
    public var pinFile: String?
    /// Lines of log from the host and from kernels (`MRD_LOG_*`). Runs on any thread.
    public var log: (@Sendable (_ level: Int32, _ message: String) -> Void)?
    /// Memory that is lent to kernels stands between guards, and a write past its end is the error INTERNAL. Costs a
    /// copy of the fixed-width results; on in debug builds.
    public var checksKernels = Self.isDebugBuild
    /// Coordinates and rows of a chunk; tests make it small.
    var chunkSize = Chunks.size

    #if DEBUG
      private static let isDebugBuild = true
    #else
      private static let isDebugBuild = false
    #endif

    public init() {}
  }

  private struct State {
    /// In the default order of preference.
    var kernels: [KnownKernel] = []
    var diagnostics: [Diagnostic] = []
    var rules = Rules()
    var observers: [mrd_observer] = []
  }

  /// The CPU levels that libraries can be built for, whatever this machine runs.
  public static var cpuLevels: [String] { Machine.knownLevels }

  private let options: Options
  private let state: Guarded<State>
  /// One library is loaded at a time, so that nobody loads it twice; the state stays readable meanwhile.
  private let loading = Lock()
  private let trust: Trust
  private let pins: PinFile?
  /// Rules that were there before the session's own: of the environment, of the configuration file.
  private let standingRules: [RuleSource]
  /// Workers that calls may use, at least 1.
  public let threads: Int
  /// The workers. Idle until a call has several chunks.
  let pool: WorkerPool

  /// Finds kernels and loads none. Damaged or refused plug-ins are `diagnostics`, not errors; malformed options, rules
  /// of the environment or of a configuration file are errors.
  public convenience init(_ options: Options = Options()) throws(MeridianError) {
    try self.init(options, in: .current)
  }

  convenience init(_ options: Options, in surroundings: Surroundings) throws(MeridianError) {
    let settings = Settings(options, surroundings)
    let trust = Trust(user: surroundings.user)
    let pins = try settings.pinFile(trust)
    var diagnostics: [Diagnostic] = []
    let standingRules = try settings.standingRules(noting: &diagnostics)
    var discovery = Discovery(user: surroundings.user, machine: try settings.machine(), diagnostics)
    discovery.search(SearchPath(options, surroundings))
    self.init(options, trust, pins, standingRules, discovery)
  }

  private init(
    _ options: Options, _ trust: Trust, _ pins: PinFile?, _ standingRules: [RuleSource], _ discovery: Discovery
  ) {
    self.options = options
    threads = options.threads > 0 ? min(options.threads, 1024) : Int(mrdp_core_count())
    self.trust = trust
    self.pins = pins
    self.standingRules = standingRules
    state = Guarded(State(kernels: discovery.kernels.map { KnownKernel($0) }, diagnostics: discovery.diagnostics))
    pool = WorkerPool(threads: threads)
  }

  /// Kernels in the default order of preference.
  public var kernels: [Kernel] { state.current.kernels.map { $0.kernel } }

  /// The kernel that an id or a short id names, as rules name it.
  /// - Throws: `notFound`; `argument` for a short id of several kernels.
  package func kernel(named name: String) throws(MeridianError) -> Kernel {
    try state.current.kernels.resolve(name).kernel
  }

  /// Every path that discovery or loading looked at, in order. Grows when kernels are loaded.
  public var diagnostics: [Diagnostic] { state.current.diagnostics }

  /// Chooses kernels for later calls. The syntax is that of `mrd_session_use`:
  ///
  ///     family[.operation]=id
  ///     require family[.operation] error<=1e-6 relative, exact, deterministic, all-problems, edges=geodesic
  ///     prefer fastest | accurate | id,id,...
  public func use(_ rules: String) throws(MeridianError) {
    let parsed = try RuleParser.parse(rules)
    try state.withLock { (state: inout State) throws(MeridianError) in
      try state.kernels.checkNames(in: parsed)
      state.rules.append(parsed)
    }
  }

  /// What each naming and each requirement of a text of rules is about, for a program that knows what it will ask for.
  package static func scopes(of rules: String) throws(MeridianError) -> [RuleScope] {
    let parsed = try RuleParser.parse(rules)
    return parsed.names.map { RuleScope(rule: $0.text, scope: $0.scope) }
      + parsed.requirements.map { RuleScope(rule: $0.text, scope: $0.scope) }
  }

  /// Adds a plug-in from a static table, before all that discovery found. The table lives as long as the process.
  public func register(_ plugin: UnsafePointer<mrd_plugin>) throws(MeridianError) {
    let loaded: LoadedPlugin
    do {
      loaded = try Loader.admit(plugin, expectedID: nil)
    } catch {
      note(Diagnostic(error.reason, "", "static table: " + error.message))
      throw MeridianError(error.reason == .wrongABI ? .abi : .argument, "register: " + error.message)
    }
    let known = KnownKernel(Kernel(registered: loaded), state: .loaded(loaded))
    try state.withLock { (state: inout State) throws(MeridianError) in
      try state.kernels.insert(known, noting: &state.diagnostics)
    }
  }

  /// Adds an observer for all later calls; its `context` must live as long as the host.
  public func observe(_ observer: mrd_observer) { state.withLock { $0.observers.append(observer) } }

  /// The first declaration of an operation by a kernel; loads its library. It lives as long as the process.
  /// - Parameter kernel: id or short id.
  public func info(kernel: String, operation: Operation) throws(MeridianError) -> UnsafePointer<mrd_op_info> {
    try declarations(kernel: kernel, operation: operation)[0]
  }

  /// All declarations of an operation by a kernel, each for some types and models, at least one; loads its library. They
  /// live as long as the process.
  /// - Parameter kernel: id or short id.
  public func declarations(
    kernel: String, operation: Operation
  ) throws(MeridianError) -> [UnsafePointer<mrd_op_info>] {
    let known = try state.current.kernels.resolve(kernel)
    switch load(known) {
    case .loaded(let plugin):
      let declarations = plugin.declarations(of: operation)
      if !declarations.isEmpty { return declarations }
      throw MeridianError(.notFound, "\(known.kernel.shortID) does not offer \(operation.fullName)")
    case .failed(let failure): throw MeridianError(.notFound, "\(known.kernel.shortID): \(failure.message)")
    case .untouched: throw MeridianError(.internalError, "\(known.kernel.shortID) was not loaded")
    }
  }

  // MARK: - For dispatch

  var checksKernels: Bool { options.checksKernels }
  var chunkSize: Int { max(1, options.chunkSize) }

  /// The observers that a call which begins now reports to.
  var observers: [mrd_observer] { state.current.observers }

  /// The kernel that answers a call, and why.
  /// - Parameters:
  ///   - rules: rules of this call only.
  ///   - ignoringAll: no rule counts, neither those of the call nor others.
  func choose(
    _ operation: Operation, for shape: CallShape, rules: String?, ignoringAll: Bool = false
  ) throws(MeridianError) -> Choice {
    let now = state.current
    guard !ignoringAll else {
      return try Selector(kernels: now.kernels, sources: [], operation: operation, shape: shape).choose(load: load)
    }
    var sources: [RuleSource] = []
    if let rules {
      let parsed = try RuleParser.parse(rules)
      try now.kernels.checkNames(in: parsed)
      sources.append(RuleSource(rules: parsed, place: ""))
    }
    sources.append(RuleSource(rules: now.rules, place: ""))
    sources += standingRules
    let selector = Selector(kernels: now.kernels, sources: sources, operation: operation, shape: shape)
    return try selector.choose(load: load)
  }

  /// A line for whoever listens.
  func log(_ level: Int32, _ message: String) { options.log?(level, message) }

  // MARK: - Loading

  /// Brings a kernel into the process unless that was tried before. A failure is noted once and kept.
  private func load(_ known: KnownKernel) -> KnownKernel.State {
    if case .untouched = known.state {} else { return known.state }
    let (state, news) = loading.withLock { () -> (KnownKernel.State, Diagnostic?) in
      // Another thread may have loaded it while this one waited.
      let now = self.state.current.kernels.first { $0.kernel.id == known.kernel.id } ?? known
      if case .untouched = now.state {} else { return (now.state, nil) }
      return publish(open(known.kernel), of: known.kernel)
    }
    // Outside of the lock: whoever listens may call back and have another kernel loaded.
    if let news { log(news) }
    return state
  }

  private func open(_ kernel: Kernel) -> KnownKernel.State {
    do {
      return .loaded(try Loader.open(kernel, trust: trust, pins: pins))
    } catch {
      return .failed(error)
    }
  }

  /// Keeps what came of loading a kernel, with its diagnostic.
  private func publish(_ outcome: KnownKernel.State, of kernel: Kernel) -> (KnownKernel.State, Diagnostic?) {
    let news: Diagnostic?
    switch outcome {
    case .untouched: news = nil
    case .loaded(let plugin):
      let build = plugin.plugin.pointee.build.map { ", " + String(cString: $0) } ?? ""
      news = Diagnostic(.accepted, kernel.library, "loaded \(kernel.id)\(build)")
    case .failed(let failure):
      let needs = kernel.requires.isEmpty ? "" : " (it requires \(kernel.requires))"
      news = Diagnostic(failure.reason, kernel.library, failure.message + needs)
    }
    state.withLock {
      $0.kernels.setState(outcome, of: kernel.id)
      if let news { $0.diagnostics.append(news) }
    }
    return (outcome, news)
  }

  private func note(_ diagnostic: Diagnostic) {
    state.withLock { $0.diagnostics.append(diagnostic) }
    log(diagnostic)
  }

  private func log(_ diagnostic: Diagnostic) {
    if diagnostic.reason != .accepted { log(MRD_LOG_WARNING, "\(diagnostic.path): \(diagnostic.message)") }
  }
}
