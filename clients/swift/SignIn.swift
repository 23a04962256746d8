/// Sign-in: start, the platform's pages in the system's browser, exchange. Each step is stored before the next one
/// starts.
import Foundation

struct SignIn: Sendable {
  let parts: Parts
  let exchange: Exchange

  private struct Started: Decodable, Sendable {
    let authUrl: URL
    let verifier: String
    let nonce: String
    let state: String
    let redirectUri: String
  }

  func begin() async throws -> Session {
    do {
      return try await beginOnce()
    } catch let error as ServiceError where error.hasCode("SIGN_IN_REJECTED", "INVALID_NONCE") {
      // The code was rejected or expired. Try again: the customer is usually still signed in at the platform and sees
      // no form.
      return try await beginOnce()
    }
  }

  private func beginOnce() async throws -> Session {
    let waiting = try await exchange.newestWaiting()
    if let waiting { return try await exchange.of(waiting) }
    let body = StartRequest(shop: parts.shop, locale: parts.options.language())
    let endsAtMs = parts.endsAtMs
    let started: Started = try await parts.calls.keepTrying(until: endsAtMs) {
      try await parts.calls.send("POST", "/headless-auth/start", body: body, until: endsAtMs)
    }
    let nowMs = parts.nowMs
    let signIn = StoredSignIn(
      state: started.state, verifier: started.verifier, nonce: started.nonce, redirectUri: started.redirectUri,
      startedAtMs: nowMs)
    // Three sign-ins without a code are stored: a customer can press the button again while the first browser is open.
    try await parts.turns.inTurn { try $0.setSignIns(Array(([signIn] + $0.openSignIns(nowMs: nowMs)).prefix(3))) }
    let request = BrowserRequest(authUrl: started.authUrl, redirectUri: started.redirectUri)
    guard let url = await parts.options.openBrowser(request) else { return try await parts.readSession() }
    return try await complete(url)
  }

  /// Completes the sign-in of a callback. Throws FOREIGN_REDIRECT, CANCELLED, SIGN_IN_REFUSED, or the errors of the
  /// exchange.
  func complete(_ url: String) async throws -> Session {
    let callback = try Callback(url)
    let nowMs = parts.nowMs
    let signIn = try await parts.turns.inTurn { try $0.take(callback, nowMs: nowMs) }
    guard let signIn else { return try await parts.readSession() }
    return try await exchange.of(signIn)
  }
}

extension Records {
  /// Claims the callback's sign-in, or returns nil if its session is stored already: the system can deliver an address
  /// twice.
  fileprivate func take(_ callback: Callback, nowMs: Int64) throws -> StoredSignIn? {
    if try session()?.state == callback.state { return nil }
    let signIns = try openSignIns(nowMs: nowMs)
    let found = signIns.first { $0.state == callback.state && $0.redirectUri == callback.address }
    guard var ownSignIn = found else { throw Callback.foreign }
    let others = signIns.filter { $0.state != callback.state }
    if let error = callback.error {
      try setSignIns(others)
      // RFC 6749, section 4.1.2.1.
      throw ServiceError(code: error == "access_denied" ? "CANCELLED" : "SIGN_IN_REFUSED")
    }
    if ownSignIn.code != nil, ownSignIn.code != callback.code { throw Callback.foreign }
    // Store the code first: if the app is killed now, its next start sends the same request and gets the same tokens.
    ownSignIn.code = callback.code
    try setSignIns([ownSignIn] + others)
    return ownSignIn
  }

  /// Returns the sign-ins that can still complete. The service accepts a code for 15 minutes after the start; only the
  /// service knows whether a waiting code is still valid.
  fileprivate func openSignIns(nowMs: Int64) throws -> [StoredSignIn] {
    try signIns().filter { $0.code != nil || $0.startedAtMs >= nowMs - 900_000 }
  }
}
