/** Returns the host of a URL for a connection: an IPv6 address loses its brackets (RFC 3986, section 3.2.2). */
export function hostWithoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
