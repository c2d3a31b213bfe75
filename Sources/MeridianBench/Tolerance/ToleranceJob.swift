// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO
import MeridianJobs

/// Sweeps tolerances over the user's own streets and points, at one scale or at several zoom levels.
package struct ToleranceJob {
  /// Where the metres of a screen point come from.
  package enum Scale: Sendable {
    case metresPerPoint(Double)
    /// Levels of Web Mercator. `latitude` nil = the middle of the targets, which must then be on the globe.
    case zooms([Double], latitude: Double?, tile: Double)
  }

  package struct Request: Sendable {
    package var targets: Inputs
    /// Points, or lines and polygons that are snapped as a layer; nil = places drawn on the targets.
    package var subjects: Inputs?
    package var scale: Scale
    package var kernels: [String]
    package var pointers: [PointerModel]
    /// All but kernel, pointer and scale.
    package var plan: TolerancePlan
    package var measuresLatency = true

    package init(targets: Inputs, scale: Scale, kernels: [String], pointers: [PointerModel], plan: TolerancePlan) {
      self.targets = targets
      self.scale = scale
      self.kernels = kernels
      self.pointers = pointers
      self.plan = plan
    }
  }

  private let context: JobContext
  private let request: Request

  package init(_ context: JobContext, _ request: Request) {
    self.context = context
    self.request = request
  }

  package func run() throws(JobError) -> [ToleranceResult] {
    let data = try read()
    var results: [ToleranceResult] = []
    for scale in try scales(data) {
      for pointer in request.pointers {
        for kernel in request.kernels {
          try Interrupt.check()
          var plan = request.plan
          (plan.kernel, plan.pointer, plan.scale) = (kernel, pointer, scale)
          do {
            let sweep = try ToleranceSweep(
              host: context.host, targets: data.targets, subjects: data.points, layer: data.layer, plan: plan)
            results.append(try sweep.run(measuresLatency: request.measuresLatency))
          } catch {
            throw JobError(error)
          }
        }
      }
    }
    return results
  }

  /// Everything in metres of one plane.
  private struct Ground {
    var targets: GeometrySet
    var points: GeometrySet?
    var layer: GeometrySet?
    /// Of the middle of the targets; nil on a plane.
    var latitude: Double?
  }

  private func read() throws(JobError) -> Ground {
    let targets = try context.wholeLayer(of: request.targets)
    var ground = Ground(targets: targets.set)
    let isOnGlobe = context.treatment.model(for: targets.layer, .editing) != .planar
    var plane: LocalPlane?
    if isOnGlobe {
      plane = try middle(of: targets.set)
      ground.latitude = plane?.latitude
    } else if let file = request.targets.files.first,
      let warning = context.treatment.warning(for: targets.layer, of: file)
    {
      context.messages.warn(warning)
    }
    let flat = { (set: GeometrySet) throws(JobError) -> GeometrySet in
      guard let plane else { return set }
      do throws(MeridianError) { return try plane.flattened(set) } catch { throw JobError(error) }
    }
    ground.targets = try flat(targets.set)
    guard let inputs = request.subjects else { return ground }
    let subjects = try context.wholeLayer(of: inputs)
    let name = inputs.files.joined(separator: ", ")
    guard (context.treatment.model(for: subjects.layer, .editing) != .planar) == isOnGlobe else {
      throw .failed("\(name): the targets are on the globe and the subjects on a plane, or the reverse; see --crs")
    }
    let arrays = subjects.set.arrays.filter { $0.coordinateCount > 0 }
    guard !arrays.isEmpty else { throw .failed("\(name): there is no place in it that could be a subject") }
    let puntal = arrays.count { $0.isPuntal }
    guard puntal == 0 || puntal == arrays.count else {
      throw .failed("\(name): subjects are points, or lines and polygons, not both")
    }
    if puntal > 0 { ground.points = try flat(subjects.set) } else { ground.layer = try flat(subjects.set) }
    return ground
  }

  /// The plane about the middle of the targets. Wide ones are told of: the scale of one latitude does not hold for all.
  private func middle(of set: GeometrySet) throws(JobError) -> LocalPlane {
    let bounds = IntentSampler(set, onVertices: true).bounds
    guard bounds.xmin <= bounds.xmax else { throw .failed("the targets have no place on the globe") }
    guard bounds.ymin >= -90, bounds.ymax <= 90 else {
      throw .failed("the targets' latitudes reach from \(bounds.ymin) to \(bounds.ymax); see --crs planar")
    }
    let (width, height) = (bounds.xmax - bounds.xmin, bounds.ymax - bounds.ymin)
    if width > 1 || height > 1 {
      context.messages.warn(
        "the targets span \(width) by \(height) degrees; scale and distances are those of their middle")
    }
    return LocalPlane(longitude: (bounds.xmin + bounds.xmax) / 2, latitude: (bounds.ymin + bounds.ymax) / 2)
  }

  private func scales(_ ground: Ground) throws(JobError) -> [ScreenScale] {
    switch request.scale {
    case .metresPerPoint(let metres): return [ScreenScale(metresPerPoint: metres)]
    case .zooms(let levels, let latitude, let tile):
      guard let latitude = latitude ?? ground.latitude else {
        throw .argument("--zoom needs --latitude where the targets are on a plane")
      }
      return levels.map { ScreenScale(zoom: $0, latitude: latitude, tile: tile) }
    }
  }
}
