/**
 * Decodes base64 or base64url strictly. Node's Buffer also accepts wrong padding, characters of the other alphabet,
 * spare bits and trailing characters (RFC 4648, sections 3.5 and 12).
 * @returns undefined when the text is not the canonical encoding of its bytes
 */
export function decodeBase64Strictly(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const decodedBytes = Buffer.from(text, encoding);
  return decodedBytes.toString(encoding) === text ? decodedBytes : undefined;
}
