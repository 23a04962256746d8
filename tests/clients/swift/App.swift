/// An app's own code beside the client: no public name of the client takes the place of a name of Apple's frameworks.
import Foundation
import SwiftUI
import Subscriptions

/// Variables are written as literals.
private let variables: [String: JSONValue] = ["first": 20, "price": 1.5, "after": nil, "open": true, "days": ["\(20)"]]

struct AppView: View {
  @Environment(\.locale) private var locale
  private let work: Operation? = nil
  var body: some View { Text(locale.identifier) }
}
