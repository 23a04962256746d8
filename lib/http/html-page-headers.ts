/**
 * Returns the headers of an HTML page: it is not cached, not indexed, not shown in frames, and does not reveal its URL
 * to other sites. `policy` is its content security policy.
 */
export function htmlPageHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
