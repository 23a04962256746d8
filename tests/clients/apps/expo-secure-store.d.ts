/** As much of expo-secure-store as its adapter uses (expo/packages/expo-secure-store/src/SecureStore.ts). */
export type KeychainAccessibilityConstant = number;
export declare const AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: KeychainAccessibilityConstant;
export type SecureStoreOptions = {
  keychainService?: string;
  requireAuthentication?: boolean;
  authenticationPrompt?: string;
  keychainAccessible?: KeychainAccessibilityConstant;
  accessGroup?: string;
};
export declare function getItemAsync(key: string, options?: SecureStoreOptions): Promise<string | null>;
export declare function setItemAsync(key: string, value: string, options?: SecureStoreOptions): Promise<void>;
export declare function deleteItemAsync(key: string, options?: SecureStoreOptions): Promise<void>;
