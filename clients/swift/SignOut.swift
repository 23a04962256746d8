/// Sign-out. It survives a lost connection: the session ends immediately on the device, and the service receives the
/// sign-out as soon as it is reachable.
import Foundation

extension Records {
  /// Queues a sign-out for the service. Up to five wait for a connection; older ones are dropped.
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

  /// Signs out. Throws STORAGE if the tokens could not be deleted; then the session is unchanged.
  func end() async throws {
    let pendingSignOuts: StoredSession? = try await parts.turns.inTurn { records in
      let stored = try records.session()
      // A full storage must not prevent the sign-out. Without a queued record, the service receives it now or never.
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

  /// Sends all queued sign-outs to the service. Throws STORAGE; the next run retries transient errors.
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
