import type { Message, MessageKey, Parameters } from './generated/words.ts';

type ParametersOf<Key extends MessageKey> = Parameters[Key] extends undefined ? [] : [Parameters[Key]];

/**
 * A message that is told in a language where it leaves the service. What is kept of it is its key and parameters, so
 * old ones speak their reader's language.
 */
export function message<Key extends MessageKey>(
  messageKey: Key,
  ...[parameters]: ParametersOf<Key>
): Message<Key> {
  return parameters === undefined ? { messageKey } : { messageKey, parameters };
}

/** Whether a value is a message, also one that has been kept as JSON. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'messageKey' in value;
}

export type { Message, MessageKey };
