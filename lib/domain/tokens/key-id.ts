import type { Brand } from '../brand.ts';

/** The id of a key of the token-key ring. It is not secret: tokens and sealed boxes contain it. */
export type KeyId = Brand<string, 'KeyId'>;

const KEY_ID = /^[A-Za-z0-9_-]{1,16}$/;

/** @returns undefined when the text is no key id */
export function parseKeyId(text: string): KeyId | undefined {
  return KEY_ID.test(text) ? (text as KeyId) : undefined;
}
