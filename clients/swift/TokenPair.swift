/// The token pair that exchange and refresh return, and the use of its access token.
import Foundation

struct StoredSession: Codable, Sendable {
  let accessToken: String
  let refreshToken: String
  let customerId: Int64
  /// Milliseconds since 1970 by the device's clock; the access token is valid for `lifeMs` from then on.
  let receivedAtMs: Int64
  let lifeMs: Int64
  /// The `state` of the sign-in that created the session.
  let state: String

  /// Whether the token can be used without a refresh: it is replaced two minutes before it expires. If the device's
  /// clock was set back, a 401 triggers the refresh.
  func isGood(nowMs: Int64, refused: String?) -> Bool {
    accessToken != refused && nowMs - receivedAtMs < lifeMs - 120_000
  }
}

struct TokenPair: Decodable, Sendable {
  let accessToken: String
  let refreshToken: String
  let customerId: Int64
  let expiresAt: String

  /// Converts the pair to the stored session. The lifetime follows the service's clock if the response contains it,
  /// else the device's clock, within the service's limits of 10 minutes and an hour. Throws NETWORK if the pair has no
  /// valid expiry.
  func received(atMs nowMs: Int64, servedAtMs: Int64?, state: String) throws -> StoredSession {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let expires = try? Date(expiresAt, strategy: format) else { throw ServiceError(code: "NETWORK") }
    let lifeMs = Int64(expires.timeIntervalSince1970 * 1_000) - (servedAtMs ?? nowMs)
    return StoredSession(
      accessToken: accessToken, refreshToken: refreshToken, customerId: customerId,
      receivedAtMs: nowMs, lifeMs: min(max(lifeMs, 600_000), 3_600_000), state: state)
  }
}
