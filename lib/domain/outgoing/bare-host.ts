/** Returns a URL's host for a connection: an IPv6 address without its brackets (RFC 3986, section 3.2.2). */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
