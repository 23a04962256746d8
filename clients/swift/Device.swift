/// What the client takes of the device. All of it can be given, so that a test decides what time it is and what gets lost.
import Foundation

/// The Keychain or another place that no other app reads. Whatever is thrown becomes STORAGE, and signs nobody out.
protocol Storage: Sendable {
  /// Nil where nothing is stored.
  func get(_ key: String) throws -> String?
  func set(_ key: String, _ text: String) throws
  func remove(_ key: String) throws
}

struct BrowserRequest: Sendable {
  let authUrl: URL
  /// Where the browser comes back to.
  let redirectUri: String
}

/// Shows the platform's sign-in pages: in the system's browser, never in a web view of the app's own. The address that the
/// browser came back to; nil where it closed without one. Nil cancels nothing: for 15 minutes `completeSignIn` takes it.
typealias OpenBrowser = @Sendable (BrowserRequest) async -> String?

struct Environment: Sendable {
  var send: @Sendable (URLRequest) async throws -> (Data, URLResponse) = { request in
    try await URLSession.shared.data(for: request, delegate: NoRedirects())
  }
  /// Milliseconds since 1970 by the device's clock, which may be wrong.
  var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
  var wait: @Sendable (Int64) async throws -> Void = { try await Task.sleep(nanoseconds: UInt64($0) * 1_000_000) }
  /// From 0 to below 1; spreads repeats.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// A new text for each call, unlike all others: the key of a change.
  var createKey: @Sendable () -> String = { UUID().uuidString }
}

/// The service never redirects: who does is another, such as a captive portal.
private final class NoRedirects: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest? {
    return nil
  }
}
