/// Sign-out, which a lost connection does not undo: nobody is signed in at once, and the service is told until it has heard it.
import Foundation

extension Records {
  /// Has the service told that this sign-in is over. Who signs out five times without a connection is not waited for longer.
  func keepSignOut(_ ended: StoredSession) throws {
    let mine = StoredSignOut(customerId: ended.customerId, refreshToken: ended.refreshToken)
    try setSignOuts(Array(([mine] + (try signOuts())).prefix(5)))
  }
}

actor SignOut {
  private let parts: Parts
  private var telling: Task<Void, Error>?

  private struct Revoked: Decodable, Sendable {
    let revoked: Bool
  }

  init(_ parts: Parts) { self.parts = parts }

  /// Throws STORAGE where the tokens could not be taken out: then nobody is signed out.
  func end() async throws {
    let untold: StoredSession? = try await parts.turns.inTurn { records in
      let held = try records.session()
      // A full storage keeps nobody signed in: then the service is told now or never.
      var isKept = true
      if let held { isKept = (try? records.keepSignOut(held)) != nil }
      try records.setSignIns([])
      try records.setSession(nil)
      return isKept ? nil : held
    }
    await parts.announcer.announce(.signedOut(endedByService: false))
    Task {
      if let untold {
        _ = await self.isHeard(StoredSignOut(customerId: untold.customerId, refreshToken: untold.refreshToken))
      }
      try await self.tellAll()
    }
  }

  /// Tells the service about sign-outs that it may not have heard of. Throws STORAGE; what passes is left for another time.
  func tellAll() async throws {
    let mine = telling ?? Task { try await self.tellEach() }
    telling = mine
    defer { if telling == mine { telling = nil } }
    try await mine.value
  }

  private func tellEach() async throws {
    let waiting = try await parts.turns.inTurn { try $0.signOuts() }
    for signOut in waiting {
      let isOver = await isHeard(signOut)
      guard isOver else { continue }
      try await parts.turns.inTurn { records in
        try records.setSignOuts(try records.signOuts().filter { $0 != signOut })
      }
    }
  }

  private func isHeard(_ signOut: StoredSignOut) async -> Bool {
    let body = TokenRequest(shop: parts.shop, customerId: signOut.customerId, refreshToken: signOut.refreshToken)
    let endsAtMs = parts.endsAtMs
    do {
      let _: Revoked = try await parts.calls.keepTrying(until: endsAtMs) {
        try await self.parts.calls.send("DELETE", "/headless-auth/revoke", body: body, until: endsAtMs)
      }
      return true
    } catch {
      return (error as? ServiceError)?.isFinal ?? false
    }
  }
}
