/** Translates the messages in a value when it leaves the service. A value without messages loads no language. */
import { isMessage } from './message.ts';
import type { Say, Speak } from './say.ts';

/** Returns the value with all messages translated and everything else unchanged. */
export async function tellAll<Value>(value: Value, speak: Speak): Promise<Value> {
  return holdsMessage(value) ? told(value, await speak()) : value;
}

function holdsMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isMessage(value) || Object.values(value).some(holdsMessage);
}

function told<Value>(value: Value, say: Say): Value {
  if (isMessage(value)) return say(value) as Value;
  if (Array.isArray(value)) return value.map((one) => told(one, say)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, told(one, say)])) as Value;
}
