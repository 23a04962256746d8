import type { Brand } from '../brand.ts';

/** The id of a token key (kid). It is not secret: tokens and encrypted values contain it. */
export type KeyId = Brand<string, 'KeyId'>;

const KEY_ID_PATTERN = /^[A-Za-z0-9_-]{1,16}$/;

/**
 * Parses the id of a token key.
 * @returns undefined when the text is not such an id
 */
export function parseKeyId(text: string): KeyId | undefined {
  return KEY_ID_PATTERN.test(text) ? (text as KeyId) : undefined;
}
