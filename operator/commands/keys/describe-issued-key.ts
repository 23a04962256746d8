import type { IssuedAdminKey } from '../../../lib/stores/admin-keys/issue-admin-key.ts';
import type { CommandRun } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { formatTime } from '../../show-table.ts';
import { formatScopes } from './key-limits.ts';

/**
 * Returns the service's address.
 * @throws OperatorError when it is unknown, before anything is issued
 */
export function requireBaseUrl({ operator }: CommandRun): string {
  const { baseUrl, name } = operator.target;
  if (baseUrl !== undefined) return baseUrl;
  throw new OperatorError(
    `${name} has no domain. Add --base-url with the address from the stack's outputs, for the link.`,
    2,
  );
}

/** Describes the new key by its one-time link for the merchant. The key itself is never shown here. */
export function describeIssuedKey(
  baseUrl: string,
  issuedKey: IssuedAdminKey,
  notes: readonly string[],
): CommandOutcome {
  const link = `${baseUrl}/admin-keys/claim/${issuedKey.linkId}#${issuedKey.fragment}`;
  const { keyId, voidAtMs, scopes, networks, notAfter } = issuedKey;
  const expiryText = formatTime(voidAtMs);
  return {
    json: { keyId, link, voidAtMs, scopes, networks, notAfter },
    lines: [
      `This link opens key ${keyId}. It works once, until ${expiryText}:`,
      '',
      `  ${link}`,
      '',
      "Send it to the person who runs the store's server. They need to know the store's domain.",
      'The key works from the moment the link is opened. Keep no copy of the link.',
      formatScopes(scopes),
      ...(networks.length > 0 ? [`It works only from ${networks.join(', ')}.`] : []),
      notAfter === undefined ? 'It does not expire.' : `It expires at ${formatTime(notAfter)}.`,
      ...notes,
    ],
  };
}
