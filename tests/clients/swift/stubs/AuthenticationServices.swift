/// As much of Apple's frameworks as the client and its quickstart use, with Apple's own signatures. A test controls what the
/// customer does in the browser, and where the Keychain keeps its entries.
@_exported import UIKit
import Foundation

public typealias ASPresentationAnchor = UIWindow

/// Not yet on the main actor, as up to Xcode 16.
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

open class ASWebAuthenticationSession: NSObject {
  public typealias CompletionHandler = (URL?, (any Error)?) -> Void

  /// Shows the page, and calls its argument with the address to which it returns, or with nil.
  nonisolated(unsafe) public static var showPage: (URL, @escaping (URL?) -> Void) -> Void = { _, close in close(nil) }

  private let url: URL
  private let scheme: String?
  private let handler: CompletionHandler
  open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
  open var prefersEphemeralWebBrowserSession = false

  public init(url URL: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {
    url = URL
    scheme = callbackURLScheme
    handler = completionHandler
  }

  /// Calls the handler on a queue of its own, as the system does.
  @discardableResult open func start() -> Bool {
    guard presentationContextProvider?.presentationAnchor(for: self) != nil else { return false }
    ASWebAuthenticationSession.showPage(url) { [weak self] address in
      guard let self else { return }
      DispatchQueue(label: "browser").async {
        guard self.presentationContextProvider != nil else { return }
        self.handler(address?.scheme == self.scheme ? address : nil, nil)
      }
    }
    return true
  }
}
