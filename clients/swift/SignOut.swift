/// Sign-out, which a lost connection does not undo: nobody is signed in at once, and the service is told until it has heard it.
import Foundation

extension Records {
  /// Has the service told that this sign-in is over. Who signs out five times without a connection is not waited for longer.
  func keepSignOut(_ ended: StoredSession) throws {
    let current = StoredSignOut(customerId: ended.customerId, refreshToken: ended.refreshToken)
    try setSignOuts(Array(([current] + (try signOuts())).prefix(5)))
  }
}

actor SignOut {
  private let parts: Parts
  private var running: Task<Void, Error>?

  private struct Revoked: Decodable, Sendable {
    let revoked: Bool
  }

  init(_ parts: Parts) { self.parts = parts }

  /// Throws STORAGE where the tokens could not be taken out: then nobody is signed out.
  func end() async throws {
    let pendingSignOuts: StoredSession? = try await parts.turns.inTurn { records in
      let stored = try records.session()
      // A full storage keeps nobody signed in: then the service is told now or never.
      var isStored = true
      if let stored { isStored = (try? records.keepSignOut(stored)) != nil }
      try records.setSignIns([])
      try records.setSession(nil)
      return isStored ? nil : stored
    }
    await parts.announcer.announce(.signedOut(endedByService: false))
    Task {
      if let pendingSignOuts {
        _ = await self.isReceived(StoredSignOut(customerId: pendingSignOuts.customerId, refreshToken: pendingSignOuts.refreshToken))
      }
      try await self.sendAll()
    }
  }

  /// Tells the service about sign-outs that it may not have heard of. Throws STORAGE; what passes is left for another time.
  func sendAll() async throws {
    let current = running ?? Task { try await self.sendEach() }
    running = current
    defer { if running == current { running = nil } }
    try await current.value
  }

  private func sendEach() async throws {
    let waiting = try await parts.turns.inTurn { try $0.signOuts() }
    for signOut in waiting {
      let isOver = await isReceived(signOut)
      guard isOver else { continue }
      try await parts.turns.inTurn { records in
        try records.setSignOuts(try records.signOuts().filter { $0 != signOut })
      }
    }
  }

  private func isReceived(_ signOut: StoredSignOut) async -> Bool {
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
