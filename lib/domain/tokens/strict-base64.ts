/**
 * Decodes base64 or base64url. Buffer's decoder accepts wrong padding, other alphabets, spare bits and trailing
 * characters (RFC 4648, sections 3.5 and 12).
 * @returns undefined unless the text is the canonical encoding of the bytes
 */
export function decodeStrictly(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
