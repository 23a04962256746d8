/// The records on the device, and the lock under which they are read and written. The lock is not reentrant.
import Foundation

/// A sign-in in progress: its browser is open, or its `code` awaits a response.
struct StoredSignIn: Codable, Sendable {
  let state: String
  let verifier: String
  let nonce: String
  let redirectUri: String
  /// Milliseconds since 1970 by the device's clock.
  let startedAtMs: Int64
  var code: String?
}

/// A sign-out that the service has not confirmed.
struct StoredSignOut: Codable, Equatable, Sendable {
  let customerId: Int64
  let refreshToken: String
}

/// Is stored in place of a session that the service has ended.
struct EndedSession: Codable, Sendable {
  let endedByService: Bool
}

actor Turns {
  private let records: Records

  init(storage: Storage, shop: String) { records = Records(storage: storage, shop: shop) }

  /// Runs work under the lock, after all earlier work. The work never suspends, so no other work runs between its reads
  /// and writes.
  func inTurn<Result: Sendable>(_ work: @Sendable (Records) throws -> Result) throws -> Result { try work(records) }
}

/// Nil means that nothing is stored, or that it cannot be read: it is truncated, or was encrypted on another phone.
/// Each function throws STORAGE.
struct Records: Sendable {
  let storage: Storage
  let shop: String

  func session() throws -> StoredSession? { try read("session") }
  func setSession(_ session: StoredSession?) throws { try write("session", session) }

  /// Whether the service has ended the last session. False while a session is stored.
  func isEnded() throws -> Bool {
    let ended: EndedSession? = try read("session")
    return ended?.endedByService == true
  }

  /// Stores that the service has ended the session, so that every part of the app reports the same after a restart.
  func setEnded() throws {
    do {
      try write("session", EndedSession(endedByService: true))
    } catch {
      // A full storage must not preserve tokens that the service refuses.
      try setSession(nil)
    }
  }

  /// Returns the stored session, and the session that an app displays.
  func storedSession() throws -> (StoredSession?, Session) {
    if let stored = try session() { return (stored, Session(stored)) }
    return (nil, .signedOut(endedByService: try isEnded()))
  }

  func signIns() throws -> [StoredSignIn] { try read("signIns") ?? [] }
  func setSignIns(_ all: [StoredSignIn]) throws { try write("signIns", all.isEmpty ? nil : all) }
  func signOuts() throws -> [StoredSignOut] { try read("signOuts") ?? [] }
  func setSignOuts(_ all: [StoredSignOut]) throws { try write("signOuts", all.isEmpty ? nil : all) }

  private func read<Value: Decodable>(_ kind: String) throws -> Value? {
    guard let text = try guarded({ try storage.get(key(kind)) }) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  private func write<Value: Encodable>(_ kind: String, _ value: Value?) throws {
    try guarded {
      guard let value else { return try storage.remove(key(kind)) }
      try storage.set(key(kind), String(decoding: JSONEncoder().encode(value), as: UTF8.self))
    }
  }

  private func key(_ kind: String) -> String { "subscriptions.\(shop).\(kind)" }

  private func guarded<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch {
      throw ServiceError(code: "STORAGE", message: "\(error)")
    }
  }
}
