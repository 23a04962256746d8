/// The dependencies that a session's use cases share, and the session's listeners.
import Foundation

struct Parts: Sendable {
  let options: CustomerClientOptions
  let turns: Turns
  let calls: ServiceCalls
  let announcer: Announcer

  var shop: String { options.shop }
  var nowMs: Int64 { options.environment.now() }
  /// The deadline of a call that starts now, by the device's clock.
  var endsAtMs: Int64 { nowMs + options.deadlineMs }

  /// Reads the session and announces it to all listeners. Throws STORAGE.
  func readSession() async throws -> Session {
    let (_, session) = try await turns.inTurn { try $0.storedSession() }
    await announcer.announce(session)
    return session
  }
}

/// Notifies listeners of the session, without waiting for them and once per change.
actor Announcer {
  private struct Listening {
    let stream: AsyncStream<Session>.Continuation
    var known: Session?
  }
  private var all: [UUID: Listening] = [:]

  /// Notifies all listeners whose last session differs.
  func announce(_ session: Session) {
    for id in all.keys where !session.isSame(as: all[id]?.known) {
      all[id]?.known = session
      all[id]?.stream.yield(session)
    }
  }

  func add(_ id: UUID, _ stream: AsyncStream<Session>.Continuation) { all[id] = Listening(stream: stream) }

  func remove(_ id: UUID) { all[id] = nil }
}
