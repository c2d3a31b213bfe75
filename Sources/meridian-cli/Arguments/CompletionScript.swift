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
  private static var firstWords: [String] {
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
        if [[ $COMP_CWORD -eq 1 ]]; then
          COMPREPLY=($(compgen -W "\(firstWords.joined(separator: " ")) --help --version" -- "$cur"))
          return
        fi

      """
    for word in firstWords where !secondWords(of: word).isEmpty {
      let second = secondWords(of: word)
      text += "  if [[ $verb == \(word) ]]; then\n"
      text += "    if [[ $COMP_CWORD -eq 2 ]]; then\n"
      text += "      COMPREPLY=($(compgen -W \"\(second.joined(separator: " "))\" -- \"$cur\"))\n"
      text += "      [[ ${#COMPREPLY[@]} -gt 0 ]] && return\n    fi\n"
      text +=
        "    case \"${COMP_WORDS[2]}\" in \(second.joined(separator: "|"))) verb=\"\(word) ${COMP_WORDS[2]}\" ;; esac\n"
      text += "  fi\n"
    }
    text += "  case \"$verb:$prev\" in\n"
    for verb in Verb.all {
      for option in verb.options {
        let pattern = flags(option).map { "\"\(verb.name):\($0)\"" }.joined(separator: "|")
        switch option.value {
        case .none: break
        case .file: text += "    \(pattern)) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"
        case .choice(let words):
          text +=
            "    \(pattern)) COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$cur\")); return ;;\n"
        case .text, .number, .integer: text += "    \(pattern)) return ;;\n"
        }
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
        else
          COMPREPLY=($(compgen -f -- "$cur"))
        fi
      }
      complete -o filenames -F _meridian meridian

      """
    return text
  }

  // MARK: - zsh

  private static var zsh: String {
    var text = """
      #compdef meridian
      # zsh completion for meridian; put it in a directory of $fpath as _meridian
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
      text += "        '*:file:_files' ;;\n"
    }
    return text + "  esac\n}\ncompdef _meridian meridian\n"
  }

  private static func zshSpecs(_ option: Option) -> [String] {
    let action =
      switch option.value {
      case .none: ""
      case .file(let word): ":\(word):_files"
      case .choice(let words): ":\(option.long):(\(words.joined(separator: " ")))"
      case .text(let word), .number(let word), .integer(let word, _): ":\(escaped(word)):"
      }
    let star = option.repeats ? "*" : ""
    return flags(option).map { quoted("\(star)\($0)[\(escaped(option.meaning))]\(action)") }
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
        switch option.value {
        case .none: break
        case .file: text += " -r -F"
        case .choice(let words): text += " -x -a '\(words.joined(separator: " "))'"
        case .text, .number, .integer: text += " -x"
        }
        text += " -d \(fishQuoted(option.meaning))\n"
      }
    }
    return text
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
