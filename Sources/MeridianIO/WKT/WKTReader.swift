// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Reads well-known text: OGC 06-103r4 and ISO 13249-3 with `Z`, `M`, `ZM` and `EMPTY` at every level, and PostGIS's EWKT
/// (`SRID=4326;`, `POINTM`, more numbers than the tag says when there is no tag). Words in any case; `nan` and `inf` are
/// numbers. `LINEARRING` is read as a line. Curves are refused.
public enum WKTReader {
  /// Nested collections that are followed; deeper ones are refused.
  public static let maximumDepth = 64

  public struct Result: Sendable, Equatable {
    /// Bytes of the geometry with the blanks in front of it; what follows is not looked at.
    public var length: Int
    /// EWKT's SRID, if there is one.
    public var srid: Int32?
  }

  /// Appends the geometry at the start of `text` to the builder as one row. After an error the builder is as before.
  @discardableResult
  public static func read(
    _ text: UnsafeRawBufferPointer, into builder: inout GeometryBuilder
  ) throws(WKTError) -> Result {
    var parser = WKTParser(text)
    do {
      let srid = try parser.srid()
      try parser.geometry(depth: 0, into: &builder)
      return Result(length: parser.position, srid: srid)
    } catch {
      builder.abandonRow()
      throw error
    }
  }

  /// `read` with the error as a value.
  static func attempt(
    _ text: UnsafeRawBufferPointer, into builder: inout GeometryBuilder
  ) -> Swift.Result<Result, WKTError> {
    do throws(WKTError) {
      return .success(try read(text, into: &builder))
    } catch {
      return .failure(error)
    }
  }
}
