/// Exchanges a sign-in's code for its tokens: sends the same request until the service responds, also after a restart
/// of the app.
import Foundation

actor Exchange {
  private let parts: Parts
  private var running: [String: Task<Session, Error>] = [:]

  init(_ parts: Parts) { self.parts = parts }

  /// An address can arrive twice at the same time. Both calls share one exchange, which continues if both are
  /// cancelled.
  func of(_ signIn: StoredSignIn) async throws -> Session {
    let currentRun = running[signIn.state] ?? Task { try await self.exchange(signIn) }
    running[signIn.state] = currentRun
    defer { running[signIn.state] = nil }
    return try await currentRun.value
  }

  /// Returns the sign-in whose code awaits a response. Drops a sign-in that has already become the stored session.
  func newestWaiting() async throws -> StoredSignIn? {
    try await parts.turns.inTurn { records in
      guard let waiting = try records.signIns().first(where: { $0.code != nil }) else { return nil }
      guard try records.session()?.state == waiting.state else { return waiting }
      try records.drop(waiting)
      return nil
    }
  }

  private func exchange(_ signIn: StoredSignIn) async throws -> Session {
    let body = ExchangeRequest(
      shop: parts.shop, code: signIn.code ?? "", verifier: signIn.verifier, nonce: signIn.nonce)
    do {
      let endsAtMs = parts.endsAtMs
      let next = try await parts.calls.keepTrying(until: endsAtMs) {
        try await self.parts.calls.sendForPair(
          "/headless-auth/exchange", body: body, state: signIn.state, until: endsAtMs)
      }
      return try await store(signIn, next)
    } catch let error as ServiceError where error.isFinal {
      try await parts.turns.inTurn { try $0.drop(signIn) }
      throw error
    }
  }

  private func store(_ signIn: StoredSignIn, _ next: StoredSession) async throws -> Session {
    let stored: StoredSession? = try await parts.turns.inTurn { records in
      let stored = try records.session()
      let isOwn = stored?.state == signIn.state
      if !isOwn {
        guard try records.signIns().contains(where: { $0.state == signIn.state }) else {
          // A concurrent sign-out wins.
          try records.keepSignOut(next)
          return nil
        }
        try records.setSession(next)
      }
      // If this fails, `newestWaiting` detects the completed sign-in. A sign-in that started earlier must not replace
      // this one later.
      try? records.drop(signIn, keeping: { $0.startedAtMs > signIn.startedAtMs })
      return isOwn ? stored : next
    }
    guard let stored else { throw ServiceError(code: "SIGNED_OUT") }
    let session = Session(stored)
    await parts.announcer.announce(session)
    return session
  }
}

extension Records {
  fileprivate func drop(_ signIn: StoredSignIn, keeping isRetained: (StoredSignIn) -> Bool = { _ in true }) throws {
    try setSignIns(try signIns().filter { $0.state != signIn.state && isRetained($0) })
  }
}
