/// Classifies a GraphQL document. Without a known result, only queries and changes with an idempotency key are sent
/// again.
import Foundation

/// `isRetryable`: a query, or a mutation whose fields all have `@idempotent`. An unknown document is not retryable.
struct Operation: Sendable {
  let isRetryable: Bool
  let isChange: Bool
  let keyVariables: [String]

  init(_ document: String, named operationName: String?) {
    var definitions = Definitions()
    for token in Operation.tokens(of: document) { definitions.read(token) }
    let meant = definitions.all.filter { $0.type != "fragment" && (operationName == nil || $0.name == operationName) }
    let isQuery = meant.allSatisfy { $0.type == "query" }
    let isKeyed = meant.count == 1 && meant.allSatisfy { $0.type == "mutation" && $0.fields == $0.keyed }
    isRetryable = !meant.isEmpty && (isQuery || isKeyed)
    isChange = !isQuery
    keyVariables = meant.flatMap { $0.keyVariables }
  }

  /// Returns a key for each variable of `@idempotent`. Several variables get different keys.
  func variables(key: String) -> [String: JSONValue] {
    let keys = keyVariables.enumerated().map { index, name in
      (name, JSONValue.string(index == 0 ? key : "\(key).\(name)"))
    }
    return Dictionary(keys, uniquingKeysWith: { first, _ in first })
  }

  /// Matches a string or a comment as one token, and the tokens that separate definitions and their first fields.
  private static let pattern =
    #""""(?:\\"""|(?!""")[\s\S])*"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[$@]?[_A-Za-z][_0-9A-Za-z]*|[{}():]"#

  private static func tokens(of document: String) -> [String] {
    let whole = document as NSString
    let found = (try? NSRegularExpression(pattern: pattern))?
      .matches(in: document, range: NSRange(location: 0, length: whole.length)) ?? []
    return found.map { whole.substring(with: $0.range) }.filter { !$0.hasPrefix("\"") && !$0.hasPrefix("#") }
  }
}

/// `fields` and `keyed` count fields of the first level.
private struct Definition {
  let type: String
  let name: String?
  var fields = 0
  var keyed = 0
  var keyVariables: [String] = []

  /// `head`: the words before the braces. An empty head is a query in short form (GraphQL, section 2.3).
  init(head: [String]) {
    type = head.first ?? "query"
    name = head.dropFirst().first.flatMap { $0.hasPrefix("@") ? nil : $0 }
  }
}

private struct Definitions {
  var all: [Definition] = []
  private var braces = 0
  private var parentheses = 0
  private var head: [String] = []
  private var directive = ""

  mutating func read(_ token: String) {
    let last = all.count - 1
    if token == "(" {
      parentheses += 1
    } else if token == ")" {
      parentheses -= 1
      directive = ""
    } else if parentheses > 0 {
      if directive == "@idempotent", token.hasPrefix("$"), last >= 0 {
        all[last].keyVariables.append(String(token.dropFirst()))
      }
    } else if token == "{" {
      if braces == 0 { all.append(Definition(head: head)) }
      braces += 1
      head = []
    } else if token == "}" {
      braces -= 1
    } else if braces == 0 {
      head.append(token)
    } else if braces == 1, last >= 0 {
      readField(token, last)
    }
  }

  private mutating func readField(_ token: String, _ last: Int) {
    directive = token.hasPrefix("@") ? token : ""
    if directive == "@idempotent" { all[last].keyed += 1 }
    // An aliased field has two names.
    if token == ":" {
      all[last].fields -= 1
    } else if directive.isEmpty {
      all[last].fields += 1
    }
  }
}
