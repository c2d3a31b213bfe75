// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// The forms of a report.
public enum ReportFormat: String, Sendable, CaseIterable {
  case text, json, csv, geojson, sarif, junit, github, gpkg, html

  /// The form that the extension of a file name promises, in any case; nil when it promises none of them.
  public init?(fileName: String) {
    switch fileExtension(fileName) {
    case "txt": self = .text
    case "json", "jsonl", "ndjson": self = .json
    case "csv": self = .csv
    case "geojson": self = .geojson
    case "sarif": self = .sarif
    case "xml": self = .junit
    case "gpkg": self = .gpkg
    case "html", "htm": self = .html
    default: return nil
    }
  }

  /// What names of files in this form end in, without the dot.
  package var fileEnding: String {
    switch self {
    case .text, .github: "txt"
    case .junit: "xml"
    case .json, .csv, .geojson, .sarif, .gpkg, .html: rawValue
    }
  }
}

/// What a GeoJSON report shows.
public enum MapContent: Sendable {
  case features, places
}

/// The report of a form, ready to take rows of the columns. `path` nil or "-" = standard output.
public func makeReport(
  _ format: ReportFormat, to path: String?, columns: [String], map: MapContent, _ messages: Messages
) throws(JobError) -> any Report {
  switch format {
  case .text: return TextReport(try ReportOutput(path))
  case .json: return JSONReport(try ReportOutput(path))
  case .csv: return try CSVReport(try ReportOutput(path), columns: columns, messages)
  case .geojson:
    let output = FeatureOutput(path, format: .geojson)
    return map == .features ? FeaturesReport(output, messages) : PlacesReport(output, columns: columns, messages)
  case .sarif: return try SARIFReport(try ReportOutput(path))
  case .junit: return JUnitReport(try ReportOutput(path), messages)
  case .github: return GitHubReport(try ReportOutput(path), messages)
  case .gpkg: return try PackageReport(path, columns: columns, messages)
  case .html: return PageReport(try ReportOutput(path))
  }
}
