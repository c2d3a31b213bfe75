// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

@testable import Meridian

@Suite struct ChoiceTests {
  let host: Host

  init() throws {
    host = try Host(searching: [])
    // beta is registered first, so it is preferred where nothing else is said.
    try host.register(FakePlugin.beta)
    try host.register(FakePlugin.alpha)
    try host.register(FakePlugin.gamma)
  }

  private func operation(_ name: String) throws -> Meridian.Operation {
    try #require(Operation.all.first { $0.fullName == name })
  }

  /// "beta: reason", or the error.
  private func choice(
    _ name: String, _ rules: String? = nil, type: GeometryType? = .polygon, model: GeometryModel = .planar,
    dialect: Int32? = nil
  ) throws -> String {
    let shape = CallShape(type: type, dimensions: .xy, model: model, dialect: dialect)
    do {
      let choice = try host.choose(try operation(name), for: shape, rules: rules)
      return "\(Kernel.shortID(of: choice.plugin.id)): \(choice.reason)"
    } catch let error as MeridianError {
      return "error \(error.status.rawValue): \(error.message)"
    }
  }

  @Test func theFirstThatServesTheCallIsPreferred() throws {
    #expect(try choice("measure.length") == "beta: by default")
    #expect(try choice("measure.bounds") == "gamma: by default")
    #expect(try choice("measure.area", type: .multiPolygon) == "alpha: by default")
  }

