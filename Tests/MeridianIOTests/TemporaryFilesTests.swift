// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianIO
import Testing

/// The list is the process's own, and what is in it gets removed: each test is a process of its own.
@Suite struct TemporaryFilesTests {
  @Test func aHandlerRemovesWhatIsKnownAndNothingElse() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let kept = try folder.file("kept", "")
      let gone = try folder.file("gone", "")
      // More turns than there are slots: each turn gives its slot back.
      for _ in 0..<100 {
        TemporaryFiles.add(kept)
        TemporaryFiles.remove(kept)
      }
      TemporaryFiles.add(gone)
      TemporaryFiles.unlinkAll()
      #expect(folder.entries == ["kept"])
    }
  }

  /// A report may be asked for many times in one run, beside features, changes and a baseline.
  @Test func manyFilesAtOnceAreRemoved() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      for number in 0..<60 { TemporaryFiles.add(try folder.file("\(number)", "")) }
      TemporaryFiles.unlinkAll()
      #expect(folder.entries.isEmpty)
    }
  }

  @Test func aPathLongerThanThatOfAnyFileIsLeftOut() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let gone = try folder.file("gone", "")
      TemporaryFiles.add(folder.path + String(repeating: "/.", count: Int(PATH_MAX)) + "/gone")
      TemporaryFiles.add(gone)
      TemporaryFiles.unlinkAll()
      #expect(folder.entries.isEmpty)
    }
  }

  @Test func writersOnAllThreadsLeaveTheListEmpty() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let files = try (0..<6).map { try folder.file("\($0)", "") }
      DispatchQueue.concurrentPerform(iterations: files.count) { number in
        for _ in 0..<1000 {
          TemporaryFiles.add(files[number])
          TemporaryFiles.remove(files[number])
        }
      }
      TemporaryFiles.unlinkAll()
      #expect(folder.entries.count == files.count)
    }
  }
}
