/** The parts of all screens, in light and dark colours. */
import { useEffect } from 'react';
import {
  AccessibilityInfo,
  ActivityIndicator,
  Platform,
  Pressable,
  StyleSheet,
  Text,
  useColorScheme,
  View,
} from 'react-native';
import { isServiceError, type UpcomingOrder } from 'subscription-management-client';

export const styles = StyleSheet.create({
  title: { fontSize: 26, fontWeight: '700', margin: 16 },
  text: { fontSize: 17, marginHorizontal: 16, marginVertical: 2 },
  strong: { fontWeight: '600' },
  card: { paddingVertical: 12 },
  button: { minHeight: 48, justifyContent: 'center', paddingHorizontal: 16 },
});

export function useColors() {
  const isDark = useColorScheme() === 'dark';
  return isDark
    ? { background: '#121212', text: '#f2f2f2', action: '#8ec5ff' }
    : { background: '#ffffff', text: '#1a1a1a', action: '#12588f' };
}

export function Title({ text }: { text: string }) {
  const { text: color } = useColors();
  return (
    <Text accessibilityRole="header" style={[styles.title, { color }]}>
      {text}
    </Text>
  );
}

export function Note({ text, isStrong = false }: { text: string; isStrong?: boolean }) {
  const { text: color } = useColors();
  return <Text style={[styles.text, isStrong && styles.strong, { color }]}>{text}</Text>;
}

export function Button({ label, onPress }: { label: string; onPress: () => void }) {
  const { action } = useColors();
  return (
    <Pressable accessibilityRole="button" style={styles.button} onPress={onPress}>
      <Text style={[styles.strong, { color: action, fontSize: 17 }]}>{label}</Text>
    </Pressable>
  );
}

export const Loading = () => <ActivityIndicator accessibilityLabel="Loading" style={{ margin: 32 }} />;

/** The service writes the messages of rejected changes for the customer, all other messages for developers. */
function textOf(error: unknown): string {
  if (isServiceError(error, 'USER_ERRORS')) return error.message;
  if (isServiceError(error, 'NETWORK')) return 'There is no connection. Please try again.';
  return 'That did not work. Please try again.';
}

export function Problem({ error, retry }: { error: unknown; retry?: () => unknown }) {
  return (
    <View accessibilityRole="alert">
      <Announced text={textOf(error)} />
      {retry && <Button label="Try again" onPress={() => void retry()} />}
    </View>
  );
}

/** What a change has done, and a button that takes it back. */
export function Done({ text, undo }: { text: string; undo?: () => void }) {
  return (
    <View>
      <Announced text={text} />
      {undo && <Button label="Undo" onPress={undo} />}
    </View>
  );
}

/** A text that screen readers say when it appears: Android by the live region, iOS by the announcement. */
function Announced({ text }: { text: string }) {
  useEffect(() => {
    if (Platform.OS === 'ios') AccessibilityInfo.announceForAccessibility(text);
  }, [text]);
  return (
    <View accessibilityLiveRegion="polite">
      <Note isStrong text={text} />
    </View>
  );
}

/** For example `Wed, December 16`, in the store's time zone: its e-mails name the same days, wherever the customer is. */
export const dayOf = (date: string, timeZone: string | undefined) =>
  new Date(date).toLocaleDateString('en', { weekday: 'short', month: 'long', day: 'numeric', timeZone });

export const priceOf = (total: UpcomingOrder['total']) =>
  total ? Number(total.amount).toLocaleString('en', { style: 'currency', currency: total.currencyCode }) : '';

/** For example `Paused`. */
export const nameOf = (status: string) => status.charAt(0) + status.slice(1).toLowerCase();
