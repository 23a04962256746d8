/// The client of a customer's app: sign-in, refresh, requests. Create one for the whole app: it shares its token
/// refreshes. It has the states, names and codes of clients/typescript.
import Foundation

public struct CustomerClientOptions: Sendable {
  /// The address of the service, such as `https://subscriptions.example.com`.
  public let serviceUrl: URL
  /// The store's domain.
  public let shop: String
  public let storage: Storage
  public let openBrowser: OpenBrowser
  /// The language of messages, a tag such as `de` or `pt-BR`. Called for each request.
  public let language: @Sendable () -> String?
  /// The time limit of one call with all its attempts and waits.
  public let deadlineMs: Int64
  /// Receives the error while a retry is pending, and nil when the wait is over: for a line such as “Trying again …”.
  public let onWaiting: @Sendable (ServiceError?) -> Void
  public let environment: DeviceEnvironment

  public init(
    serviceUrl: URL, shop: String, storage: Storage, openBrowser: @escaping OpenBrowser,
    language: @escaping @Sendable () -> String? = { nil }, deadlineMs: Int64 = 60_000,
    onWaiting: @escaping @Sendable (ServiceError?) -> Void = { _ in }, environment: DeviceEnvironment = DeviceEnvironment()
  ) {
    self.serviceUrl = serviceUrl
    self.shop = shop
    self.storage = storage
    self.openBrowser = openBrowser
    self.language = language
    self.deadlineMs = deadlineMs
    self.onWaiting = onWaiting
    self.environment = environment
  }
}

/// A field that could not be resolved; in `data` the field or an ancestor of it is nil.
public struct FieldError: Decodable, Sendable {
  public struct Extensions: Decodable, Sendable {
    public let code: String?
    public let retryAfterSeconds: Double?
  }
  public let message: String
  public let path: [JSONValue]?
  public let extensions: Extensions?
  public var code: String { extensions?.code ?? "UNKNOWN" }
}

/// A change was made if its payload has no `userErrors`, even if `errors` contain errors of fields below it.
public struct RequestResult<Result: Decodable & Sendable>: Sendable {
  public let data: Result
  public let errors: [FieldError]
}

public final class CustomerClient: Sendable {
  private let parts: Parts
  private let exchange: Exchange
  private let beginning: SignIn
  private let ending: SignOut
  private let freshToken: FreshToken
  private let resumption = Resumption()

  public init(_ options: CustomerClientOptions) {
    let isOfWeb = ["http", "https"].contains(options.serviceUrl.scheme?.lowercased()) && options.serviceUrl.host != nil
    precondition(isOfWeb, "There is no serviceUrl with http(s)://.")
    let calls = ServiceCalls(
      serviceUrl: options.serviceUrl, language: options.language, onWaiting: options.onWaiting,
      environment: options.environment)
    let turns = Turns(storage: options.storage, shop: options.shop)
    parts = Parts(options: options, turns: turns, calls: calls, announcer: Announcer())
    exchange = Exchange(parts)
    beginning = SignIn(parts: parts, exchange: exchange)
    ending = SignOut(parts)
    freshToken = FreshToken(parts)
  }

  /// Returns the current session. Throws STORAGE if the storage cannot be read.
  public func session() async throws -> Session { try await parts.readSession() }

  /// Returns the current session, then each stored change: `for await session in client.onSession()`.
  public func onSession() -> AsyncStream<Session> {
    AsyncStream { stream in
      let id = UUID()
      let announcer = parts.announcer
      Task {
        await announcer.add(id, stream)
        do {
          _ = try await self.session()
        } catch {
          stream.yield(.unknown(error as? ServiceError ?? ServiceError(code: "STORAGE")))
        }
        if await self.resumption.isFirst() { _ = try? await self.resume() }
      }
      stream.onTermination = { _ in Task { await announcer.remove(id) } }
    }
  }

  private actor Resumption {
    private var hasStarted = false
    func isFirst() -> Bool {
      defer { hasStarted = true }
      return !hasStarted
    }
  }

  /// Opens the browser and returns the resulting session. If it is signed out, the address may still arrive: pass it to
  /// `completeSignIn`.
  @discardableResult
  public func signIn() async throws -> Session { try await beginning.begin() }

  /// Completes the sign-in with its redirect address. Works after a cold start, and can be called more than once.
  @discardableResult
  public func completeSignIn(_ url: String) async throws -> Session { try await beginning.complete(url) }

