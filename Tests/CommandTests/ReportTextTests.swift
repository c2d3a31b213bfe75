// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Texts that come from files, in forms in which some texts mean something.
@Suite(.enabled(if: Kernels.has("native", "validate.valid"))) struct ReportTextTests {
  /// Services refuse a whole file for one result without a physical location, and read braces and brackets of messages.
  @Test func sarifOfStandardInputHasAPlaceAndNamesOfFeaturesAreText() throws {
    let id = #"{0} [here](http://example.com) {{a}}"#
    let feature =
      "{\"type\":\"Feature\",\"id\":\"\(id)\",\"properties\":{},\"geometry\":"
      + #"{"type":"LineString","coordinates":[[1,1],[1,1]]}}"#
    let words = ["validate", "--format", "sarif", "--from", "geojsonseq", "-"]
    let log = try #require(
      JSONSerialization.jsonObject(with: Data(try Shell.withKernels(words, input: feature + "\n").out.utf8))
        as? [String: Any])
    let results = try #require((log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
    #expect(results.count == 1)
    let (address, line) = try ReportFormTests.physical(
      try #require((results[0]["locations"] as? [[String: Any]])?.first))
    #expect(address == "stdin" && line == 1)
    let text = try #require((results[0]["message"] as? [String: Any])?["text"] as? String)
    #expect(text.hasPrefix(#"row 0 (id {{0}} \[here\](http://example.com) {{{{a}}}}): "#), "\(text)")
    // What is no text for people stays as it is.
    #expect((results[0]["properties"] as? [String: Any])?["id"] as? String == id)
  }

  /// What a spreadsheet would calculate stays as it is: programs look features up by these ids.
  @Test func tablesHoldIdsAsTheyAre() throws {
    let ids = [
      (#""=1+2""#, "=1+2"), (#""+a""#, "+a"), (#""-b,c""#, "\"-b,c\""), (#""@sum(a1)""#, "@sum(a1)"),
      (#""-5""#, "-5"), ("-5", "-5"), ("-1.5e3", "-1.5e3"), (#""-""#, "-"), (#""a=1""#, "a=1"), (#""-1+1""#, "-1+1"),
    ]
    let text = ids.map {
      "{\"type\":\"Feature\",\"id\":\($0.0),\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[-1,-2]}}\n"
    }
    for words in [["validate"], ["measure"]] {
      let answer = try Shell.withKernels(
        words + ["--format", "csv", "--from", "geojsonseq", "-"], input: text.joined())
      #expect(answer.lines.count == ids.count + 1)
      for ((_, cell), line) in zip(ids, answer.lines.dropFirst()) {
        let row = line.split(separator: ",", omittingEmptySubsequences: false)[2]
        #expect(line.hasPrefix("-,,\(row),\(cell),"), "\(line)")
      }
    }
  }
}
