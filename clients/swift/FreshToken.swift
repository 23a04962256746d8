/// Provides a valid access token. Runs one refresh at a time. Reads the stored session again before and after a
/// refresh, so that a newer session is used and a sign-out wins. Stores the new pair before its first use.
import Foundation

actor FreshToken {
  private let parts: Parts
  private var refreshing: Task<String, Error>?

  init(_ parts: Parts) { self.parts = parts }

  /// Returns a valid access token. `refused` is the access token that the service has just rejected. Throws SIGNED_OUT
  /// only if there is no session.
  func get(refused: String? = nil) async throws -> String {
    let stored = try await readStored()
    if stored.isGood(nowMs: parts.nowMs, refused: refused) { return stored.accessToken }
    // A separate task continues if its first caller is cancelled, because its response has to be stored.
    let currentRun = refreshing ?? Task { try await self.refresh(refused) }
    refreshing = currentRun
    defer { if refreshing == currentRun { refreshing = nil } }
    let token = try await currentRun.value
    // The shared refresh was started for another rejected token.
    return token == refused ? try await get(refused: refused) : token
  }

  private func refresh(_ refused: String?) async throws -> String {
    let sent = try await readStored()
    if sent.isGood(nowMs: parts.nowMs, refused: refused) { return sent.accessToken }
    let next = try await askForNext(sent)
    let (stored, session) = try await parts.turns.inTurn { records -> (StoredSession?, Session) in
      let (stored, session) = try records.storedSession()
      // Another part of the app, or another sign-in, was faster: the stored session is newer than this response.
      guard let stored, stored.refreshToken == sent.refreshToken else { return (stored, session) }
      guard let next else {
        try records.setEnded()
        return (nil, .signedOut(endedByService: true))
      }
      try records.setSession(next)
      return (next, Session(next))
    }
    await parts.announcer.announce(session)
    guard let stored else { throw ServiceError(code: "SIGNED_OUT") }
    return stored.accessToken
  }

  /// Requests the next token pair, or returns nil if the service has ended the token's session. Every other error is
  /// thrown and keeps the session.
  private func askForNext(_ sent: StoredSession) async throws -> StoredSession? {
    let body = TokenRequest(shop: parts.shop, customerId: sent.customerId, refreshToken: sent.refreshToken)
    do {
      return try await parts.calls.sendForPair("/headless-auth/refresh", body: body, state: sent.state)
    } catch let error as ServiceError where error.hasCode("INVALID_REFRESH_TOKEN", "TOKEN_NOT_FOUND") {
      return nil
    }
  }

  private func readStored() async throws -> StoredSession {
    let (stored, session) = try await parts.turns.inTurn { try $0.storedSession() }
    await parts.announcer.announce(session)
    guard let stored else { throw ServiceError(code: "SIGNED_OUT") }
    return stored
  }
}
