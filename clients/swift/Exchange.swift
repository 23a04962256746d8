/// The code of a sign-in for its tokens: the same request until it is answered, also after the app was killed.
import Foundation

actor Exchange {
  private let parts: Parts
  private var running: [String: Task<Session, Error>] = [:]

  init(_ parts: Parts) { self.parts = parts }

  /// An address may arrive by two ways at once; both get the one exchange, which goes on when neither waits any more.
  func of(_ signIn: StoredSignIn) async throws -> Session {
    let currentRun = running[signIn.state] ?? Task { try await self.exchange(signIn) }
    running[signIn.state] = currentRun
    defer { running[signIn.state] = nil }
    return try await currentRun.value
  }

  /// The sign-in whose code waits for its answer. One that became the stored session is over, though nobody noted it.
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
          // A sign-out meanwhile wins.
          try records.keepSignOut(next)
          return nil
        }
        try records.setSession(next)
      }
      // If this fails, `newestWaiting` finds that the sign-in is over. One that began earlier must not take its place later.
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
