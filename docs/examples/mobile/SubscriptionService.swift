import AuthenticationServices
import Foundation
import Security
import UIKit

struct TokenPair: Codable {
  let accessToken: String
  let refreshToken: String
  let customerId: Int64
  let expiresAt: String
}

struct StoredSession: Codable {
  let pair: TokenPair
  let receivedAt: Date
}

struct PendingExchange: Codable {
  let shop: String
  let code: String
  let verifier: String
  let nonce: String
}

struct TokenRequest: Codable {
  let shop: String
  let customerId: Int64
  let refreshToken: String
}

struct ServiceError: Error {
  let code: String
  var status = 0
  var retryAfter: TimeInterval = 0

  /// The same request may well succeed in a moment.
  var isPassing: Bool {
    let isFinal = ["STOREFRONT_TOKEN_UNAVAILABLE", "STORE_ACCESS_MISSING", "STORE_DISCONNECTED"].contains(code)
    return !isFinal && (code == "NETWORK" || status == 429 || status >= 500)
  }
}

/// One for the whole app. Its work on the tokens runs one after the other.
actor SubscriptionService {
  private struct Started: Decodable {
    let authUrl: URL
    let verifier: String
    let nonce: String
    let state: String
    let redirectUri: String
  }

  private struct ErrorBody: Decodable {
    struct Entry: Decodable {
      struct Extensions: Decodable { let code: String? }
      let extensions: Extensions?
    }
    struct Problem: Decodable { let code: String }
    let error: Problem?
    let errors: [Entry]?
    var code: String { error?.code ?? errors?.first?.extensions?.code ?? "UNKNOWN" }
  }

  private let serviceURL: URL
  private let shop: String
  private var lastTurn: Task<Void, Never>?

  init(serviceURL: URL, shop: String) {
    self.serviceURL = serviceURL
    self.shop = shop
  }

  // MARK: Sign-in

  func signIn(anchor: ASPresentationAnchor) async throws {
    do {
      try await signInOnce(anchor: anchor)
    } catch let error as ServiceError where ["SIGN_IN_REJECTED", "INVALID_NONCE"].contains(error.code) {
      // The code was not taken, or came too late. The customer is usually still signed in at the platform and sees no form.
      try await signInOnce(anchor: anchor)
    }
  }

  private func signInOnce(anchor: ASPresentationAnchor) async throws {
    let started: Started = try await keepTrying {
      try await self.send("POST", "/headless-auth/start", body: ["shop": self.shop])
    }
    let callback = try await BrowserSession.open(started.authUrl, redirectURI: started.redirectUri, anchor: anchor)
    let code = try readCode(callback, started)
    // Stored first: if the app is killed now, its next start sends the same again and gets the same tokens.
    let pending = PendingExchange(shop: shop, code: code, verifier: started.verifier, nonce: started.nonce)
    try Keychain.write("pending-exchange", pending)
    try await finishExchange()
  }

  /// Call it at every start of the app, too.
  func finishExchange() async throws {
    guard let pending = try Keychain.read("pending-exchange", as: PendingExchange.self) else { return }
    do {
      let pair: TokenPair = try await keepTrying {
        try await self.send("POST", "/headless-auth/exchange", body: pending)
      }
      try Keychain.write("session", StoredSession(pair: pair, receivedAt: .now))
      Keychain.remove("pending-exchange")
    } catch let error as ServiceError {
      if !error.isPassing { Keychain.remove("pending-exchange") }
      throw error
    }
  }

  /// Only the registered address with this sign-in's state brings a code (RFC 6749, section 10.12).
  private func readCode(_ callback: URL, _ started: Started) throws -> String {
    let address = callback.absoluteString.split(separator: "?", maxSplits: 1).first.map(String.init)
    let query = URLComponents(url: callback, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    guard address == started.redirectUri, value("state") == started.state else {
      throw ServiceError(code: "FOREIGN_REDIRECT")
    }
    guard let code = value("code") else { throw ServiceError(code: value("error") ?? "CANCELLED") }
    return code
  }

  // MARK: Tokens

  /// Throws SIGNED_OUT when the sign-in is over, and only then.
  private func freshAccessToken(refused: String? = nil) async throws -> String {
    try await inTurn {
      // Read in turn, just before it is used: whoever came before may have stored a newer pair.
      guard let session = try Keychain.read("session", as: StoredSession.self) else {
        throw ServiceError(code: "SIGNED_OUT")
      }
      if self.isYoung(session), session.pair.accessToken != refused { return session.pair.accessToken }
      return try await self.refresh(session.pair)
    }
  }

  nonisolated private func isYoung(_ session: StoredSession) -> Bool {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let expiresAt = try? Date(session.pair.expiresAt, strategy: format) else { return false }
    return Date.now < expiresAt - 120 || Date.now.timeIntervalSince(session.receivedAt) < 300
  }

  private func refresh(_ pair: TokenPair) async throws -> String {
    let body = TokenRequest(shop: shop, customerId: pair.customerId, refreshToken: pair.refreshToken)
    do {
      let next: TokenPair = try await send("POST", "/headless-auth/refresh", body: body)
      // Stored before its first use.
      try Keychain.write("session", StoredSession(pair: next, receivedAt: .now))
      return next.accessToken
    } catch let error as ServiceError where ["INVALID_REFRESH_TOKEN", "TOKEN_NOT_FOUND"].contains(error.code) {
      Keychain.remove("session")
      throw ServiceError(code: "SIGNED_OUT")
    }
  }

  /// An actor lets others in wherever one waits; here each work waits for the one before.
  private func inTurn<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let before = lastTurn
    let mine = Task { () async throws -> Result in
      await before?.value
      return try await work()
    }
    lastTurn = Task { _ = try? await mine.value }
    return try await mine.value
  }

  // MARK: GraphQL

  /// One operation, its whole answer. Look at `errors` and `userErrors` before you take a change for done. With
  /// `isChange`, only what certainly did not run is sent again.
  func ask<Answer: Decodable & Sendable, Body: Encodable & Sendable>(
    _ body: Body, isChange: Bool, as type: Answer.Type
  ) async throws -> Answer {
    let path = "/api/storefront/unstable/graphql.json"
    return try await keepTrying(isChange: isChange) {
      let token = try await self.freshAccessToken()
      do {
        return try await self.send("POST", path, body: body, accessToken: token)
      } catch let error as ServiceError where error.code == "UNAUTHENTICATED" {
        let next = try await self.freshAccessToken(refused: token)
        return try await self.send("POST", path, body: body, accessToken: next)
      }
    }
  }

  // MARK: Sign-out

  func signOut() async throws {
    let shop = self.shop
    try await inTurn {
      guard let pair = try Keychain.read("session", as: StoredSession.self)?.pair else { return }
      let pending = TokenRequest(shop: shop, customerId: pair.customerId, refreshToken: pair.refreshToken)
      try Keychain.write("pending-revocation", pending)
      Keychain.remove("session")
    }
    try await finishRevocation()
  }

  /// Call it at every start of the app, too.
  func finishRevocation() async throws {
    guard let pending = try Keychain.read("pending-revocation", as: TokenRequest.self) else { return }
    struct Revoked: Decodable, Sendable { let revoked: Bool }
    do {
      let _: Revoked = try await keepTrying {
        try await self.send("DELETE", "/headless-auth/revoke", body: pending)
      }
    } catch let error as ServiceError where error.isPassing {
      return
    } catch is ServiceError {
      // Nothing is left to revoke.
    }
    Keychain.remove("pending-revocation")
  }

  // MARK: Requests

  private func send<Answer: Decodable>(
    _ method: String, _ path: String, body: some Encodable, accessToken: String? = nil
  ) async throws -> Answer {
    guard let url = URL(string: path, relativeTo: serviceURL) else { throw ServiceError(code: "BAD_ADDRESS") }
    var request = URLRequest(url: url, timeoutInterval: 25)
    request.httpMethod = method
    request.httpBody = try JSONEncoder().encode(body)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let accessToken { request.setValue("Bearer \(accessToken)", forHTTPHeaderField: "Authorization") }
    guard let (data, response) = try? await URLSession.shared.data(for: request),
      let http = response as? HTTPURLResponse
    else { throw ServiceError(code: "NETWORK") }
    if http.statusCode == 200 {
      guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else {
        throw ServiceError(code: "NETWORK")
      }
      return answer
    }
    let code = (try? JSONDecoder().decode(ErrorBody.self, from: data))?.code ?? "UNKNOWN"
    let retryAfter = http.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init) ?? 0
    throw ServiceError(code: code, status: http.statusCode, retryAfter: retryAfter)
  }

  private func keepTrying<Answer: Sendable>(
    isChange: Bool = false, _ request: @Sendable () async throws -> Answer
  ) async throws -> Answer {
    var tries = 1
    while true {
      do {
        return try await request()
      } catch let error as ServiceError {
        let didNotRun = error.status == 429 || error.status == 503
        guard error.isPassing, didNotRun || !isChange, tries < 5 else { throw error }
        let backOff = min(pow(2, Double(tries - 1)) * .random(in: 0.75...1.25), 8)
        try await Task.sleep(for: .seconds(max(error.retryAfter, backOff)))
        tries += 1
      }
    }
  }
}

