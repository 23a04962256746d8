/** A URL's host as a connection is made to it: an IPv6 address without its brackets (RFC 3986, section 3.2.2). */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
