import type { Brand } from '../brand.ts';

/** The id of a key of the token-key ring. Public: tokens and sealed boxes carry it. */
export type KeyId = Brand<string, 'KeyId'>;

const KEY_ID = /^[A-Za-z0-9_-]{1,16}$/;

/** A key id, or undefined if the text has not the form of one. */
export function parseKeyId(text: string): KeyId | undefined {
  return KEY_ID.test(text) ? (text as KeyId) : undefined;
}
