/// A sign-in as an app displays it. Tokens stay inside the client.
import Foundation

public enum Session: Sendable {
  case signedIn(customerId: Int64)
  /// `endedByService`: the service has ended the session. The app should show the sign-in without an error message.
  case signedOut(endedByService: Bool)
  /// The storage cannot be read, for example on a locked device. The customer stays signed in.
  case unknown(ServiceError)

  init(_ stored: StoredSession?) {
    guard let stored else {
      self = .signedOut(endedByService: false)
      return
    }
    self = .signedIn(customerId: stored.customerId)
  }

  /// Compares sessions without the reason of a sign-out: only the change itself reports it.
  func isSame(as other: Session?) -> Bool {
    switch (self, other) {
    case (.signedIn(let own), .signedIn(let others)): return own == others
    case (.signedOut, .signedOut), (.unknown, .unknown): return true
    default: return false
    }
  }
}