  /// Signs out immediately on the device, and at the service as soon as it is reachable.
  public func signOut() async throws { try await ending.end() }

  /// Completes a sign-in or a sign-out whose response was lost. `onSession` calls it once; call it when the device is
  /// online again.
  @discardableResult
  public func resume() async throws -> Session {
    // The next call retries transient errors. Permanent ones need no retry.
    try await passOver {
      let waiting = try await self.exchange.newestWaiting()
      if let waiting { _ = try await self.exchange.of(waiting) }
    }
    try await passOver { try await self.ending.sendAll() }
    return try await session()
  }

  private func passOver(_ work: @Sendable () async throws -> Void) async throws {
    do {
      try await work()
    } catch let error as ServiceError where !error.hasCode("STORAGE") {
      return
    }
  }

  private struct GraphqlRequest: Encodable, Sendable {
    let query: String
    let variables: [String: JSONValue]
    let operationName: String?
  }

  private struct GraphqlAnswer<Result: Decodable & Sendable>: Decodable, Sendable {
    let data: Result?
    let errors: [FieldError]?

    private enum CodingKeys: CodingKey {
      case data, errors
    }

    init(from decoder: Decoder) throws {
      let answer = try decoder.container(keyedBy: CodingKeys.self)
      errors = try answer.decodeIfPresent([FieldError].self, forKey: .errors)
      let roots = try answer.decodeIfPresent([String: JSONValue].self, forKey: .data) ?? [:]
      // A response with errors and without data has no result.
      let isThere = errors == nil || roots.values.contains { !$0.isNull }
      data = isThere ? try answer.decodeIfPresent(Result.self, forKey: .data) : nil
    }
  }

  /// Sends one GraphQL operation. Throws ServiceError if the response has no data, and DecodingError if the data does
  /// not match `type`: declare nullable fields as optionals. Retries queries, and changes with an idempotency key: the
  /// client sets the variable of `@idempotent(key: $…)` for each call, or `idempotencyKey` does.
  public func request<Result: Decodable & Sendable>(
    _ document: String, variables: [String: JSONValue] = [:], operationName: String? = nil,
    idempotencyKey: String? = nil, as type: Result.Type
  ) async throws -> RequestResult<Result> {
    let endsAtMs = parts.endsAtMs
    let operation = Operation(document, named: operationName)
    assert(idempotencyKey == nil || !operation.keyVariables.isEmpty, "A key needs its place: @idempotent(key: $key).")
    let keys = operation.variables(key: idempotencyKey ?? parts.options.environment.createKey())
    let filled = keys.merging(variables) { $1 }
    let body = GraphqlRequest(query: document, variables: filled, operationName: operationName)
    let attempt = Attempt(operation)
    return try await parts.calls.keepTrying(until: endsAtMs, attempt) {
      try await self.sendOnce(body, until: endsAtMs, attempt)
    }
  }

  private func sendOnce<Result: Decodable & Sendable>(
    _ body: GraphqlRequest, until endsAtMs: Int64, _ attempt: Attempt
  ) async throws -> RequestResult<Result> {
    await attempt.set(isSent: false)
    let token = try await freshToken.get()
    do {
      return try await send(body, token, until: endsAtMs, attempt)
    } catch let error as ServiceError where error.hasCode("UNAUTHENTICATED") {
      // The service's clock decides whether the token has expired: refresh once and retry once.
      await attempt.set(isSent: false)
      let next = try await freshToken.get(refused: token)
      return try await send(body, next, until: endsAtMs, attempt)
    }
  }

  private func send<Result: Decodable & Sendable>(
    _ body: GraphqlRequest, _ accessToken: String, until endsAtMs: Int64, _ attempt: Attempt
  ) async throws -> RequestResult<Result> {
    let path = "/api/storefront/unstable/graphql.json"
    await attempt.set(isSent: true)
    let (text, _) = try await parts.calls.sendText("POST", path, body: body, accessToken: accessToken, until: endsAtMs)
    let answer = try JSONDecoder().decode(GraphqlAnswer<Result>.self, from: text)
    let errors = answer.errors ?? []
    if let data = answer.data { return RequestResult(data: data, errors: errors) }
    guard let first = errors.first else { throw ServiceError(code: "NETWORK") }
    let waitMs = first.extensions?.retryAfterSeconds.map { Int64($0 * 1_000) }
    throw ServiceError(code: first.code, message: first.message, status: 200, retryAfterMs: waitMs)
  }
}
