/// What an app shows of a sign-in. Tokens stay inside the client.
import Foundation

enum Session: Sendable {
  case signedIn(customerId: Int64)
  /// `endedByService`: the service has ended the sign-in, so the app shows the sign-in without a word of an error.
  case signedOut(endedByService: Bool)
  /// The storage does not tell, for example on a locked device. Nobody is signed out by it.
  case unknown(ServiceError)

  init(_ stored: StoredSession?) {
    guard let stored else {
      self = .signedOut(endedByService: false)
      return
    }
    self = .signedIn(customerId: stored.customerId)
  }

  /// Who ended a sign-in is told with the change alone.
  func isSame(as other: Session?) -> Bool {
    switch (self, other) {
    case (.signedIn(let own), .signedIn(let others)): return own == others
    case (.signedOut, .signedOut), (.unknown, .unknown): return true
    default: return false
    }
  }
}
