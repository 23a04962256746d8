/**
 * A store gets the grant in the credentials, or one that the platform gives for the app's own client. What a
 * person pastes comes over standard input, as all secrets do: nothing of it is in the shell's history.
 */

import type { ShopDomain } from '../../lib/domain/shop-domain.ts';
import { isScope, type NeededAccess, neededAccess } from '../../lib/platform/admin-api/needed-access.ts';
import type { App } from '../../lib/platform/grants/ask-access-token.ts';
import type { PlatformGrant } from '../../lib/platform/grants/platform-grant.ts';
import { askConsent, connectByCode, connectByCredentials } from '../../lib/stores/life/connect-store.ts';
import { OperatorError } from './operator-error.ts';
import { dryRun, type Outcome } from './outcome.ts';
import type { Credentials } from './read-credentials.ts';
import { type Run, textOption } from './verb.ts';

/** The options of the verbs that install or replace a grant. */
export const grantOptions: Readonly<Record<string, string>> = {
  '--client-credentials':
    'the app is of the Dev Dashboard, on a store of yours: it asks for its tokens itself',
  '--oauth':
    'the app is of custom distribution, or public: show the address at which the merchant agrees, take the code',
  '--redirect-uri <uri>': "with --oauth: an address that is registered at the app (default: the service's)",
  '--also <scopes>': 'with --oauth: optional scopes to ask for too, joined by commas, or all',
  '--no-expiring': 'with --oauth: a token that does not end, in place of one that is renewed each hour',
};

type Wish = {
  readonly domain: ShopDomain;
  readonly credentials: Credentials;
  /** Rejects if a merchant would be asked in vain. */
  readonly beforeMerchant?: () => Promise<void>;
};

/** A dry run of --oauth ends before the question: its code would be spent. Undefined: it goes on. */
export function dryConsent({ isDryRun, options }: Run, domain: ShopDomain): Outcome | undefined {
  if (!isDryRun || options.oauth !== true) return undefined;
  return dryRun(`Would ask the merchant of ${domain} to let the app in, and keep the grant.`);
}

/** The grant; undefined: the credentials hold none, and none was asked for. OperatorError, StoreChangeRefused. */
export async function obtainGrant(
  run: Run,
  { domain, credentials, beforeMerchant }: Wish,
): Promise<PlatformGrant | undefined> {
  const { operator, options } = run;
  const { grant, app } = credentials;
  const isOwn = options.clientCredentials === true;
  if (isOwn && options.oauth === true)
    throw new OperatorError('Give one of --client-credentials and --oauth.', 2);
  if (!isOwn && options.oauth !== true) {
    if (app === undefined) return refuseEnded(grant, operator.now());
    throw new OperatorError(
      'Say how the app gets its tokens: --client-credentials (an app of the Dev Dashboard, on a store of yours) or --oauth (an app of custom distribution, or a public app).',
      2,
    );
  }
  if (app === undefined || grant !== undefined)
    throw new OperatorError(
      'With this the credentials hold "app": {"clientId": "…", "clientSecret": "…"}, and no grant.',
      2,
    );
  if (!isOwn) return askMerchant(run, { domain, app, beforeMerchant });
  operator.progress('Asking the platform for a token');
  return connectByCredentials({ ...operator, ...operator.target }, { domain, app });
}

function refuseEnded(grant: PlatformGrant | undefined, nowMs: number): PlatformGrant | undefined {
  if (grant?.expiresAt === undefined || nowMs < Date.parse(grant.expiresAt)) return grant;
  throw new OperatorError(
    `This access token ended at ${grant.expiresAt}. Give one that is good now, or the app. Nothing was changed.`,
  );
}

type Asking = Pick<Wish, 'domain'> & {
  readonly app: App;
  readonly beforeMerchant: Wish['beforeMerchant'];
};

async function askMerchant(run: Run, { domain, app, beforeMerchant }: Asking): Promise<PlatformGrant> {
  const { operator, terminal, options } = run;
  const deps = { ...operator, ...operator.target };
  if (options.credentials === '-')
    throw new OperatorError(
      'With --oauth the credentials come from a file: standard input is for the address.',
      2,
    );
  const redirectUri = readRedirectUri(run);
  const scopes = readScopes(run);
  await beforeMerchant?.();
  // What a merchant agrees to is spent at once.
  await operator.trace.before();
  const { consent, address } = askConsent(deps, { domain, app, redirectUri, scopes });
  terminal.err(`Open this address as somebody who may install apps on ${domain}, and agree:`);
  terminal.err(`\n  ${address}\n`);
  terminal.err(`The browser then goes to ${redirectUri}, whatever it shows there. Copy its whole address.`);
  const pasted = await terminal.ask('The address: ');
  operator.progress('Asking the platform for a token');
  return connectByCode(deps, consent, { pasted, isExpiring: options.expiring !== false });
}

function readRedirectUri({ operator, options }: Run): string {
  const { baseUrl } = operator.target;
  const given = textOption(options, 'redirectUri') ?? (baseUrl && `${baseUrl}/store-connected`);
  if (given === undefined)
    throw new OperatorError('Add --redirect-uri with an address that is registered at the app.', 2);
  const url = URL.parse(given);
  const isLoopback = url?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname);
  if (url !== null && (url.protocol === 'https:' || isLoopback) && !url.search && !url.hash && !url.username)
    return given;
  throw new OperatorError('--redirect-uri is an https address without ? and #.', 2);
}

function readScopes({ options }: Run): string[] {
  const handlesOf = (need: NeededAccess['need']) =>
    neededAccess.filter((row) => isScope(row) && row.need === need).map(({ handle }) => handle);
  const known = handlesOf('optional');
  const asked = textOption(options, 'also')?.split(',') ?? [];
  const also = asked.join() === 'all' ? known : asked;
  const unknown = also.filter((scope) => !known.includes(scope));
  if (unknown.length === 0) return [...handlesOf('required'), ...also];
  throw new OperatorError(`--also takes all, or some of: ${known.join(', ')}.`, 2);
}
