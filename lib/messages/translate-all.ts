/** Translates the messages in a response. Loads no language if it contains no message. */
import { isMessage } from './message.ts';
import type { LoadTranslator, Translate } from './translator.ts';

/** Returns the value with every message translated and everything else unchanged. */
export async function translateAll<Value>(value: Value, loadTranslator: LoadTranslator): Promise<Value> {
  return containsMessage(value) ? translateValue(value, await loadTranslator()) : value;
}

function containsMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isMessage(value) || Object.values(value).some(containsMessage);
}

function translateValue<Value>(value: Value, translate: Translate): Value {
  if (isMessage(value)) return translate(value) as Value;
  if (Array.isArray(value)) return value.map((element) => translateValue(element, translate)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, fieldValue]) => [key, translateValue(fieldValue, translate)]),
  ) as Value;
}
