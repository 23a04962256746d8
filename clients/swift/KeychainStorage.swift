/// Stores the session in the Keychain: on this device only, and readable after the first unlock, because an app that
/// runs behind a locked screen refreshes too. Throws on failure and keeps the session.
import Foundation
import Security

public struct KeychainStorage: Storage {
  /// The service name of the entries. Give an access group's extension its own name to separate its sign-ins.
  public let service: String

  public struct Failure: Error {
    public let status: OSStatus
  }

  public init(service: String = "subscriptions") { self.service = service }

  private func query(_ key: String) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key]
  }

  public func get(_ key: String) throws -> String? {
    var found: CFTypeRef?
    let target = query(key).merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
    let status = SecItemCopyMatching(target as CFDictionary, &found)
    if status == errSecItemNotFound { return nil }
    guard status == errSecSuccess, let data = found as? Data else { throw Failure(status: status) }
    return String(data: data, encoding: .utf8)
  }

  public func set(_ key: String, _ text: String) throws {
    let attributes: [CFString: Any] = [
      kSecValueData: Data(text.utf8), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    var status = SecItemUpdate(query(key) as CFDictionary, attributes as CFDictionary)
    if status == errSecItemNotFound {
      status = SecItemAdd(query(key).merging(attributes) { $1 } as CFDictionary, nil)
    }
    guard status == errSecSuccess else { throw Failure(status: status) }
  }

  public func remove(_ key: String) throws {
    let status = SecItemDelete(query(key) as CFDictionary)
    guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
  }
}
