/// The client's only error type. An app can translate errors by their code in one place.
import Foundation

public struct ServiceError: LocalizedError, Sendable {
  /// A code of the service's catalogue (docs/errors.md), of the platform, or of the client: NETWORK, no response or a
  /// response of another server (a captive portal); STORAGE, the device's storage failed and the session is unchanged;
  /// SIGNED_OUT; CANCELLED, the customer cancelled the sign-in; FOREIGN_REDIRECT, an address of another sign-in;
  /// SIGN_IN_REFUSED, the platform's page returned an error; UNKNOWN, a response without a code.
  public let code: String
  /// A message for developers; the service's message is in the customer's language.
  public let message: String
  public var errorDescription: String? { message }
  /// The HTTP status; 0 without a response.
  public let status: Int
  /// The wait that the service requests, if it requests one.
  public let retryAfterMs: Int64?
  /// The request's id, to quote to the service's operator.
  public let requestId: String?
  /// The reason why a credential was rejected, for developers: only of UNAUTHENTICATED.
  public let details: String?

  init(
    code: String, message: String? = nil, status: Int = 0, retryAfterMs: Int64? = nil, requestId: String? = nil,
    details: String? = nil
  ) {
    self.code = code
    self.message = message ?? Self.messages[code] ?? code
    self.status = status
    self.retryAfterMs = retryAfterMs
    self.requestId = requestId
    self.details = details
  }

  /// The messages used if the service sent none.
  private static let messages = [
    "NETWORK": "No answer of the service came.",
    "STORAGE": "The storage of the device failed.",
    "SIGNED_OUT": "Nobody is signed in: call signIn().",
    "CANCELLED": "The customer refused the sign-in.",
    "FOREIGN_REDIRECT": "This address belongs to no sign-in of this device.",
    "SIGN_IN_REFUSED": "The platform refused the sign-in.",
    "UNKNOWN": "The answer has no code.",
  ]

  /// Whether the same request may succeed later. Such an error never ends a session.
  public var isTransient: Bool {
    if hasCode("NETWORK", "TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR", "THROTTLED", "PLATFORM_UNAVAILABLE") { return true }
    if hasCode("IDEMPOTENCY_CONCURRENT_REQUEST") { return true }
    // Codes that need a fix by the merchant or the operator.
    if hasCode("STOREFRONT_TOKEN_UNAVAILABLE", "STORE_ACCESS_MISSING", "STORE_DISCONNECTED") { return false }
    // The status decides for an unknown code, and without a code: the response of a gateway or a proxy.
    return status == 429 || status >= 500
  }

  /// Whether the request may have changed data, so that the caller has to read the result.
  public var mayHaveRun: Bool {
    if code == "UNKNOWN" { return status != 429 && status != 503 }
    return hasCode("NETWORK", "INTERNAL_ERROR", "OUTCOME_UNKNOWN") || (status >= 500 && status != 503)
  }

  /// Whether the service has rejected the request, so that a retry is of no use. An error without a code comes from a
  /// proxy.
  var isFinal: Bool { !isTransient && !hasCode("UNKNOWN", "STORAGE") }

  /// What an app does about the error, as in the TypeScript client: `reload`, `retry`, `sign-in` or `contact-support`. Of a
  /// refused change, select `advice` in `userErrors`.
  public var advice: String {
    if hasCode("INVALID_NONCE", "SIGN_IN_REJECTED", "INVALID_REFRESH_TOKEN", "TOKEN_NOT_FOUND", "UNAUTHENTICATED") { return "sign-in" }
    if hasCode("SIGNED_OUT", "CANCELLED", "FOREIGN_REDIRECT", "SIGN_IN_REFUSED") { return "sign-in" }
    if mayHaveRun { return "reload" }
    return isTransient || code == "STORAGE" ? "retry" : "contact-support"
  }

  public func hasCode(_ codes: String...) -> Bool { codes.contains(code) }
}