  @Test func aKernelMayDeclareAnOperationMoreThanOnce() throws {
    let sphere = GeometryModel(
      edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, semiMajor: 6_371_008.8, flattening: 0)
    #expect(try choice("measure.area", type: .multiPolygon, model: sphere) == "alpha: by default")
    // The bound of the declaration that fits the call is the one that counts.
    let rules = "require measure.area error<=1e-9 relative"
    #expect(try choice("measure.area", rules, type: .multiPolygon, model: sphere).hasPrefix("error"))
    // Edges of the one with the metric of the other: neither declaration serves that.
    let mixed = GeometryModel(
      edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_COORD, semiMajor: 6_371_008.8, flattening: 0)
    let refusal = try choice("measure.area", "measure.area=alpha", type: .multiPolygon, model: mixed)
    #expect(
      refusal.contains("does not take great_circle edges, or does not measure in the coordinate metric"), "\(refusal)")
  }

  @Test func byName() throws {
    #expect(try choice("measure.length", "measure.length=alpha") == "alpha: named by measure.length=alpha")
    #expect(try choice("measure.length", "measure=test.alpha") == "alpha: named by measure=test.alpha")
    #expect(
      try choice("measure.length", "measure.length = beta; measure=alpha") == "beta: named by measure.length=beta")
    #expect(try choice("measure.length", "measure=beta\nmeasure=alpha") == "alpha: named by measure=alpha")
  }

  @Test func callRulesComeBeforeTheSession() throws {
    try host.use("measure.length=alpha")
    #expect(try choice("measure.length") == "alpha: named by measure.length=alpha")
    #expect(try choice("measure.length", "measure=beta") == "beta: named by measure=beta")
    try host.use("# a comment\nmeasure.length=beta")
    #expect(try choice("measure.length") == "beta: named by measure.length=beta")
  }

  @Test func aNamedFamilyFallsBackAndSaysSo() throws {
    #expect(try choice("measure.bounds", "measure=beta") == "gamma: fallback: beta does not offer measure.bounds")
    #expect(
      try choice("measure.area", "measure=alpha", model: .wgs84)
        == "beta: fallback: alpha does not take geodesic edges")
  }

  @Test func aNamedOperationDoesNotFallBack() throws {
    let message = try choice("measure.bounds", "measure.bounds=beta")
    #expect(message.hasPrefix("error \(MRD_E_NOT_FOUND): measure.bounds=beta: beta does not offer measure.bounds"))
    #expect(message.contains("alpha does not offer measure.bounds; gamma would do"))
    #expect(
      try choice("measure.area", "measure.area=alpha", model: .wgs84)
        .hasPrefix("error \(MRD_E_UNSUPPORTED): measure.area=alpha: alpha does not take geodesic edges"))
  }

  @Test func nobodyServesTheCall() throws {
    let message = try choice("measure.area", type: .multiPolygon, model: .wgs84)
    #expect(
      message == "error \(MRD_E_UNSUPPORTED): no kernel for measure.area: beta does not take MultiPolygons; "
        + "alpha does not take geodesic edges; gamma does not offer measure.area")
    #expect(try choice("snap.grid").hasPrefix("error \(MRD_E_NOT_FOUND): no kernel for snap.grid: beta does not offer"))
    let empty = try Host(searching: [])
    let shape = CallShape(type: nil, dimensions: nil, model: .planar, dialect: nil)
    let error = #expect(throws: MeridianError.self) {
      _ = try empty.choose(try operation("measure.area"), for: shape, rules: nil)
    }
    #expect(error?.status == .notFound)
    #expect(error?.message == "no kernel for measure.area: no kernel was found")
  }

  @Test(arguments: [
    ("error<=1e-6 relative", "beta"), ("error<=1e-6 m", "beta"), ("error<=1e-2 m", "alpha"),
    ("error<=1e-2 absolute", "alpha"), ("exact", "beta"), ("exact, deterministic", "beta"), ("deterministic", "alpha"),
    ("edges=geodesic", "alpha"),
  ])
  func byRequirement(_ requirement: String, _ kernel: String) throws {
    let answer = try choice("measure.length", "prefer alpha; require measure.length \(requirement)", model: .wgs84)
    // alpha is preferred and declares 1 mm; its relative part is 0, so it meets any relative bound.
    let expected = requirement == "error<=1e-6 relative" ? "alpha" : kernel
    #expect(answer.hasPrefix(expected + ": "), "\(requirement): \(answer)")
  }

  @Test func ulpsCountAsRelative() throws {
    #expect(try choice("measure.area", "measure.area=alpha; require measure error<=1e-14 relative").hasPrefix("alpha"))
    #expect(
      try choice("measure.area", "measure.area=alpha; require measure error<=8e-16 relative")
        .hasPrefix("error \(MRD_E_UNSUPPORTED)"))
    #expect(try choice("measure.area", "measure.area=alpha; require measure error<=4 ulp").hasPrefix("alpha"))
  }

  @Test func unmetRequirementsAreExplained() throws {
    let message = try choice("measure.length", "require measure error<=1e-12 m", model: .wgs84)
    #expect(
      message.hasPrefix("error \(MRD_E_UNSUPPORTED): no kernel for measure.length: beta declares an error of 1e-08 m"))
    #expect(message.contains("not error<=1e-12 m"))
    // An area's metres are square.
    let area = try choice("measure.area", "require measure error<=1e-12 m2", model: .wgs84)
    #expect(area.contains(" m2 + "), "\(area)")
    // No declared bound meets no bound.
    #expect(
      try choice("measure.bounds", "require measure.bounds error<=1 coord")
        .contains("gamma declares no error bound"))
    #expect(
      try choice("validate.valid", "require validate all-problems", dialect: MRD_DIALECT_OGC).hasPrefix("beta: meets"))
  }

  @Test func byPreference() throws {
    #expect(
      try choice("measure.length", "prefer fastest", model: .wgs84) == "alpha: fastest: declares 1.0 ns a coordinate")
    #expect(try choice("measure.length", "prefer accurate", model: .wgs84).hasPrefix("beta: most accurate: declares"))
    #expect(
      try choice("measure.length", "prefer gamma, alpha") == "alpha: fallback: gamma does not offer measure.length")
    #expect(try choice("measure.length", "prefer alpha,beta") == "alpha: preferred")
  }

  @Test func dialectsAndFlattening() throws {
    #expect(try choice("validate.valid", dialect: MRD_DIALECT_OGC) == "beta: by default")
    #expect(try choice("validate.valid", dialect: MRD_DIALECT_ESRI).contains("does not serve the dialect esri"))
    var flat = GeometryModel.wgs84
    flat.flattening = 1.0 / 100
    #expect(try choice("measure.length", model: flat) == "alpha: by default")
    #expect(
      try choice("measure.length", "measure.length=beta", model: flat).contains("declares its error up to a flattening")
    )
  }

  @Test func unknownKernelsListThoseThatAreThere() throws {
    let error = #expect(throws: MeridianError.self) { try host.use("measure=delta") }
    #expect(error?.status == .notFound)
    #expect(error?.message == "there is no kernel 'delta'; there are: beta, alpha, gamma")
    #expect(try choice("measure.area", "prefer delta").hasPrefix("error \(MRD_E_NOT_FOUND)"))
  }

  @Test func declarationsCanBeAskedFor() throws {
    let info = try host.info(kernel: "beta", operation: try operation("measure.area"))
    #expect(info.pointee.error_absolute == 0.1)
    let error = #expect(throws: MeridianError.self) {
      _ = try host.info(kernel: "gamma", operation: try operation("measure.area"))
    }
    #expect(error?.message == "gamma does not offer measure.area")
  }

  @Test func environmentAndConfiguration() throws {
    let tree = TemporaryTree()
    let config = tree.write("config", "# mine\nmeasure.length=alpha\nmeasure.area=alpha\n")
    var options = Host.Options()
    options.configFile = config
    let host = try Host(options, in: .none(["MERIDIAN_KERNEL": "measure.length=beta"]))
    try host.register(FakePlugin.alpha)
    try host.register(FakePlugin.beta)
    let shape = CallShape(type: .polygon, dimensions: .xy, model: .planar, dialect: nil)
    #expect(
      try host.choose(operation("measure.length"), for: shape, rules: nil).reason
        == "named by measure.length=beta in MERIDIAN_KERNEL")
    #expect(
      try host.choose(operation("measure.area"), for: shape, rules: nil).reason
        == "named by measure.area=alpha in \(config)")
    try host.use("measure=alpha")
    #expect(try host.choose(operation("measure.length"), for: shape, rules: nil).plugin.id == "test.alpha")
  }

  @Test func malformedStandingRulesAreErrorsWithTheirPlace() {
    let error = #expect(throws: MeridianError.self) {
      _ = try Host(Host.Options(), in: .none(["MERIDIAN_KERNEL": "measure.aera=geos"]))
    }
    #expect(error?.message.hasPrefix("MERIDIAN_KERNEL: rule 'measure.aera=geos': unknown operation") == true)
    var options = Host.Options()
    options.configFile = "/nonexistent/meridian"
    let missing = #expect(throws: MeridianError.self) { _ = try Host(options, in: .none()) }
    #expect(missing?.status == .io)
  }
}
