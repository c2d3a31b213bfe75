// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// Why a job did not get to its end. Rows that could not be read are not errors; they are told and counted.
public enum JobError: Error, Sendable {
  /// A sentence for the user, with the file and the row where they are known.
  case failed(String)
  /// The request cannot be served as it was asked; a sentence.
  case argument(String)
  /// The user stopped it.
  case interrupted
  /// Nobody reads standard output any more.
  case closedPipe

  public init(_ error: FormatError) {
    self = Interrupt.isSet ? .interrupted : error.isBrokenPipe ? .closedPipe : .failed(error.description)
  }

  /// `file` and `batch` place the row that the host names; `file` nil = the error is about no file.
  public init(_ error: MeridianError, file: String? = nil, batch: FeatureBatch? = nil) {
    if error.status == .cancelled || Interrupt.isSet {
      self = .interrupted
      return
    }
    var place = file.map { $0 + ": " } ?? ""
    if let row = error.row { place += "row \(batch?.number(ofRow: row) ?? row): " }
    self = .failed(place + error.message)
  }
}

/// Runs work of the host under the jobs' error type.
func hosted<R>(
  _ file: String? = nil, batch: FeatureBatch? = nil, _ body: () throws(MeridianError) -> R
) throws(JobError) -> R {
  do { return try body() } catch { throw JobError(error, file: file, batch: batch) }
}

/// Runs work of the formats under the jobs' error type.
func formatted<R>(_ body: () throws(FormatError) -> R) throws(JobError) -> R {
  do { return try body() } catch { throw JobError(error) }
}
