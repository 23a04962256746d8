/** The limits of a key on the command line: scopes, networks and expiry, with their descriptions. */
import { type KeyScope, keyScopes, parseKnownScopes } from '../../../lib/domain/key-scope.ts';
import { isNetworkTooWide, type Network, parseNetwork } from '../../../lib/domain/network.ts';
import { type CommandOptions, type CommandRun, findTextOption } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';
import { parseDayOrInstant } from '../../parse-instant.ts';
import { formatTime } from '../../show-table.ts';

const SCOPES_TEXT =
  'what it may do, separated by commas: READ, WRITE (includes charges, and needs READ), WEBHOOKS, BILLING (needs READ)';
const NETWORKS_TEXT =
  'the only networks that it works from, separated by commas, for example 203.0.113.0/24,2001:db8::/32';

/** The descriptions of the defaults. */
type LimitTexts = { readonly scopes: string; readonly networks: string; readonly expiry: string };

/** Returns the options, with the description of each default. */
export function createLimitOptions(defaultTexts: LimitTexts) {
  return {
    '--scopes <list>': `${SCOPES_TEXT} (default: ${defaultTexts.scopes})`,
    '--networks <list>': `${NETWORKS_TEXT}; or any (default: ${defaultTexts.networks})`,
    '--expires <date>': `the key expires at this instant or day, UTC, for example 2027-06-30; or never (default: ${defaultTexts.expiry})`,
    '--expires-in-days <days>': 'the key expires in this number of days',
  };
}

export type KeyLimits = {
  readonly scopes?: readonly KeyScope[];
  readonly networks?: readonly Network[];
  readonly notAfter?: number | 'never';
};

/**
 * Reads the requested limits.
 * @throws OperatorError when a value cannot be parsed
 */
export function parseKeyLimits({ operator, options }: Pick<CommandRun, 'operator' | 'options'>): KeyLimits {
  const keyLimits = {
    ...parseScopes(options),
    ...parseNetworks(options),
    ...parseKeyExpiry(options, operator.now()),
  };
  if (!operator.target.isLocal) rejectIpv6OnlyNetworks(keyLimits);
  return keyLimits;
}

function parseScopes(options: CommandOptions): Pick<KeyLimits, 'scopes'> {
  const scopeTexts = parseListOption(options, 'scopes')?.map((text) => text.toUpperCase());
  if (scopeTexts === undefined) return {};
  const scopes = parseKnownScopes(scopeTexts);
  const unknownScope = scopeTexts.find((text) => !scopes.includes(text as KeyScope));
  if (unknownScope === undefined) return { scopes };
  throw new OperatorError(`“${unknownScope}” is not a scope. --scopes takes ${keyScopes.join(', ')}.`, 2);
}

function parseNetworks(options: CommandOptions): Pick<KeyLimits, 'networks'> {
  const networkTexts = parseListOption(options, 'networks');
  if (networkTexts === undefined) return {};
  if (networkTexts.join() === 'any') return { networks: [] };
  const networks = networkTexts.map((text) => {
    const network = parseNetwork(text);
    if (network !== undefined && isNetworkTooWide(network)) {
      throw new OperatorError(
        `“${text}” is too wide. Use /8 or longer for IPv4 and /16 or longer for IPv6, and write IPv4 addresses as such. ` +
          'Use “any” for no limit.',
        2,
      );
    }
    if (network !== undefined) return network;
    throw new OperatorError(
      `“${text}” is not a network. Use an address, or a prefix without host bits: 203.0.113.0/24, 2001:db8::/32.`,
      2,
    );
  });
  return { networks };
}

/**
 * Refuses a key for IPv6 addresses only: neither the edge nor the API has an IPv6 address, so the key would always be
 * refused.
 */
function rejectIpv6OnlyNetworks({ networks = [] }: KeyLimits): void {
  const [firstNetwork] = networks;
  if (firstNetwork === undefined || networks.some((network) => network.includes('.'))) return;
  throw new OperatorError(
    `No request comes from “${firstNetwork}”: callers reach this service over IPv4 only. Add their IPv4 addresses.`,
    2,
  );
}

function parseListOption(options: CommandOptions, name: string): string[] | undefined {
  return findTextOption(options, name)
    ?.split(',')
    .map((text) => text.trim());
}

const DAY_MS = 24 * 3600 * 1000;
function parseKeyExpiry(options: CommandOptions, nowMs: number): Pick<KeyLimits, 'notAfter'> {
  const [expiryDate, expiryDays] = [
    findTextOption(options, 'expires'),
    findTextOption(options, 'expiresInDays'),
  ];
  if (expiryDate !== undefined && expiryDays !== undefined)
    throw new OperatorError('Use --expires or --expires-in-days, not both.', 2);
  if (expiryDate !== undefined) return { notAfter: parseExpiryDate(expiryDate) };
  if (expiryDays === undefined) return {};
  const days = Number(expiryDays);
  if (!Number.isInteger(days) || days < 1 || days > 3650)
    throw new OperatorError('--expires-in-days must be a whole number from 1 to 3650.', 2);
  return { notAfter: nowMs + days * DAY_MS };
}

function parseExpiryDate(text: string): number | 'never' {
  const expiry = text === 'never' ? text : parseDayOrInstant(text);
  if (expiry !== undefined) return expiry;
  throw new OperatorError(
    `--expires must be a day or an instant in UTC, like 2027-06-30 or 2027-06-30T09:00:00Z, not “${text}”.`,
    2,
  );
}

/** Describes a new key's scopes for the person who issued it. */
export function formatScopes(scopes: readonly KeyScope[]): string {
  if (!scopes.includes('READ'))
    return 'It manages webhook endpoints. It reaches no customer and no subscription.';
  const accessText = scopes.includes('WRITE') ? 'it reads, changes and charges' : 'it only reads';
  const extraTexts = [
    ...(scopes.includes('WEBHOOKS') ? [' It also manages webhook endpoints.'] : []),
    ...(scopes.includes('BILLING') ? [' It also decides whether and how the service bills.'] : []),
  ];
  return `It reaches every customer and subscription of the store, whatever its label says: ${accessText}.${extraTexts.join('')}`;
}

/** Summarizes the limits of a requested key; `defaultTexts` describes the limits that are not given. */
export function formatLimits({ scopes, networks, notAfter }: KeyLimits, defaultTexts: LimitTexts): string {
  const limitTexts = {
    scopes: scopes?.join(', ') ?? defaultTexts.scopes,
    networks: (networks && (networks.join(', ') || 'any')) ?? defaultTexts.networks,
    end: typeof notAfter === 'number' ? formatTime(notAfter) : (notAfter ?? defaultTexts.expiry),
  };
  return `Scopes: ${limitTexts.scopes}. Networks: ${limitTexts.networks}. Expiry: ${limitTexts.end}.`;
}
