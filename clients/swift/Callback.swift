/// The redirect address of a sign-in.
import Foundation

struct Callback {
  /// Without query and fragment.
  let address: String
  let state: String
  /// A callback has a code or an error, not both.
  let code: String?
  let error: String?

  /// Parses the redirect address of a sign-in. Throws FOREIGN_REDIRECT without a state, with neither or both of code
  /// and error, and for a parameter that is repeated (RFC 6749, section 3.1) or cannot be decoded. Ignores parameters
  /// of other names (section 4.1.2).
  init(_ url: String) throws {
    let whole = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let parts = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parameters = try Callback.parameters(parts.count > 1 ? parts[1] : "")
    address = String(parts[0])
    code = parameters["code"].flatMap { $0.isEmpty ? nil : $0 }
    error = parameters["error"].flatMap { $0.isEmpty ? nil : $0 }
    state = parameters["state"] ?? ""
    guard !state.isEmpty, (code == nil) != (error == nil) else { throw Callback.foreign }
  }

  static var foreign: ServiceError {
    ServiceError(code: "FOREIGN_REDIRECT")
  }

  private static func parameters(_ query: Substring) throws -> [String: String] {
    var found: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = sides.compactMap { $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding }
      guard let name = decoded.first, decoded.count == sides.count, found[name] == nil else { throw foreign }
      found[name] = decoded.count > 1 ? decoded[1] : ""
    }
    return found
  }
}
