/// The pair of tokens that exchange and refresh answer, and how long its access token is used.
import Foundation

struct StoredSession: Codable, Sendable {
  let accessToken: String
  let refreshToken: String
  let customerId: Int64
  /// Milliseconds since 1970 by the device's clock; the access token serves for `lifeMs` from then on.
  let receivedAtMs: Int64
  let lifeMs: Int64
  /// Of the sign-in that it came from.
  let state: String

  /// Whether the token is used without asking for another: it is replaced two minutes before the service would refuse it. A
  /// clock that was put back since is mended by a 401.
  func isGood(nowMs: Int64, refused: String?) -> Bool {
    accessToken != refused && nowMs - receivedAtMs < lifeMs - 120_000
  }
}

struct TokenPair: Decodable, Sendable {
  let accessToken: String
  let refreshToken: String
  let customerId: Int64
  let expiresAt: String

  /// What is stored of it. Its life is told by the service's clock where that is in the answer, else by the device's own, and
  /// never believed to be longer or shorter than the service makes it: 10 minutes to an hour. Throws NETWORK for no pair.
  func received(atMs nowMs: Int64, servedAtMs: Int64?, state: String) throws -> StoredSession {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let expires = try? Date(expiresAt, strategy: format) else { throw ServiceError(code: "NETWORK") }
    let lifeMs = Int64(expires.timeIntervalSince1970 * 1_000) - (servedAtMs ?? nowMs)
    return StoredSession(
      accessToken: accessToken, refreshToken: refreshToken, customerId: customerId,
      receivedAtMs: nowMs, lifeMs: min(max(lifeMs, 600_000), 3_600_000), state: state)
  }
}
