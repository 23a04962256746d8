/// The device functions that the client uses. All can be replaced, so that a test controls time and lost responses.
import Foundation

/// The Keychain or another storage that no other app can read. Each error becomes STORAGE and keeps the session.
public protocol Storage: Sendable {
  /// Nil if nothing is stored.
  func get(_ key: String) throws -> String?
  func set(_ key: String, _ text: String) throws
  func remove(_ key: String) throws
}

public struct BrowserRequest: Sendable {
  public let authUrl: URL
  /// The address to which the platform redirects the browser.
  public let redirectUri: String
}

/// Shows the platform's sign-in pages in the system's browser, never in a web view of the app. Returns the redirect
/// address, or nil if the browser closed without one. Nil does not cancel the sign-in: `completeSignIn` accepts the
/// address for 15 minutes.
public typealias OpenBrowser = @Sendable (BrowserRequest) async -> String?

public struct DeviceEnvironment: Sendable {
  public var send: @Sendable (URLRequest) async throws -> (Data, URLResponse) = { request in
    try await session.data(for: request)
  }
  /// Milliseconds since 1970 by the device's clock, which may be wrong.
  public var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
  public var wait: @Sendable (Int64) async throws -> Void = { try await Task.sleep(nanoseconds: UInt64($0) * 1_000_000) }
  /// A number from 0 to below 1, for the jitter of retries.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// Returns a new unique string for each call: the idempotency key of a change.
  public var createKey: @Sendable () -> String = { UUID().uuidString }

  public init() {}
}

/// Has no cookies, caches or credentials of the app's other requests.
private let session = URLSession(configuration: .ephemeral, delegate: NoRedirects(), delegateQueue: nil)

/// The service never redirects, so a redirect comes from another server, such as a captive portal.
private final class NoRedirects: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
