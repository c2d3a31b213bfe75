// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianBench

/// What a shell offers for a word of the command line.
enum CompletionWords {
  case nothing
  case files
  case words([String])
  /// The ids of the kernels that are installed: the script asks the command. They may follow a comma or an `=`.
  case kernels

  /// Prints the short ids of the kernels, in every shell.
  static let kernelList = "meridian kernels --quiet --format csv 2>/dev/null | tail -n +2 | cut -d, -f2"
}

extension Option {
  /// For the value of the option.
  var completion: CompletionWords {
    switch long {
    case "kernel", "kernels", "reference", "prefer": return .kernels
    case "op": return .words(Operation.all.map(\.fullName))
    default: break
    }
    switch value {
    case .file: return .files
    case .choice(let words): return .words(words)
    case .formFile(let words): return .words(words.map { $0 + "=" })
    case .none, .text, .number, .integer: return .nothing
    }
  }
}

extension Verb {
  /// For the operands.
  var completion: CompletionWords {
    switch name {
    case "kernels info": .kernels
    case "completions": .words(CompletionScript.shells)
    case "help": .words(CompletionScript.firstWords.filter { $0 != "help" })
    case "bench": .words(Suite.allCases.map(\.rawValue))
    default: operandCount.upperBound == 0 ? .nothing : .files
    }
  }
}
