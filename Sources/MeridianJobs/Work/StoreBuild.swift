// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// Writes all layers of files into a store: a GeoPackage with R-trees and a first revision.
public struct StoreBuild {
  let context: JobContext
  public init(_ context: JobContext) { self.context = context }

  public func run(_ inputs: Inputs, to path: String) throws(JobError) {
    var writer: (any LayeredWriter)?
    var layers = 0
    do throws(JobError) {
      try context.eachBatch(of: inputs, "writing") { (source, batch) throws(JobError) in
        // Layers of different files may have one name; each begins with its first row.
        let startsLayer = batch.firstRow == 0
        if startsLayer { layers += 1 }
        try formatted { () throws(FormatError) in
          if writer == nil {
            writer = try StoreFile.create(path, layer: layer(of: source), program: Self.program)
          } else if startsLayer {
            try writer?.startLayer(layer(of: source))
          }
          try writer?.write(batch)
        }
      }
      guard context.failedFiles == 0, let writer else { throw .failed("nothing was written") }
      try formatted { () throws(FormatError) in try writer.finish() }
      for warning in writer.warnings { context.messages.warn("\(path): \(warning)") }
    } catch {
      writer?.abandon()
      throw error
    }
    context.setInputTotals(files: inputs.files.count)
    context.set("layers", .integer(layers))
  }

  /// What writes revisions, as they say it.
  static let program = "meridian \(Host.version)"

  /// A layer of a format without names has that of its file.
  private func layer(of source: Source) -> Layer {
    var layer = source.layer
    layer.name = layer.name ?? Self.stem(source.file)
    return layer
  }

  private static func stem(_ file: String) -> String? {
    guard file != "-", let name = file.split(separator: "/").last else { return nil }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
