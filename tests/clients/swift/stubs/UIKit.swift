/// See AuthenticationServices.swift.
@_exported import Foundation

@MainActor open class UIResponder: NSObject {
  public override init() { super.init() }
}
@MainActor open class UIView: UIResponder {}
@MainActor open class UIWindow: UIView {}
