/// Everything that can go wrong, by its code: one type, so an app has one place that puts errors in words.
import Foundation

struct ServiceError: Error, Sendable {
  /// One of the service's catalogue (docs/errors.md), of the platform, or the client's own: NETWORK, no answer or none of the
  /// service's (a captive portal); STORAGE, the device's storage failed, nobody is signed out by it; SIGNED_OUT; CANCELLED,
  /// the customer refused the sign-in; FOREIGN_REDIRECT, an address that is not this sign-in's; SIGN_IN_REFUSED, the
  /// platform's page told an error; UNKNOWN, an answer without a code.
  let code: String
  var message = ""
  /// HTTP; 0 where no answer came.
  var status = 0
  /// How long the service asks to wait, if it does.
  var retryAfterMs: Int64?
  /// Quote it to whoever runs the service.
  var requestId: String?

  /// The same request may well succeed later; nobody's sign-in ends because of it.
  var isPassing: Bool {
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
  var isFinal: Bool { !isPassing && !hasCode("UNKNOWN", "STORAGE") }

  func hasCode(_ codes: String...) -> Bool { codes.contains(code) }
}
