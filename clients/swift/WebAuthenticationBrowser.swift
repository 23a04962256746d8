/// The system's browser. It shares its cookies with Safari, so a customer who is signed in there sees no form.
import AuthenticationServices
import UIKit

@MainActor
public final class WebAuthenticationBrowser: NSObject, ASWebAuthenticationPresentationContextProviding {
  private let anchor: ASPresentationAnchor
  private var session: ASWebAuthenticationSession?

  private init(anchor: ASPresentationAnchor) { self.anchor = anchor }

  /// For `CustomerClientOptions.openBrowser`: `{ await WebAuthenticationBrowser.open($0) }`. `anchor`: the window over which
  /// the system shows the pages, if it is not to choose one itself.
  public static func open(_ request: BrowserRequest, anchor: ASPresentationAnchor? = nil) async -> String? {
    let context = WebAuthenticationBrowser(anchor: anchor ?? ASPresentationAnchor())
    let scheme = String(request.redirectUri.prefix { $0 != ":" })
    let address: String? = await withCheckedContinuation { continuation in
      // The system calls the handler on a queue of its own: without `@Sendable`, Swift 6 ends the app there.
      let session = ASWebAuthenticationSession(url: request.authUrl, callbackURLScheme: scheme) { @Sendable callback, _ in
        continuation.resume(returning: callback?.absoluteString)
      }
      context.session = session
      session.presentationContextProvider = context
      session.prefersEphemeralWebBrowserSession = false
      session.start()
    }
    // Both objects live until here: the session references its context weakly.
    context.session = nil
    return address
  }

  public nonisolated func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }
}
