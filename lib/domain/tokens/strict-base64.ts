/**
 * The bytes of a text in base64 or base64url; undefined unless it is the one text that they encode to. Buffer's decoder is
 * lenient about padding, alphabet, spare bits and what stands behind (RFC 4648, sections 3.5 and 12).
 */
export function decodeStrictly(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
