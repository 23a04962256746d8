/// A phone without a screen. The tests send the customer's actions to its standard input, one JSON object per line, and
/// read the results from its standard output. Its Keychain is a folder, which outlives the process.
import AuthenticationServices
import Foundation
import Security
import Synchronization
@testable import Subscriptions

private typealias Fields = [String: JSONValue]

@main
private enum Main {
  static func main() async {
    EmulatedKeychain.folder = URL(fileURLWithPath: CommandLine.arguments[1])
    let phone = Phone()
    ASWebAuthenticationSession.showPage = { url, close in
      let page = Page(close: close)
      Task { await phone.show(url, page) }
    }
    let lines = AsyncStream<String> { stream in
      Thread.detachNewThread {
        while let line = readLine() { stream.yield(line) }
        stream.finish()
      }
    }
    for await line in lines {
      Task { await phone.obey(line) }
    }
  }
}

private struct Page: @unchecked Sendable {
  let close: (URL?) -> Void
}

private struct Settings: Sendable {
  var aheadMs: Int64 = 0
  var longestWaitMs: Int64 = 1_000
}

private actor Phone {
  private nonisolated let settings = Mutex(Settings())
  private var clients: [String: CustomerClient] = [:]
  private var pages: [Int64: Page] = [:]
  private var lastPage: Int64 = 0

  func obey(_ line: String) async {
    guard let order = try? JSONDecoder().decode(Fields.self, from: Data(line.utf8)) else { return }
    var outcome: Fields
    do {
      outcome = ["value": try await carryOut(order)]
    } catch let error as ServiceError {
      let retryAfterMs = error.retryAfterMs.map { JSONValue.int($0) } ?? nil
      outcome = [
        "error": [
          "code": .string(error.code), "message": .string(error.localizedDescription), "status": .int(Int64(error.status)),
          "retryAfterMs": retryAfterMs,
        ]
      ]
    } catch {
      outcome = ["error": ["code": "CRASH", "message": .string("\(error)")]]
    }
    outcome["id"] = order["id"]
    report(outcome)
  }

  func show(_ url: URL, _ page: Page) {
    lastPage += 1
    pages[lastPage] = page
    report(["event": "browser", "browser": .int(lastPage), "authUrl": .string(url.absoluteString)])
  }

  private func carryOut(_ order: Fields) async throws -> JSONValue {
    let client = clients[order.text("on")]
    switch order.text("do") {
    case "create": create(order)
    case "clock": settings.withLock { $0.aheadMs = order.number("aheadMs") }
    case "longestWait": settings.withLock { $0.longestWaitMs = order.number("ms") }
    case "storageFails": EmulatedKeychain.failing = Set(order.list("at"))
    case "browser": pages.removeValue(forKey: order.number("browser"))?.close(URL(string: order.text("address")))
    case "session": return try await client!.session().json
    case "signIn": return try await client!.signIn().json
    case "completeSignIn": return try await client!.completeSignIn(order.text("url")).json
    case "resume": return try await client!.resume().json
    case "signOut": try await client!.signOut()
    case "request": return try await request(client!, order)
    case "json":
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(order.text("text").utf8))
      return .string(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
    case "readOperation":
      let operation = Subscriptions.Operation(order.text("document"), named: order.optionalText("operationName"))
      let names = operation.keyVariables.map { JSONValue.string($0) }
      return [
        "isRetryable": .bool(operation.isRetryable), "isChange": .bool(operation.isChange), "keyVariables": .array(names),
      ]
    case "readCallback":
      let callback = try Callback(order.text("url"))
      return [
        "address": .string(callback.address), "state": .string(callback.state),
        "code": callback.code.map { .string($0) } ?? nil, "error": callback.error.map { .string($0) } ?? nil,
      ]
    default: fatalError("The phone cannot do this.")
    }
    return nil
  }

  private func request(_ client: CustomerClient, _ order: Fields) async throws -> JSONValue {
    let result = try await client.request(order.text("document"), variables: order.fields("variables"), as: JSONValue.self)
    return ["data": result.data, "errors": .array(result.errors.map { .string($0.code) })]
  }

  private func create(_ order: Fields) {
    let name = order.text("on")
    var environment = DeviceEnvironment()
    environment.now = { Int64(Date().timeIntervalSince1970 * 1_000) + self.settings.withLock { $0.aheadMs } }
    environment.wait = { ms in
      report(["event": "wait", "ms": .int(ms)])
      let longestMs = self.settings.withLock { $0.longestWaitMs }
      try await Task.sleep(nanoseconds: UInt64(min(ms, longestMs)) * 1_000_000)
    }
    let client = CustomerClient(
      CustomerClientOptions(
        serviceUrl: URL(string: order.text("serviceUrl"))!, shop: order.text("shop"), storage: KeychainStorage(),
        openBrowser: { await WebAuthenticationBrowser.open($0) }, environment: environment))
    clients[name] = client
    Task {
      for await session in client.onSession() {
        report(["event": "session", "on": .string(name), "session": session.json])
      }
    }
  }
}

/// One line, whichever task writes it.
private func report(_ message: Fields) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  guard var line = try? encoder.encode(message) else { return }
  line.append(10)
  FileHandle.standardOutput.write(line)
}

extension Session {
  fileprivate var json: JSONValue {
    switch self {
    case .signedIn(let customerId): return ["status": "signedIn", "customerId": .int(customerId)]
    case .signedOut(let endedByService): return ["status": "signedOut", "endedByService": .bool(endedByService)]
    case .unknown: return ["status": "unknown"]
    }
  }
}

extension Fields {
  fileprivate func optionalText(_ name: String) -> String? {
    if case .string(let text) = self[name] { return text }
    return nil
  }
  fileprivate func text(_ name: String) -> String { optionalText(name) ?? "" }
  fileprivate func number(_ name: String) -> Int64 {
    if case .int(let number) = self[name] { return number }
    return 0
  }
  fileprivate func fields(_ name: String) -> Fields {
    if case .object(let fields) = self[name] { return fields }
    return [:]
  }
  fileprivate func list(_ name: String) -> [String] {
    guard case .array(let values) = self[name] else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
