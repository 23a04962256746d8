/** As much of expo-linking as its example uses (expo/packages/expo-linking/src/Linking.ts). */
type Subscription = { remove(): void };
export declare function addEventListener(
  type: 'url',
  handler: (event: { url: string; nativeEvent?: unknown }) => void,
): Subscription;
export declare function getInitialURL(): Promise<string | null>;
