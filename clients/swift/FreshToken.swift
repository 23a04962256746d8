/// An access token that is still good. One refresh at a time; the stored session is read again before and after it, so that a
/// newer one is used and a sign-out wins; and the new pair is stored before its first use.
import Foundation

actor FreshToken {
  private let parts: Parts
  private var refreshing: Task<String, Error>?

  init(_ parts: Parts) { self.parts = parts }

  /// `refused`: the access token that the service has just refused. SIGNED_OUT where nobody is signed in, and only there.
  func get(refused: String? = nil) async throws -> String {
    let stored = try await readStored()
    if stored.isGood(nowMs: parts.nowMs, refused: refused) { return stored.accessToken }
    // A task of its own: it goes on when the one who asked first is cancelled, because its answer has to be stored.
    let currentRun = refreshing ?? Task { try await self.refresh(refused) }
    refreshing = currentRun
    defer { if refreshing == currentRun { refreshing = nil } }
    let token = try await currentRun.value
    // Somebody else's refresh was begun for another refused token.
    return token == refused ? try await get(refused: refused) : token
  }

  private func refresh(_ refused: String?) async throws -> String {
    let sent = try await readStored()
    if sent.isGood(nowMs: parts.nowMs, refused: refused) { return sent.accessToken }
    let next = try await askForNext(sent)
    let stored = try await parts.turns.inTurn { records in
      let stored = try records.session()
      // Another part of the app, or another sign-in, was faster: what is stored is newer than this answer.
      guard let stored, stored.refreshToken == sent.refreshToken else { return stored }
      try records.setSession(next)
      return next
    }
    if let stored {
      await parts.announcer.announce(Session(stored))
      return stored.accessToken
    }
    await parts.announcer.announce(.signedOut(endedByService: next == nil))
    throw ServiceError(code: "SIGNED_OUT")
  }

  /// Nil: the service has ended the sign-in of this token. Everything else that goes wrong is thrown, and ends nothing.
  private func askForNext(_ sent: StoredSession) async throws -> StoredSession? {
    let body = TokenRequest(shop: parts.shop, customerId: sent.customerId, refreshToken: sent.refreshToken)
    do {
      return try await parts.calls.sendForPair("/headless-auth/refresh", body: body, state: sent.state)
    } catch let error as ServiceError where error.hasCode("INVALID_REFRESH_TOKEN", "TOKEN_NOT_FOUND") {
      return nil
    }
  }

  private func readStored() async throws -> StoredSession {
    let stored = try await parts.turns.inTurn { try $0.session() }
    await parts.announcer.announce(Session(stored))
    guard let stored else { throw ServiceError(code: "SIGNED_OUT") }
    return stored
  }
}
