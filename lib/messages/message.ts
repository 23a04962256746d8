import type { Message, MessageKey, Parameters } from './generated/message-types.ts';

type MessageParameters<Key extends MessageKey> = Parameters[Key] extends undefined ? [] : [Parameters[Key]];

/**
 * Creates a message that is translated in the response. Timeline entries store its key and parameters, so that all
 * readers see it in their own language.
 */
export function message<Key extends MessageKey>(
  messageKey: Key,
  ...[parameters]: MessageParameters<Key>
): Message<Key> {
  return parameters === undefined ? { messageKey } : { messageKey, parameters };
}

/** Whether the value is a message, also after it was stored as JSON. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'messageKey' in value;
}

export type { Message, MessageKey };
