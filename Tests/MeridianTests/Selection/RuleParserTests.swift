// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

@testable import Meridian

@Suite struct RuleParserTests {
  @Test func rulesOfAllKinds() throws {
    let rules = try RuleParser.parse(
      """
      # comment; with=semicolon
      measure.area = proj ; validate=meridian.geos
        require measure.length error <= 1e-6 relative , exact,edges=great-circle\r
      prefer geos, native
      """)
    #expect(rules.names.map(\.text) == ["measure.area=proj", "validate=meridian.geos"])
    #expect(rules.names[0].scope.operation?.fullName == "measure.area")
    #expect(rules.names[1].scope.operation == nil)
    let requirement = try #require(rules.requirements.first?.requirement)
    #expect(requirement.error == ErrorBound(limit: 1e-6, unit: .relative))
    #expect(requirement.flags == MRD_OP_EXACT_PREDICATES)
    #expect(requirement.edges == MRD_EDGES_GREAT_CIRCLE)
    #expect(rules.preference == .kernels(["geos", "native"]))
    #expect(try RuleParser.parse(" ;\n;; \n") == Rules())
  }

  @Test(arguments: [
    ("measure", MRD_E_ARGUMENT, "expected family=id"),
    ("measure.area=", MRD_E_ARGUMENT, "'' is not the id of a kernel"),
    ("measure=a b", MRD_E_ARGUMENT, "'a b' is not the id of a kernel"),
    ("=geos", MRD_E_NOT_FOUND, "unknown family ''; there are measure, validate, simplify, snap, index"),
    ("area=geos", MRD_E_NOT_FOUND, "unknown family 'area'"),
    ("measure.=geos", MRD_E_NOT_FOUND, "unknown operation 'measure.'"),
    ("measure.area.x=geos", MRD_E_NOT_FOUND, "unknown operation 'measure.area.x'; measure has length, perimeter, area"),
    ("require", MRD_E_ARGUMENT, "at least one requirement"),
    ("require measure", MRD_E_ARGUMENT, "at least one requirement"),
    ("require measure quick", MRD_E_ARGUMENT, "unknown requirement 'quick'; there are exact, deterministic"),
    ("require measure exact,", MRD_E_ARGUMENT, "unknown requirement ''"),
    ("require measure error<=1e-6", MRD_E_ARGUMENT, "units are relative, absolute, m, m2"),
    ("require measure error<=-1 m", MRD_E_ARGUMENT, "not negative"),
    ("require measure error<=nan m", MRD_E_ARGUMENT, "not negative"),
    ("require measure error<=1e-6x m", MRD_E_ARGUMENT, "not negative"),
    ("require measure edges=round", MRD_E_ARGUMENT, "there are planar, great_circle, geodesic, plate_carree, rhumb"),
    ("prefer", MRD_E_ARGUMENT, "expected fastest, accurate or ids"),
    ("prefer a,,b", MRD_E_ARGUMENT, "found ''"),
    ("preferred=x", MRD_E_NOT_FOUND, "unknown family 'preferred'"),
  ])
  func malformedRulesAreExplained(_ text: String, _ status: Int32, _ reason: String) throws {
    let error = #expect(throws: MeridianError.self) { _ = try RuleParser.parse(text) }
    #expect(error?.status.rawValue == status)
    #expect(error?.message.hasPrefix("rule '\(text)': ") == true)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  /// Rules and options spell with hyphens or underscores what others spell the other way.
  @Test func hyphensAndUnderscoresAreTheSame() throws {
    for (number, name) in EdgeNames.all.enumerated() {
      for word in [name, name.replacing("_", with: "-")] {
        let rules = try RuleParser.parse("require measure edges=\(word)")
        #expect(rules.requirements.first?.requirement.edges == Int32(number), "\(word)")
      }
    }
    for (word, flag) in Requirement.flagWords {
      let rules = try RuleParser.parse("require measure \(word.replacing("-", with: "_"))")
      #expect(rules.requirements.first?.requirement.flags == flag, "\(word)")
    }
  }

  @Test func everyUnitIsRead() throws {
    for (word, unit) in ErrorBound.unitWords {
      let rules = try RuleParser.parse("require measure error<=0.5 \(word)")
      #expect(rules.requirements.first?.requirement.error == ErrorBound(limit: 0.5, unit: unit))
    }
  }
}
