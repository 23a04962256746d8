/**
 * Obtains a store's grant: from the credentials, or from the platform with the app's client. Pasted values come over
 * standard input, as all secrets do, so that the shell's history has none of them.
 */

import type { ShopDomain } from '../lib/domain/shop-domain.ts';
import { isScopeHandle, NEEDED_ACCESS, type NeededAccess } from '../lib/platform/admin-api/needed-access.ts';
import type { PlatformGrant } from '../lib/platform/grants/platform-grant.ts';
import type { AppClient } from '../lib/platform/grants/request-access-token.ts';
import {
  createConsentRequest,
  requestGrantByAuthorizationCode,
  requestGrantByClientCredentials,
} from '../lib/stores/lifecycle/connect-store.ts';
import { type CommandOptions, type CommandRun, findTextOption } from './command.ts';
import { OperatorError } from './operator-error.ts';
import { type CommandOutcome, createDryRunOutcome } from './outcome.ts';
import { parseAddressOption } from './parse-address-option.ts';
import type { OperatorCredentials } from './read-credentials.ts';

/** The options of the commands that install or replace a grant. */
export const GRANT_OPTIONS: Readonly<Record<string, string>> = {
  '--client-credentials':
    'for an app of the Dev Dashboard on your own store, which requests its tokens itself',
  '--oauth':
    "for an app with custom distribution, or a public app: print the address for the merchant's consent, and read the code",
  '--redirect-uri <uri>': "with --oauth: an address that is registered for the app (default: the service's)",
  '--also <scopes>': 'with --oauth: optional scopes to request too, separated by commas, or all',
  '--no-expiring': 'with --oauth: a token that does not expire, instead of one that is renewed each hour',
};

type ObtainGrantInput = {
  readonly domain: ShopDomain;
  readonly credentials: OperatorCredentials;
  /** Rejects when the command would fail, before a merchant has to consent. */
  readonly beforeConsent?: () => Promise<void>;
};

/**
 * Ends a dry run of --oauth before the question, because asking would consume the code.
 * @returns undefined when the command continues
 * @throws INVALID_COMMAND as `obtainGrant`
 */
export function endDryRunBeforeConsent(
  run: CommandRun,
  domain: ShopDomain,
  credentials: OperatorCredentials,
): CommandOutcome | undefined {
  if (!run.isDryRun || run.options.oauth !== true) return undefined;
  chooseAppClient(run, credentials);
  parseConsentInput(run);
  return createDryRunOutcome(`Would ask the merchant of ${domain} for consent, and store the grant.`);
}

/**
 * Obtains the grant.
 * @returns undefined when the credentials contain no grant and no option requests one
 * @throws OperatorError or StoreChangeRefused when the grant cannot be obtained
 */
export async function obtainGrant(
  run: CommandRun,
  { domain, credentials, beforeConsent }: ObtainGrantInput,
): Promise<PlatformGrant | undefined> {
  const { operator, options } = run;
  const app = chooseAppClient(run, credentials);
  if (app === undefined) return rejectExpiredGrant(credentials.grant, operator.now());
  if (options.oauth === true)
    return promptForMerchantConsent(run, { domain, app, ...parseConsentInput(run), beforeConsent });
  operator.progress('Asking the platform for a token');
  return requestGrantByClientCredentials({ ...operator, ...operator.target }, { domain, app });
}

/** @returns undefined when the credentials contain the grant, or no grant is requested */
function chooseAppClient(
  { options }: CommandRun,
  { grant, app }: OperatorCredentials,
): AppClient | undefined {
  const usesClientCredentials = options.clientCredentials === true;
  if (usesClientCredentials && options.oauth === true)
    throw new OperatorError('Use --client-credentials or --oauth, not both.', 2);
  rejectConsentOptions(options);
  if (!usesClientCredentials && options.oauth !== true) {
    if (app === undefined) return undefined;
    throw new OperatorError(
      'Add how the app gets its tokens: --client-credentials (an app of the Dev Dashboard on your own store) or --oauth (an app with custom distribution, or a public app).',
      2,
    );
  }
  if (app !== undefined && grant === undefined) return app;
  throw new OperatorError(
    'With this option the credentials must contain "app": {"clientId": "…", "clientSecret": "…"}, and no grant.',
    2,
  );
}

