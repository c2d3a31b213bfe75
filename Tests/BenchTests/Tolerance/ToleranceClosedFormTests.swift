// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import TestSupport
import Testing

@testable import MeridianBench

/// The sweep against probabilities that are known in closed form, through the kernel that is built. All draws have one
/// seed, so a result is the same in each run; the bounds are five standard errors.
@Suite(.enabled(if: BuiltKernels.has("native", "snap.query"), "no kernel offers snap.query"))
struct ToleranceClosedFormTests {
  static let count = 20_000
  static let sigma = 3.0

  private func host() throws -> Host {
    var options = Host.Options()
    options.paths = [BuiltKernels.path]
    options.discovers = false
    options.checksKernels = false
    return try Host(options)
  }

  private func plan(_ kinds: [SnapKind], _ tolerances: [Double], falseShare: Double = 0) -> TolerancePlan {
    var plan = TolerancePlan(kernel: "native", scale: ScreenScale(metresPerPoint: 0.5))
    plan.pointer = PointerModel(
      name: "normal", biasX: Reach(0, .metres), biasY: Reach(0, .metres), sigmaX: Reach(Self.sigma, .metres),
      sigmaY: Reach(Self.sigma, .metres))
    plan.tolerances = tolerances.map { Reach($0, .metres) }
    plan.kinds = kinds
    plan.count = Self.count
    plan.falseShare = falseShare
    return plan
  }

  private func lines(_ lines: [[(Double, Double)]], _ type: GeometryType = .lineString) throws -> GeometrySet {
    var builder = GeometryBuilder()
    for line in lines {
      try builder.begin(type, .xy)
      for (x, y) in line { builder.add(x, y) }
      try builder.end()
    }
    return try builder.finish()
  }

  private func expectShare(_ found: Double, _ exact: Double, of count: Int, _ note: String) {
    let error = (exact * (1 - exact) / Double(count)).squareRoot()
    #expect(abs(found - exact) <= 5 * error + 1 / Double(count), "\(note): found \(found), exact \(exact)")
  }

  private func expectNear(_ found: Double, _ exact: Double, _ margin: Double, _ note: String) {
    #expect(abs(found - exact) < margin, "\(note): found \(found), exact \(exact)")
  }

  /// A vertex that nothing is near to: 1 - exp(-T^2 / 2 sigma^2), and what snaps is right.
  @Test func anIsolatedVertex() throws {
    let sweep = try ToleranceSweep(
      host: try host(), targets: try lines([[(10, 20)]], .point),
      plan: plan([.endPoint, .vertex], [1, 2, 3, 5, 8, 12]))
    for step in try sweep.run(measuresLatency: false).steps {
      let exact = 1 - exp(-step.metres * step.metres / (2 * Self.sigma * Self.sigma))
      expectShare(step.snapped, exact, of: Self.count, "T = \(step.metres)")
      #expect(step.right == step.snapped)
      #expect(step.displacementLargest <= step.metres)
      #expect(step.ambiguous == 0)
    }
  }

  /// A straight edge far longer than the error: erf(T / (sigma sqrt 2)).
  @Test func aLongStraightEdge() throws {
    let sweep = try ToleranceSweep(
      host: try host(), targets: try lines([[(-1e6, -5e5), (1e6, 5e5)]]), plan: plan([.edge], [1, 2, 3, 5, 8, 12]))
    for step in try sweep.run(measuresLatency: false).steps {
      expectShare(
        step.snapped, erf(step.metres / (Self.sigma * 2.0.squareRoot())), of: Self.count, "T = \(step.metres)")
      #expect(step.right == step.snapped)
    }
  }

