/** Base62 of fixed width: digits, then upper-case, then lower-case letters. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62n;

/** Encodes the bytes as one big-endian number in base62, padded with `0` to `width` characters. */
export function encodeBase62(bytes: Uint8Array, width: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < width; i++) {
    text = ALPHABET.charAt(Number(rest % BASE)) + text;
    rest /= BASE;
  }
  return text;
}

/**
 * Decodes a text of `encodeBase62` to `length` bytes.
 * @returns undefined when the text does not encode that many bytes
 */
export function decodeBase62(text: string, length: number): Uint8Array | undefined {
  let number = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    number = number * BASE + BigInt(digit);
  }
  const hex = number.toString(16).padStart(length * 2, '0');
  return hex.length === length * 2 ? Buffer.from(hex, 'hex') : undefined;
}
