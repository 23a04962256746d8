/// Everything that can go wrong, by its code: one type, so an app has one place that puts errors in words.
import Foundation

struct ServiceError: Error, Sendable {
  /// One of the service's catalogue (docs/errors.md), of the platform, or the client's own: NETWORK, no answer or none of the
  /// service's (a captive portal); STORAGE, the device's storage failed, nobody is signed out by it; SIGNED_OUT; CANCELLED,
  /// the customer refused the sign-in; FOREIGN_REDIRECT, an address that is not this sign-in's; SIGN_IN_REFUSED, the
  /// platform's page told an error; UNKNOWN, an answer without a code.
  let code: String
  /// For developers; the service's is in the customer's language.
  let message: String
  /// HTTP; 0 where no answer came.
  let status: Int
  /// How long the service asks to wait, if it does.
  let retryAfterMs: Int64?
  /// Quote it to whoever runs the service.
  let requestId: String?
  /// Why a credential is not taken, for developers: of UNAUTHENTICATED alone.
  let details: String?

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

  /// Where nothing else is known.
  private static let messages = [
    "NETWORK": "No answer of the service came.",
    "STORAGE": "The storage of the device failed.",
    "SIGNED_OUT": "Nobody is signed in: call signIn().",
    "CANCELLED": "The customer refused the sign-in.",
    "FOREIGN_REDIRECT": "This address belongs to no sign-in of this device.",
    "SIGN_IN_REFUSED": "The platform refused the sign-in.",
    "UNKNOWN": "The answer has no code.",
  ]

  /// The same request may well succeed later; nobody's sign-in ends because of it.
  var isTransient: Bool {
    if hasCode("NETWORK", "TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR", "THROTTLED", "PLATFORM_UNAVAILABLE") { return true }
    if hasCode("IDEMPOTENCY_CONCURRENT_REQUEST") { return true }
    // What stays so until somebody does something.
    if hasCode("STOREFRONT_TOKEN_UNAVAILABLE", "STORE_ACCESS_MISSING", "STORE_DISCONNECTED") { return false }
    // By the status where the code is newer than this client, or is none: of the gateway, or of something on the way.
    return status == 429 || status >= 500
  }

  /// The request may have run, and whoever does not know has to read.
  var mayHaveRun: Bool {
    if code == "UNKNOWN" { return status != 429 && status != 503 }
    return hasCode("NETWORK", "INTERNAL_ERROR", "OUTCOME_UNKNOWN") || (status >= 500 && status != 503)
  }

  /// The service has said no: sending it once more is of no use. Without a code it was somebody on the way.
  var isFinal: Bool { !isTransient && !hasCode("UNKNOWN", "STORAGE") }

  func hasCode(_ codes: String...) -> Bool { codes.contains(code) }
}