/// The system's browser. It shares its cookies with Safari, so who is signed in there sees no form.
@MainActor
final class BrowserSession: NSObject, ASWebAuthenticationPresentationContextProviding {
  private let anchor: ASPresentationAnchor
  private var session: ASWebAuthenticationSession?
  private init(anchor: ASPresentationAnchor) { self.anchor = anchor }

  static func open(_ url: URL, redirectURI: String, anchor: ASPresentationAnchor) async throws -> URL {
    let context = BrowserSession(anchor: anchor)
    return try await withCheckedThrowingContinuation { continuation in
      let session = ASWebAuthenticationSession(
        url: url, callbackURLScheme: URL(string: redirectURI)?.scheme
      ) { callback, _ in
        // Both live until now: the session holds its context weakly.
        withExtendedLifetime(context) {}
        if let callback {
          continuation.resume(returning: callback)
        } else {
          continuation.resume(throwing: ServiceError(code: "CANCELLED"))
        }
      }
      context.session = session
      session.presentationContextProvider = context
      session.prefersEphemeralWebBrowserSession = false
      session.start()
    }
  }

  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }
}

/// On this device only, and not before it was unlocked once.
enum Keychain {
  private static func query(_ key: String) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "subscriptions", kSecAttrAccount: key]
  }

  static func read<Value: Decodable>(_ key: String, as type: Value.Type) throws -> Value? {
    var found: CFTypeRef?
    let wanted = query(key).merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
    let status = SecItemCopyMatching(wanted as CFDictionary, &found)
    if status == errSecItemNotFound { return nil }
    // A locked device is no sign-out: throw, and try again later.
    guard status == errSecSuccess, let data = found as? Data else { throw ServiceError(code: "KEYCHAIN") }
    return try JSONDecoder().decode(Value.self, from: data)
  }

  static func write(_ key: String, _ value: some Encodable) throws {
    let data = try JSONEncoder().encode(value)
    let attributes: [CFString: Any] = [
      kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    var status = SecItemUpdate(query(key) as CFDictionary, attributes as CFDictionary)
    if status == errSecItemNotFound {
      status = SecItemAdd(query(key).merging(attributes) { $1 } as CFDictionary, nil)
    }
    guard status == errSecSuccess else { throw ServiceError(code: "KEYCHAIN") }
  }

  static func remove(_ key: String) { SecItemDelete(query(key) as CFDictionary) }
}
