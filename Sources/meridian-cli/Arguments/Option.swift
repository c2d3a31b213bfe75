// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// One option of the command. What a verb lists is what the parser takes, the help explains and the shells complete.
struct Option: Sendable {
  /// What follows the name.
  enum Value: Sendable, Equatable {
    /// Nothing: the option is there or not.
    case none
    /// Any text; the word stands for it in the help.
    case text(String)
    /// A file, completed as one.
    case file(String)
    case number(String)
    /// A whole number of at least the given one.
    case integer(String, atLeast: Int)
    case choice([String])
    /// One of the words, `=`, and a file that is written in that form.
    case formFile([String])
  }

  /// Without the dashes.
  let long: String
  let short: Character?
  let value: Value
  /// May be given more than once; otherwise the last one counts.
  let repeats: Bool
  /// The value is a file that is written.
  let isOutput: Bool
  let meaning: String

  init(
    _ long: String, _ short: Character? = nil, _ value: Value = .none, repeats: Bool = false, isOutput: Bool = false,
    meaning: String
  ) {
    self.long = long
    self.short = short
    self.value = value
    self.repeats = repeats
    self.isOutput = isOutput
    self.meaning = meaning
  }

  /// A second name.
  var alias: String? { long == "threads" ? "jobs" : nil }

  /// True when the value is a file.
  var isFile: Bool { if case .file = value { true } else { false } }

  /// The words that the value may be; empty = it is no choice.
  var choices: [String] { if case .choice(let words) = value { words } else { [] } }

  /// What stands for the value in the help; empty for a flag.
  var valueWord: String {
    switch value {
    case .none: ""
    case .text(let word), .file(let word), .number(let word), .integer(let word, _): word
    case .choice(let words): words.joined(separator: "|")
    case .formFile: "FORMAT=FILE"
    }
  }

  /// "--tolerance NUMBER", "-o, --output FILE".
  var spelling: String {
    (short.map { "-\($0), " } ?? "    ") + "--" + long + (value == .none ? "" : " " + valueWord)
  }
}

// MARK: - Options that several verbs share

extension Option {
  static let help = Option("help", "h", meaning: "show this help")

  static let from = Option(
    "from", nil, .choice(Format.allCases.map(\.rawValue)),
    meaning: "format of the input; needed for '-', else taken from the name")
  static let layer = Option(
    "layer", nil, .text("NAME"), meaning: "read this layer of a GeoPackage; default: all of them")

  static let kernel = Option(
    "kernel", nil, .text("[FAMILY[.OPERATION]=]ID"), repeats: true,
    meaning: "use this kernel: measure.area=proj, validate=geos; a bare id stands for the family of the verb")
  static let require = Option(
    "require", nil, .text("RULE"), repeats: true,
    meaning: "only kernels that declare it: 'measure.area error<=1e-6 relative', exact, deterministic, all-problems")
  static let prefer = Option(
    "prefer", nil, .text("ORDER"), repeats: true, meaning: "fastest, accurate, or ids in order: native,geos")
  static let plugins = Option(
    "plugins", nil, .file("PATH"), repeats: true,
    meaning: "search this absolute directory or manifest before all others")
  static let config = Option("config", nil, .file("FILE"), meaning: "rules for choosing kernels, one a line")
  static let cpuLevel = Option(
    "cpu-level", nil, .choice(Host.cpuLevels),
    meaning: "load libraries of this level instead of the best that the machine has")
  static let threads = Option(
    "threads", "j", .integer("N", atLeast: 1), meaning: "use at most N threads; default: one a core; also --jobs N")

  static let crs = Option(
    "crs", nil, .choice(["lonlat", "planar"]),
    meaning: "treat coordinates as degrees on the globe or as a plane; default: what the file says")
  static let edges = Option(
    "edges", nil, .choice(["planar", "geodesic", "great_circle", "plate_carree"]), meaning: "what joins two vertices")
  static let metric = Option(
    "metric", nil, .choice(["coord", "sphere", "ellipsoid"]), meaning: "what distances and areas are measured in")
  static let ellipsoid = Option(
    "ellipsoid", nil, .text("NAME|A,1/F"),
    meaning: "WGS84, GRS80, a semi-major axis in metres and an inverse flattening, or a sphere's radius")

  static let output = Option(
    "output", "o", .file("FILE"), isOutput: true,
    meaning: "write there instead of to standard output; whole or not at all")
  static let summary = Option("summary", "s", meaning: "add totals, the kernels that answered, and why")
  static let quiet = Option("quiet", "q", meaning: "no warnings and no progress bar")

  static let tolerance = Option("tolerance", "t", .number("NUMBER"), meaning: "largest distance that anything may move")
  static let writeFormat = Option(
    "format", "f", .choice(Format.allCases.map(\.rawValue)),
    meaning: "format of the output; default: from its name, else geojson")
  static func reportFormat(_ words: [String]) -> Option {
    Option(
      "format", "f", .choice(words),
      meaning: "form of the results; default: from the output's name, else text; json is JSON lines, one object a row")
  }

  static let isolate = Option(
    "isolate",
    meaning: "run kernels in a worker process: a crash, a hang or a memory bomb costs one row and is told of it")
  static let timeLimit = Option(
    "time-limit", nil, .number("SECONDS"),
    meaning: "with --isolate: longest that a kernel may take for a row; default 30")
  static let memoryLimit = Option(
    "memory-limit", nil, .integer("MB", atLeast: 64),
    meaning: "with --isolate: most memory of the worker, in megabytes of 10^6 bytes; default 4000")

  static let isolation: [Option] = [isolate, timeLimit, memoryLimit]
  static let input: [Option] = [from, layer]
  /// Of jobs about rows of many files.
  static let rowInput: [Option] = [filesFrom, from, layer, rows, whereInvalid, resume]
  static let choosing: [Option] = [kernel, require, prefer, plugins, config, cpuLevel, threads]
  static let treatment: [Option] = [crs, edges, metric, ellipsoid]
  static let ending: [Option] = [quiet, help]
}
