/// What the use cases of a session share, and who is told of it.
import Foundation

struct Parts: Sendable {
  let options: CustomerClientOptions
  let turns: Turns
  let calls: ServiceCalls
  let announcer: Announcer

  var shop: String { options.shop }
  var nowMs: Int64 { options.environment.now() }
  /// When a call that begins now is over, by the device's clock.
  var endsAtMs: Int64 { nowMs + options.deadlineMs }

  /// Who is signed in, read now and told to all. Throws STORAGE.
  func readSession() async throws -> Session {
    let session = Session(try await turns.inTurn { try $0.session() })
    await announcer.announce(session)
    return session
  }
}

/// Tells listeners who is signed in: never waited for, and each change once.
actor Announcer {
  private struct Listening {
    let stream: AsyncStream<Session>.Continuation
    var known: Session?
  }
  private var all: [UUID: Listening] = [:]

  /// Tells all who know another session.
  func announce(_ session: Session) {
    for id in all.keys where !session.isSame(as: all[id]?.known) {
      all[id]?.known = session
      all[id]?.stream.yield(session)
    }
  }

  func add(_ id: UUID, _ stream: AsyncStream<Session>.Continuation) { all[id] = Listening(stream: stream) }

  func remove(_ id: UUID) { all[id] = nil }
}