const CONSENT_OPTIONS = [
  ['redirectUri', '--redirect-uri'],
  ['also', '--also'],
  ['expiring', '--no-expiring'],
] as const;

/** @throws INVALID_COMMAND for an option of --oauth without --oauth */
export function rejectConsentOptions(options: CommandOptions): void {
  const optionWithoutOauth = CONSENT_OPTIONS.find(
    ([name]) => options.oauth !== true && options[name] !== undefined,
  );
  if (optionWithoutOauth !== undefined) throw new OperatorError(`${optionWithoutOauth[1]} needs --oauth.`, 2);
}

function rejectExpiredGrant(grant: PlatformGrant | undefined, nowMs: number): PlatformGrant | undefined {
  if (grant?.expiresAt === undefined || nowMs < Date.parse(grant.expiresAt)) return grant;
  throw new OperatorError(
    `This access token expired at ${grant.expiresAt}. Nothing was changed. Give a valid token, or the app.`,
    2,
  );
}

type ConsentInput = { readonly redirectUri: string; readonly scopes: readonly string[] };

/** Reads the redirect address and the scopes for the merchant's consent from the options. */
function parseConsentInput(run: CommandRun): ConsentInput {
  if (run.options.credentials === '-')
    throw new OperatorError(
      'With --oauth give the credentials in a file, because the address is read from standard input.',
      2,
    );
  return { redirectUri: parseRedirectUri(run), scopes: parseScopes(run) };
}

type ConsentRequest = ConsentInput & {
  readonly domain: ShopDomain;
  readonly app: AppClient;
  readonly beforeConsent: ObtainGrantInput['beforeConsent'];
};

async function promptForMerchantConsent(
  run: CommandRun,
  consentRequest: ConsentRequest,
): Promise<PlatformGrant> {
  const { domain, redirectUri, beforeConsent, ...request } = consentRequest;
  const { operator, terminal, options } = run;
  const deps = { ...operator, ...operator.target };
  await beforeConsent?.();
  // The code of a consent can be used only once, so the trace must be writable first.
  await operator.trace.writeStart();
  const { consent, address } = createConsentRequest(deps, { domain, redirectUri, ...request });
  terminal.err(`Open this address as a user who may install apps on ${domain}, and give consent:`);
  terminal.err(`\n  ${address}\n`);
  terminal.err(`The browser then opens ${redirectUri}. Copy the complete address, whatever the page shows.`);
  const pastedAddress = await terminal.ask('The address: ');
  operator.progress('Asking the platform for a token');
  return requestGrantByAuthorizationCode(deps, consent, {
    redirectedAddress: pastedAddress,
    isExpiring: options.expiring !== false,
  });
}

function parseRedirectUri({ operator, options }: CommandRun): string {
  const { baseUrl } = operator.target;
  const redirectUri =
    parseAddressOption(options, '--redirect-uri') ?? (baseUrl && `${baseUrl}/store-connected`);
  if (redirectUri !== undefined) return redirectUri;
  throw new OperatorError('Add --redirect-uri with an address that is registered for the app.', 2);
}

function parseScopes({ options }: CommandRun): string[] {
  const handlesOf = (need: NeededAccess['need']) =>
    NEEDED_ACCESS.filter((row) => isScopeHandle(row) && row.need === need).map(({ handle }) => handle);
  const optionalHandles = handlesOf('optional');
  const requestedScopes = (findTextOption(options, 'also')?.split(',') ?? []).map((scope) => scope.trim());
  const optionalScopes = requestedScopes.join() === 'all' ? optionalHandles : requestedScopes;
  const unknownScopes = optionalScopes.filter((scope) => !optionalHandles.includes(scope));
  if (unknownScopes.length === 0) return [...handlesOf('required'), ...optionalScopes];
  throw new OperatorError(`--also must be all, or some of: ${optionalHandles.join(', ')}.`, 2);
}
