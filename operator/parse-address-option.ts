/** Addresses among the options of a command line. */
import { isLoopbackHost } from '../lib/config/browser-origin.ts';
import { type CommandOptions, findTextOption } from './command.ts';
import { OperatorError } from './operator-error.ts';

type AddressFlag = '--base-url' | '--redirect-uri' | '--storefront-url' | '--trust-issuer';
const FIELD_BY_FLAG: Readonly<Record<AddressFlag, string>> = {
  '--base-url': 'baseUrl',
  '--redirect-uri': 'redirectUri',
  '--storefront-url': 'storefrontUrl',
  '--trust-issuer': 'trustIssuer',
};

/**
 * Reads an address as it was typed.
 *
 * @returns undefined when the option is not given
 * @throws INVALID_COMMAND for anything but https (on this machine also http) without user, query and fragment
 */
export function parseAddressOption(options: CommandOptions, flag: AddressFlag): string | undefined {
  const addressText = findTextOption(options, FIELD_BY_FLAG[flag]);
  if (addressText === undefined) return undefined;
  const url = URL.parse(addressText);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (isAllowed && url.username === '' && !/[?#\s]/.test(addressText)) return addressText;
  throw new OperatorError(`${flag} must be an https address without user, ? and #.`, 2);
}
