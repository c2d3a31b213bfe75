// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

extension Verb {
  static let version = Verb(
    name: "version",
    summary: "print the versions of the command and of the kernel ABI",
    operands: "",
    operandCount: 0...0,
    notes: [],
    options: [.help],
    examples: [Example(line: "meridian version", meaning: "for a bug report")],
    run: { (_) throws(CommandError) in
      try printOut("meridian \(Host.version) (kernel ABI \(MRD_ABI_MAJOR).\(MRD_ABI_MINOR))\n")
      return .fine
    })
}