  /// Vertices thrown with density lambda beside the one that is meant: 1 - exp(-T^2 (1 / 2 sigma^2 + pi lambda)) snap, of
  /// which 1 / (1 + 2 pi lambda sigma^2) are right whatever T; a position that means none snaps with
  /// 1 - exp(-pi lambda T^2).
  @Test(arguments: [0.002, 0.01, 0.05])
  func verticesOfOneDensity(_ density: Double) throws {
    // The field is far larger than the reach; positions near its rim see less than lambda, and the margin allows for them.
    let side = (40_000 / density).squareRoot()
    var random = SeededRandom(seed: 7, stream: "field")
    let field = (0..<40_000).map { _ in [(random.uniform(0, side), random.uniform(0, side))] }
    let sweep = try ToleranceSweep(
      host: try host(), targets: try lines(field, .point),
      plan: plan([.endPoint, .vertex], [1, 2, 3, 5, 8], falseShare: 0.5))
    let result = try sweep.run(measuresLatency: false)
    let (sigma, lambda) = (Self.sigma, density)
    let right = 1 / (1 + 2 * Double.pi * lambda * sigma * sigma)
    for step in result.steps {
      let t2 = step.metres * step.metres
      let margin = 0.02 + 4 * step.metres / side + 0.005
      let snapped = 1 - exp(-t2 * (0.5 / (sigma * sigma) + Double.pi * lambda))
      let unwanted = 1 - exp(-Double.pi * lambda * t2)
      expectNear(step.snapped, snapped, margin, "snapped at T = \(step.metres)")
      expectNear(step.right / step.snapped, right, 0.03, "right of the snapped at T = \(step.metres)")
      expectNear(step.falseSnaps, unwanted, margin, "false snaps at T = \(step.metres)")
    }
    #expect(result.falseShare == 0.5)
  }

