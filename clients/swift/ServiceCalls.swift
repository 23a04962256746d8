/// Sends requests to the service: maps failures to codes, and decides what is retried, when, and for how long.
import Foundation

struct StartRequest: Encodable, Sendable {
  let shop: String
  /// The language of the platform's pages; nil is not sent.
  let locale: String?
}

struct ExchangeRequest: Encodable, Sendable {
  let shop: String
  let code: String
  let verifier: String
  let nonce: String
}

struct TokenRequest: Encodable, Sendable {
  let shop: String
  let customerId: Int64
  let refreshToken: String
}

struct ServiceCalls: Sendable {
  let serviceUrl: URL
  let language: @Sendable () -> String?
  let onWaiting: @Sendable (ServiceError?) -> Void
  let environment: DeviceEnvironment

  /// Sends one request and returns its response. Throws ServiceError with the code of the error body, or NETWORK.
  func send<Answer: Decodable>(
    _ method: String, _ path: String, body: some Encodable, until endsAtMs: Int64
  ) async throws -> Answer {
    let (data, _) = try await sendText(method, path, body: body, until: endsAtMs)
    guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else { throw ServiceError(code: "NETWORK") }
    return answer
  }

  /// Calls /exchange or /refresh and returns the pair, with its times by the device's clock.
  func sendForPair(
    _ path: String, body: some Encodable, state: String, until endsAtMs: Int64? = nil
  ) async throws -> StoredSession {
    let (data, servedAtMs) = try await sendText("POST", path, body: body, until: endsAtMs)
    guard let pair = try? JSONDecoder().decode(TokenPair.self, from: data) else { throw ServiceError(code: "NETWORK") }
    return try pair.received(atMs: environment.now(), servedAtMs: servedAtMs, state: state)
  }

  /// Sends a request and returns the response's body unparsed, with the service's time if the response contains it.
  func sendText(
    _ method: String, _ path: String, body: some Encodable, accessToken: String? = nil, until endsAtMs: Int64? = nil
  ) async throws -> (Data, servedAtMs: Int64?) {
    let base = serviceUrl.absoluteString
    guard let url = URL(string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path) else {
      throw ServiceError(code: "NETWORK")
    }
    // Longer than any request takes at the service.
    let seconds = min(25, max(1, Double((endsAtMs ?? .max) - environment.now()) / 1_000))
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: seconds)
    request.httpMethod = method
    request.httpBody = try JSONEncoder().encode(body)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let accessToken { request.setValue("Bearer \(accessToken)", forHTTPHeaderField: "Authorization") }
    if let language = language() { request.setValue(language, forHTTPHeaderField: "Accept-Language") }
    guard let (data, response) = try? await environment.send(request), let http = response as? HTTPURLResponse else {
      throw ServiceError(code: "NETWORK")
    }
    if http.statusCode >= 400 { throw toError(data, http) }
    // A page of another server, a truncated response and a redirect, which the service never sends, count as no
    // response.
    guard http.statusCode == 200, (try? JSONSerialization.jsonObject(with: data)) is [String: Any] else {
      throw ServiceError(code: "NETWORK")
    }
    return (data, http.value(forHTTPHeaderField: "Date").flatMap(ServiceCalls.httpDate))
  }

  /// RFC 9110, section 5.6.7.
  private static func httpDate(_ text: String) -> Int64? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: text).map { Int64($0.timeIntervalSince1970 * 1_000) }
  }

  private struct ErrorBody: Decodable {
    struct Failure: Decodable {
      let code: String?
      let message: String?
    }
    struct Entry: Decodable {
      let message: String?
      let details: String?
      let extensions: Failure?
    }
    let error: Failure?
    let errors: [Entry]?
  }

  private func toError(_ data: Data, _ http: HTTPURLResponse) -> ServiceError {
    let body = try? JSONDecoder().decode(ErrorBody.self, from: data)
    let first = body?.errors?.first
    let seconds = http.value(forHTTPHeaderField: "Retry-After").flatMap { Int64($0) }
    return ServiceError(
      code: body?.error?.code ?? first?.extensions?.code ?? "UNKNOWN",
      message: body?.error?.message ?? first?.message,
      status: http.statusCode,
      retryAfterMs: seconds.flatMap { (0...86_400).contains($0) ? $0 * 1_000 : nil },
      requestId: http.value(forHTTPHeaderField: "X-Request-Id"),
      details: first?.details)
  }

  /// Retries transient errors after `Retry-After`, else after a second, doubled each time up to 8 s, with jitter: up to
  /// five attempts, none after `endsAtMs` of the device's clock. Throws the last error, or the error of an earlier
  /// attempt if it may have changed data and no later attempt reported the result.
  func keepTrying<Result: Sendable>(
    until endsAtMs: Int64, _ attempt: Attempt? = nil, _ request: @Sendable () async throws -> Result
  ) async throws -> Result {
    var unclear: ServiceError?
    var before: ServiceError?
    defer { if before != nil { onWaiting(nil) } }
    var tries = 1
    while true {
      do {
        return try await request()
      } catch let error as ServiceError {
        let isRetryable = await attempt?.isRetryable ?? true
        let mayChange = await attempt?.mayChange ?? false
        guard canRetry(error, isRetryable, after: before) else { throw error }
        if unclear == nil, error.mayHaveRun, mayChange { unclear = error }
        let waitMs = waitMs(error, tries)
        // The error of an attempt that the deadline aborted says less than the error before it.
        let last = environment.now() < endsAtMs ? error : (before ?? error)
        guard tries < 5, environment.now() + waitMs < endsAtMs else { throw unclear ?? last }
        before = error
        onWaiting(error)
        try await environment.wait(waitMs)
        tries += 1
      }
    }
  }

  private func canRetry(_ error: ServiceError, _ isRetryable: Bool, after before: ServiceError?) -> Bool {
    // A retry with the same key resolves the first OUTCOME_UNKNOWN; a second one is final.
    if error.hasCode("OUTCOME_UNKNOWN") { return isRetryable && before?.code != "OUTCOME_UNKNOWN" }
    return error.isTransient && (isRetryable || !error.mayHaveRun)
  }

  private func waitMs(_ error: ServiceError, _ tries: Int) -> Int64 {
    let backOffMs = min(1_000 * pow(2, Double(tries - 1)), 8_000) * (0.75 + environment.random() / 2)
    let requestedMs = Double(error.retryAfterMs ?? 0) * (1 + environment.random() / 4)
    return Int64(max(requestedMs, backOffMs))
  }
}

/// A running GraphQL operation. If its token could not be refreshed, it was not sent and has not run.
actor Attempt {
  private let operation: Operation
  private var isSent = false

  init(_ operation: Operation) { self.operation = operation }

  func set(isSent: Bool) { self.isSent = isSent }
  /// Whether the last request can be sent twice without harm.
  var isRetryable: Bool { operation.isRetryable || !isSent }
  /// Whether the request may have changed data; then the final error must not claim that nothing was changed.
  var mayChange: Bool { operation.isChange && isSent }
}
