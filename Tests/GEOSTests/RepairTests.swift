// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

/// The result of one repair.
struct RepairResult {
  var status: Int32
  var shapes: [Shape?]
  var reports: [mrd_repair_report]
  var call: TestCall
}

func repair(_ array: TestArray, rule: Int32, dialect: Int32 = MRD_DIALECT_OGC) -> RepairResult {
  let call = TestCall(rows: array.count)
  var options = mrd_repair_options()
  options.struct_size = UInt32(MemoryLayout<mrd_repair_options>.size)
  options.rule = rule
  options.dialect = dialect
  var out = mrd_geoms_out()
  out.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
  var reports = [mrd_repair_report](repeating: mrd_repair_report(), count: array.count)
  let size = UInt32(MemoryLayout<mrd_repair_report>.stride)
  let status = Adapter.validate.repair?(array.pointer, &options, &out, &reports, size, call.pointer) ?? -1
  return RepairResult(status: status, shapes: status == MRD_OK ? call.shapes(out) : [], reports: reports, call: call)
}

@Suite struct RepairTests {
  @Test(arguments: [MRD_REPAIR_STRUCTURE, MRD_REPAIR_LINEWORK])
  func repairsByBothRules(rule: Int32) {
    let bowtie = "POLYGON ((0 0, 10 10, 10 0, 0 10, 0 0))"
    let result = repair(TestArray(wkt: [bowtie, nil, "POLYGON ((0 0, 4 0, 4 4, 0 0))"]), rule: rule)
    #expect(result.status == MRD_OK)
    #expect(result.reports.map(\.outcome) == [MRD_REPAIR_REPAIRED, MRD_REPAIR_UNCHANGED, MRD_REPAIR_UNCHANGED])
    #expect(result.shapes[1] == nil)
    #expect(result.shapes[2] == Shape(type: MRD_MULTIPOLYGON, parts: wkt("POLYGON ((0 0, 4 0, 4 4, 0 0))").parts))
    #expect(result.shapes[0]?.parts.count == 2)
    let report = result.reports[0]
    #expect(report.area_before == 0 && report.area_after == 50)
    #expect(report.vertices_added == 1 && report.vertices_dropped == 0)
    #expect(report.parts_before == 1 && report.parts_after == 2 && report.collapsed == 0)
  }

  @Test func theRulesPartWhereRingsOverlap() {
    let text = "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((2 1, 6 1, 6 3, 2 3, 2 1)))"
    let structure = repair(TestArray(wkt: [text]), rule: MRD_REPAIR_STRUCTURE)
    let linework = repair(TestArray(wkt: [text]), rule: MRD_REPAIR_LINEWORK)
    #expect(structure.reports[0].area_after == 20)
    #expect(linework.reports[0].area_after == 16)
  }

  @Test(arguments: [MRD_REPAIR_STRUCTURE, MRD_REPAIR_LINEWORK])
  func collapsedPiecesAreCounted(rule: Int32) {
    let texts = [
      "MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0)), ((100 0, 101 1, 100 0, 100 0)))",
      "MULTIPOLYGON (((100 0, 101 1, 100 0, 100 0)))",
    ]
    let result = repair(TestArray(wkt: texts), rule: rule)
    #expect(result.reports.map(\.outcome) == [MRD_REPAIR_REPAIRED, MRD_REPAIR_COLLAPSED])
    #expect(result.reports.map(\.collapsed) == [1, 1])
    #expect(result.shapes[1] == Shape(type: MRD_MULTIPOLYGON, parts: []))
    let line = repair(TestArray(wkt: ["LINESTRING (1 1, 1 1)"]), rule: rule)
    #expect(line.reports[0].outcome == MRD_REPAIR_COLLAPSED && line.reports[0].collapsed == 1)
  }

  @Test func zIsCarriedAndMIsRefused() {
    let result = repair(
      TestArray(wkt: ["POLYGON Z ((0 0 1, 10 10 2, 10 0 3, 0 10 4, 0 0 1))"]), rule: MRD_REPAIR_STRUCTURE)
    let vertices = (result.shapes[0]?.parts ?? []).flatMap { $0 }.flatMap { $0 }
    #expect(vertices.contains([10, 0, 3]) && vertices.contains { $0[0] == 5 && $0[1] == 5 && $0[2].isFinite })
    let measured = TestArray(wkt: ["POINT ZM (1 2 3 4)"])
    #expect(repair(measured, rule: MRD_REPAIR_STRUCTURE).status == MRD_E_UNSUPPORTED)
  }

  @Test func whatGeosCannotTakeIsWithheld() {
    let text = "POLYGON ((0 0, 4 0, 4 4))"
    let result = repair(TestArray(wkt: [text, "POLYGON ((0 0, nan 0, 4 4, 0 0))"]), rule: MRD_REPAIR_STRUCTURE)
    #expect(result.reports.map(\.outcome) == [MRD_REPAIR_WITHHELD, MRD_REPAIR_WITHHELD])
    #expect(result.call.status(0) == MRD_ITEM_INVALID && result.call.status(1) == MRD_ITEM_NONFINITE)
    #expect(result.shapes[0]?.parts == wkt(text).parts)
    #expect(repair(TestArray(wkt: [text]), rule: MRD_REPAIR_EVEN_ODD).status == MRD_E_UNSUPPORTED)
  }
}
