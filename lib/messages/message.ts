import type { Message, MessageKey, Parameters } from './generated/words.ts';

type ParametersOf<Key extends MessageKey> = Parameters[Key] extends undefined ? [] : [Parameters[Key]];

/**
 * Creates a message, which is translated when it leaves the service. Its key and parameters are stored, so old
 * messages appear in their reader's language.
 */
export function message<Key extends MessageKey>(
  messageKey: Key,
  ...[parameters]: ParametersOf<Key>
): Message<Key> {
  return parameters === undefined ? { messageKey } : { messageKey, parameters };
}

/** Whether a value is a message, also after it was stored as JSON. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'messageKey' in value;
}

export type { Message, MessageKey };
