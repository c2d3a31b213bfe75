// SPDX-License-Identifier: Apache-2.0

/// Completion scripts for shells, made from the table of verbs.
enum CompletionScript {
  static let shells = ["bash", "zsh", "fish"]

  static func text(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  /// The words that may follow `meridian`, groups once.
  static var firstWords: [String] {
    var words: [String] = []
    for verb in Verb.all {
      let word = String(verb.name.prefix { $0 != " " })
      if !words.contains(word) { words.append(word) }
    }
    return words
  }

  private static func secondWords(of word: String) -> [String] {
    Verb.group(word).map { String($0.name.dropFirst(word.count + 1)) }
  }

  /// Words that a verb takes behind its name, where a longer verb begins with it: `bench snap`, `bench snap-tolerance`.
  private static func operandWords(of word: String) -> [String] {
    guard let verb = Verb.all.first(where: { $0.name == word }), case .words(let words) = verb.completion else {
      return []
    }
    return words
  }

  private static func flags(_ option: Option) -> [String] {
    ["--" + option.long] + (option.short.map { ["-\($0)"] } ?? [])
  }

  // MARK: - bash

  private static var bash: String {
    var text = """
      # bash completion for meridian; load with: source <(meridian completions bash)
      _meridian() {
        local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}" words=""
        COMPREPLY=()
        # Bash takes '=' for a word of its own: --kernel=ID, --kernel FAMILY=ID.
        local n=$COMP_CWORD
        [[ $cur == "=" ]] && { cur=""; n=$((n + 1)); }
        if [[ $n -ge 4 && "${COMP_WORDS[n-1]}" == "=" ]]; then
          prev="${COMP_WORDS[n-2]}"
          [[ "${COMP_WORDS[n-3]}" == --kernel ]] && prev=--kernel
        fi
        if [[ $COMP_CWORD -eq 1 ]]; then
          COMPREPLY=($(compgen -W "\(firstWords.joined(separator: " ")) --help --version" -- "$cur"))
          return
        fi

      """
    for word in firstWords where !secondWords(of: word).isEmpty {
      let second = secondWords(of: word)
      text += "  if [[ $verb == \(word) ]]; then\n"
      text += "    if [[ $COMP_CWORD -eq 2 ]]; then\n"
      text +=
        "      COMPREPLY=($(compgen -W \"\((second + operandWords(of: word)).joined(separator: " "))\" -- \"$cur\"))\n"
      text += "      [[ ${#COMPREPLY[@]} -gt 0 ]] && return\n    fi\n"
      text +=
        "    case \"${COMP_WORDS[2]}\" in \(second.joined(separator: "|"))) verb=\"\(word) ${COMP_WORDS[2]}\" ;; esac\n"
      text += "  fi\n"
    }
    text += "  case \"$verb:$prev\" in\n"
    for verb in Verb.all {
      for option in verb.options {
        let pattern = flags(option).map { "\"\(verb.name):\($0)\"" }.joined(separator: "|")
        if option.value != .none { text += "    \(pattern)) \(bashReply(option.completion))return ;;\n" }
      }
    }
    text += "  esac\n  case \"$verb\" in\n"
    for verb in Verb.all {
      let words = verb.options.flatMap(flags).joined(separator: " ")
      text += "    \"\(verb.name)\") words=\"\(words)\" ;;\n"
    }
    text += """
        esac
        if [[ $cur == -* ]]; then
          COMPREPLY=($(compgen -W "$words" -- "$cur"))
          return
        fi
        case "$verb" in

      """
    for verb in Verb.all { text += "    \"\(verb.name)\") \(bashReply(verb.completion));;\n" }
    text += """
        esac
      }
      complete -o filenames -F _meridian meridian

      """
    return text
  }

  /// What fills the reply; of ids behind a comma the first part stays.
  private static func bashReply(_ completion: CompletionWords) -> String {
    switch completion {
    case .nothing: ""
    case .files: "COMPREPLY=($(compgen -f -- \"$cur\")); "
    case .words(let words): "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$cur\")); "
    case .kernels:
      "COMPREPLY=($(compgen -P \"${cur%\"${cur##*,}\"}\" -W \"$(\(CompletionWords.kernelList))\" "
        + "-- \"${cur##*,}\")); "
    }
  }

  // MARK: - zsh

  private static var zsh: String {
    var text = """
      #compdef meridian
      # zsh completion for meridian; put it in a directory of $fpath as _meridian
      _meridian_kernels() {
        compset -P '*[,=]'
        compadd -- ${(f)"$(\(CompletionWords.kernelList))"}
      }
      _meridian() {
        local verb="${words[2]}"
        if (( CURRENT == 2 )); then
          local -a verbs=(\(firstWords.map { quoted($0) }.joined(separator: " ")))
          _describe verb verbs
          return
        fi

      """
    for word in firstWords where !secondWords(of: word).isEmpty {
      let second = secondWords(of: word)
      text += "  if [[ $verb == \(word) ]]; then\n"
      text += "    if (( CURRENT == 3 )); then\n"
      text += "      local -a second=(\(second.map { quoted($0) }.joined(separator: " ")))\n"
      text += "      _describe verb second\n    fi\n"
      text +=
        "    case \"${words[3]}\" in \(second.joined(separator: "|"))) verb=\"\(word) ${words[3]}\" ;; esac\n  fi\n"
    }
    text += "  case \"$verb\" in\n"
    for verb in Verb.all {
      text += "    \"\(verb.name)\")\n      _arguments -s \\\n"
      for option in verb.options { text += "        \(zshSpecs(option).joined(separator: " \\\n        ")) \\\n" }
      text +=
        "        \(quoted("*:\(verb.operands.isEmpty ? " " : escaped(verb.operands)):\(zshAction(verb.completion))")) ;;\n"
    }
    return text + "  esac\n}\ncompdef _meridian meridian\n"
  }

  private static func zshSpecs(_ option: Option) -> [String] {
    let action =
      switch option.value {
      case .none: ""
      case .choice: ":\(option.long):\(zshAction(option.completion))"
      default: ":\(escaped(option.valueWord)):\(zshAction(option.completion))"
      }
    let star = option.repeats ? "*" : ""
    return flags(option).map { quoted("\(star)\($0)[\(escaped(option.meaning))]\(action)") }
  }

  private static func zshAction(_ completion: CompletionWords) -> String {
    switch completion {
    case .nothing: ""
    case .files: "_files"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .kernels: "_meridian_kernels"
    }
  }

  /// What `_arguments` reads as punctuation.
  private static func escaped(_ text: String) -> String {
    var out = ""
    for character in text {
      if "[]:\\".contains(character) { out += "\\" }
      out.append(character)
    }
    return out
  }

  // MARK: - fish

  private static var fish: String {
    var text =
      "# fish completion for meridian; load with: meridian completions fish | source\ncomplete -c meridian -e\n"
    let seen = firstWords.joined(separator: " ")
    for word in firstWords {
      let about = Verb.all.first { $0.name == word }?.summary ?? secondWords(of: word).joined(separator: ", ")
      text +=
        "complete -c meridian -f -n 'not __fish_seen_subcommand_from \(seen)' -a \(word) -d \(fishQuoted(about))\n"
      for second in secondWords(of: word) {
        text += "complete -c meridian -n '__fish_seen_subcommand_from \(word)' -a \(second)\n"
      }
    }
    for verb in Verb.all {
      let condition = verb.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
        .joined(separator: "; and ")
      for option in verb.options {
        text += "complete -c meridian -n '\(condition)' -l \(option.long)"
        if let short = option.short { text += " -s \(short)" }
        if option.value != .none { text += fishArguments(option.completion) }
        text += " -d \(fishQuoted(option.meaning))\n"
      }
      switch verb.completion {
      case .files: break
      case let words:
        text += "complete -c meridian -n '\(condition)'\(fishArguments(words, isOperand: true))\n"
      }
    }
    return text
  }

  /// Files are what fish offers unless it is told otherwise.
  private static func fishArguments(_ completion: CompletionWords, isOperand: Bool = false) -> String {
    let exclusive = isOperand ? " -f" : " -x"
    return switch completion {
    case .nothing: exclusive
    case .files: isOperand ? "" : " -r -F"
    case .words(let words): "\(exclusive) -a '\(words.joined(separator: " "))'"
    case .kernels: "\(exclusive) -a '(\(CompletionWords.kernelList))'"
    }
  }

  /// In single quotes for bash and zsh.
  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  /// In single quotes for fish, which escapes inside them.
  private static func fishQuoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
