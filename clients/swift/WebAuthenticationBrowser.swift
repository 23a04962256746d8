/// The system's browser. It shares its cookies with Safari, so a customer who is signed in there sees no form.
import AuthenticationServices
import UIKit

@MainActor
final class WebAuthenticationBrowser: NSObject, ASWebAuthenticationPresentationContextProviding {
  private let anchor: ASPresentationAnchor
  private var session: ASWebAuthenticationSession?

  private init(anchor: ASPresentationAnchor) { self.anchor = anchor }

  /// For `CustomerClientOptions.openBrowser`: `{ await WebAuthenticationBrowser.open($0, anchor: window) }`.
  static func open(_ request: BrowserRequest, anchor: ASPresentationAnchor) async -> String? {
    let context = WebAuthenticationBrowser(anchor: anchor)
    let scheme = String(request.redirectUri.prefix { $0 != ":" })
    return await withCheckedContinuation { continuation in
      let session = ASWebAuthenticationSession(url: request.authUrl, callbackURLScheme: scheme) { callback, _ in
        // Keeps both objects alive until now: the session references its context weakly.
        withExtendedLifetime(context) {}
        continuation.resume(returning: callback?.absoluteString)
      }
      context.session = session
      session.presentationContextProvider = context
      session.prefersEphemeralWebBrowserSession = false
      session.start()
    }
  }

  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }
}
