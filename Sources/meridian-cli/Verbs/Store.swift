// SPDX-License-Identifier: Apache-2.0
import MeridianIO
import MeridianJobs

extension Option {
  static let author = Option(
    "author", nil, .text("NAME"), meaning: "who or what publishes, for those who meet the revision later")
  static let keepBoth = Option(
    "keep-both", meaning: "in a conflict write the working copy beside the target, as 'NAME (conflict REVISION).gpkg'")
  static let wait = Option(
    "wait", nil, .number("SECONDS"),
    meaning: "longest wait for programs that write the working copy, and for other publications; default 10")
}

extension Verb {
  static let storePublish = Verb(
    name: "store publish",
    summary: "make a working copy the next revision of its store",
    operands: "WORK TARGET",
    operandCount: 2...2,
    notes: [
      "A working copy is a copy of a store that 'meridian index build -o NAME.gpkg' made, by 'cp' or any other means.",
      "The target is replaced whole by a copy that was looked through, or not at all, however the command ends. When its",
      "revision is not the one that the work began from, nothing is published and the exit code is 1.",
    ],
    options: [.author, .keepBoth, .wait] + Option.ending,
    examples: [
      Example(line: "meridian store publish tablet/town.gpkg town.gpkg", meaning: "what was changed on the tablet"),
      Example(
        line: "meridian store publish --author Anna --keep-both tablet/town.gpkg town.gpkg",
        meaning: "in a conflict both sides are there"),
    ],
    run: { (arguments) throws(CommandError) in
      var publication = Publication(work: arguments.operands[0], target: arguments.operands[1])
      publication.author = arguments.text(.author)
      publication.keepsBoth = arguments[.keepBoth]
      if let wait = arguments.number(.wait) {
        guard wait >= 0 else { throw .usage("--wait is a number of seconds that is not negative") }
        publication.wait = wait
      }
      let messages = Messages(quiet: arguments[.quiet])
      return try job { () throws(JobError) in try StoreJob(messages).publish(publication) ? .fine : .findings }
    })

  static let storeStatus = Verb(
    name: "store status",
    summary: "the revision of a store, and how a working copy stands to its target",
    operands: "STORE [TARGET]",
    operandCount: 1...2,
    notes: ["With TARGET the exit code is 1 when publishing STORE to it would be a conflict. Nothing is changed."],
    options: [.reportFormat(["text", "json", "csv"]), .output] + Option.ending,
    examples: [
      Example(line: "meridian store status town.gpkg", meaning: "its revision, and whether it was changed since"),
      Example(line: "meridian store status --format json tablet/town.gpkg town.gpkg", meaning: "for a program"),
    ],
    run: { (arguments) throws(CommandError) in
      let messages = Messages(quiet: arguments[.quiet])
      let operands = arguments.operands
      let (row, mayPublish) = try job { () throws(JobError) in
        try StoreJob(messages).status(operands[0], target: operands.count > 1 ? operands[1] : nil)
      }
      let report = try arguments.report(columns: StoreRow.columns, map: .places, messages)
      try job { () throws(JobError) in
        try report.add(row)
        try report.finish(nil)
      }
      return mayPublish ? .fine : .findings
    })
}