  /// With a bias the share falls; with more sigma on one axis the larger reach is worth more.
  @Test func aBiasCosts() throws {
    var biased = plan([.endPoint, .vertex], [4])
    biased.pointer.biasX = Reach(6, .metres)
    let targets = try lines([[(0, 0)]], .point)
    let straight = try ToleranceSweep(host: try host(), targets: targets, plan: plan([.endPoint, .vertex], [4]))
    let off = try ToleranceSweep(host: try host(), targets: targets, plan: biased)
    #expect(
      try off.run(measuresLatency: false).steps[0].snapped < 0.5 * straight.run(measuresLatency: false).steps[0].snapped
    )
  }

  @Test func theRecommendationBalancesTheCosts() throws {
    var random = SeededRandom(seed: 11, stream: "field")
    let field = try lines((0..<4000).map { _ in [(random.uniform(0, 2000), random.uniform(0, 2000))] }, .point)
    func best(_ falseShare: Double, _ ratio: Double) throws -> Double {
      var plan = plan([.endPoint, .vertex], Array(stride(from: 1.0, through: 20, by: 1)), falseShare: falseShare)
      plan.costRatio = ratio
      let sweep = try ToleranceSweep(host: try host(), targets: field, plan: plan)
      return try #require(try sweep.run(measuresLatency: false).recommendation).metres
    }
    let careful = try best(0.5, 10)
    let eager = try best(0.05, 0.5)
    #expect(careful < eager, "careful \(careful) m, eager \(eager) m")
    #expect((2...20).contains(eager))
  }

  @Test func latencyIsOfSingleCalls() throws {
    let sweep = try ToleranceSweep(
      host: try host(), targets: try lines([[(0, 0), (100, 0)]]), plan: plan([.edge], [3]))
    let latency = try #require(try sweep.run().steps[0].latency)
    #expect(latency.calls == LatencyMeter.leastCalls && latency.p50 > 0)
    #expect(latency.p50 <= latency.p99 && latency.p99 <= latency.p999 && latency.p999 <= latency.largest)
  }

  @Test func badPlansAreRefused() throws {
    let targets = try lines([[(0, 0)]], .point)
    func refuses(_ change: (inout TolerancePlan) -> Void) throws -> Bool {
      var plan = plan([.vertex], [3])
      change(&plan)
      do { _ = try ToleranceSweep(host: try host(), targets: targets, plan: plan) } catch { return true }
      return false
    }
    #expect(try refuses { $0.falseShare = 1 })
    #expect(try refuses { $0.costRatio = 0 })
    #expect(try refuses { $0.tolerances = [] })
    #expect(try refuses { $0.tolerances = [Reach(-1, .metres)] })
    #expect(try refuses { $0.tolerances = [Reach(.leastNonzeroMagnitude, .points)] }, "nothing is left in metres")
    #expect(try refuses { $0.falseShare = 1 - 1e-16 }, "positions without end")
    #expect(try refuses { $0.count = .max })
    #expect(try refuses { ($0.identity, $0.kinds) = (.place, [.vertex, .edge]) }, "edges have a place everywhere")
    #expect(try refuses { $0.scale = ScreenScale(metresPerPoint: .nan) })
    #expect(try refuses { $0.kernel = "geos" })
    #expect(try refuses { $0.kernel = "nobody" })
    #expect(try !refuses { _ in })
  }

  @Test func eachToleranceIsTriedOnceInOrder() throws {
    var plan = plan([.vertex], [8, 2, 8])
    plan.tolerances.append(Reach(10, .points))
    let sweep = try ToleranceSweep(host: try host(), targets: try lines([[(0, 0)]], .point), plan: plan)
    #expect(try sweep.run(measuresLatency: false).steps.map(\.metres) == [2, 5, 8])
  }

  /// Numbers so small that a power of ten has no inverse.
  @Test func tinyTolerancesHaveWords() throws {
    let tiny = Double.leastNormalMagnitude / 1000
    var plan = plan([.vertex], [tiny, 10 * tiny])
    plan.costRatio = tiny
    let sweep = try ToleranceSweep(host: try host(), targets: try lines([[(0, 0)]], .point), plan: plan)
    let reasons = try #require(try sweep.run(measuresLatency: false).recommendation).reasons
    #expect(reasons.first?.contains("e-31") == true, "\(reasons)")
  }

  @Test func whatGivesNothingToCountIsRefused() throws {
    let far = try lines([[(5000, 5000)]], .point)
    #expect(throws: MeridianError.self, "no subject means a target") {
      _ = try ToleranceSweep(
        host: try host(), targets: try lines([[(0, 0)]], .point), subjects: far, plan: plan([.vertex], [3]))
    }
    for end in [1e200, 1.7e308] {
      #expect(throws: MeridianError.self, "lengths beyond numbers") {
        _ = try ToleranceSweep(
          host: try host(), targets: try lines([[(-end, 0), (end, 0)]]), plan: plan([.edge], [3]))
      }
    }
  }

  @Test func aSweepCanBeStopped() throws {
    final class Wish: @unchecked Sendable { var isThere = false }
    let wish = Wish()
    let timekeeper = Timekeeper(now: { 0 }, isCancelled: { wish.isThere })
    let targets = try lines([[(0, 0)]], .point)
    let sweep = try ToleranceSweep(
      host: try host(), targets: targets, plan: plan([.vertex], [3]), timekeeper: timekeeper)
    wish.isThere = true
    #expect { try sweep.run() } throws: { ($0 as? MeridianError)?.status == .cancelled }
    #expect {
      _ = try ToleranceSweep(
        host: try host(), targets: targets, subjects: targets, plan: plan([.vertex], [3]), timekeeper: timekeeper)
    } throws: {
      ($0 as? MeridianError)?.status == .cancelled
    }
  }
}

@Suite struct IntentTests {
  /// A square has four vertices: the one that closes it is no fifth.
  @Test func theVertexThatClosesARingIsItsFirst() throws {
    var builder = GeometryBuilder()
    try builder.polygon([Ring(x: [0, 8, 8, 0, 0], y: [0, 0, 8, 8, 0])])
    let sampler = IntentSampler(try builder.finish(), onVertices: true)
    var random = SeededRandom(seed: 1, stream: "intents")
    let first = (0..<8000).count { _ in
      let intent = sampler.draw(&random)
      return intent.x == 0 && intent.y == 0
    }
    // A quarter, and five standard errors; two of five would be 3,200.
    #expect(abs(first - 2000) < 200, "\(first) of 8000")
  }
}
