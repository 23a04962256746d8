/// See AuthenticationServices.swift. The Keychain keeps each entry in a file, and knows the queries that the client needs.
import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias OSStatus = Int32

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecValueData: CFString = "v_Data"
public let kSecReturnData: CFString = "r_Data"
public let kSecMatchLimit: CFString = "m_Limit"
public let kSecMatchLimitOne: CFString = "m_LimitOne"
public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308

public enum EmulatedKeychain {
  nonisolated(unsafe) public static var folder = URL(fileURLWithPath: "/nowhere")
  /// The names of the functions that fail, as on a locked device.
  nonisolated(unsafe) public static var failing: Set<String> = []
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  status(of: "get", query, taking: [kSecReturnData, kSecMatchLimit]) { file in
    guard let data = try? Data(contentsOf: file) else { return errSecItemNotFound }
    if query[kSecReturnData] as? Bool == true { result?.pointee = data as NSData }
    return errSecSuccess
  }
}

public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  status(of: "set", query, taking: []) { file in
    FileManager.default.fileExists(atPath: file.path) ? write(attributesToUpdate, file) : errSecItemNotFound
  }
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  status(of: "set", attributes, taking: [kSecValueData, kSecAttrAccessible]) { file in
    FileManager.default.fileExists(atPath: file.path) ? errSecDuplicateItem : write(attributes, file)
  }
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  status(of: "remove", query, taking: []) { file in
    (try? FileManager.default.removeItem(at: file)) == nil ? errSecItemNotFound : errSecSuccess
  }
}

private func status(
  of function: String, _ query: CFDictionary, taking more: [CFString], _ work: (URL) -> OSStatus
) -> OSStatus {
  let known = Set([kSecClass, kSecAttrService, kSecAttrAccount] + more)
  guard query[kSecClass] as? NSString == kSecClassGenericPassword, query.allKeys.allSatisfy({ ($0 as? NSString).map(known.contains) ?? false }),
    let service = query[kSecAttrService] as? String, let account = query[kSecAttrAccount] as? String
  else { return errSecParam }
  if EmulatedKeychain.failing.contains(function) { return errSecInteractionNotAllowed }
  return work(EmulatedKeychain.folder.appendingPathComponent("\(service) \(account)"))
}

/// Entries that can be read before the first unlock, or on another device, are not the client's.
private func write(_ attributes: CFDictionary, _ file: URL) -> OSStatus {
  guard attributes[kSecAttrAccessible] as? NSString == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    let data = attributes[kSecValueData] as? Data, (try? data.write(to: file, options: .atomic)) != nil
  else { return errSecParam }
  return errSecSuccess
}
