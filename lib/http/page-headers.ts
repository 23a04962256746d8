/**
 * The headers of a page: it loads nothing from elsewhere, nobody else sees its address, no cache and no index keeps
 * it.
 */
export function pageHeaders(policy: string): Readonly<Record<string, string>> {
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
