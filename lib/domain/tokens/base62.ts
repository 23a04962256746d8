/** Base62 with a fixed width. The digits are 0 to 9, A to Z, a to z. */
const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE62_RADIX = 62n;

/** Encodes bytes as one big-endian number in base62. Pads it on the left with `0` to `width` characters. */
export function encodeBase62(bytes: Uint8Array, width: number): string {
  let remainingValue = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < width; i++) {
    text = BASE62_DIGITS.charAt(Number(remainingValue % BASE62_RADIX)) + text;
    remainingValue /= BASE62_RADIX;
  }
  return text;
}

/**
 * Decodes a text that `encodeBase62` wrote to `length` bytes.
 * @returns undefined when the text is not the encoding of that many bytes
 */
export function decodeBase62(text: string, length: number): Uint8Array | undefined {
  let decodedNumber = 0n;
  for (const character of text) {
    const digit = BASE62_DIGITS.indexOf(character);
    if (digit < 0) return undefined;
    decodedNumber = decodedNumber * BASE62_RADIX + BigInt(digit);
  }
  const hex = decodedNumber.toString(16).padStart(length * 2, '0');
  return hex.length === length * 2 ? Buffer.from(hex, 'hex') : undefined;
}
