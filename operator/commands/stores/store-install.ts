import { parseShopDomain, type ShopDomain } from '../../../lib/domain/shop-domain.ts';
import { findGrantRenewalKind, type PlatformGrant } from '../../../lib/platform/grants/platform-grant.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import type { StoreFinding } from '../../../lib/stores/checks/store-finding.ts';
import { checkInstallAccess } from '../../../lib/stores/lifecycle/check-install-access.ts';
import {
  checkInstallClient,
  installedClientId,
  rejectUnknownClient,
} from '../../../lib/stores/lifecycle/check-new-credentials.ts';
import { installStore, readSignInAddressesToPin } from '../../../lib/stores/lifecycle/install-store.ts';
import { createProbeSender, readShopFacts } from '../../../lib/stores/lifecycle/read-shop-facts.ts';
import { listMovedAddresses } from '../../../lib/stores/read-sign-in-addresses.ts';
import { type CommandDefinition, type CommandRun, findTextOption, requireArgument } from '../../command.ts';
import { endDryRunBeforeConsent, GRANT_OPTIONS, obtainGrant } from '../../obtain-grant.ts';
import { OperatorError } from '../../operator-error.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { parseAddressOption } from '../../parse-address-option.ts';
import { readCredentials } from '../../read-credentials.ts';
import { formatFinding } from '../../show-findings.ts';
import { formatFacts } from '../../show-table.ts';
import { createVisibleFactOptions, parseVisibleFacts } from './parse-visible-facts.ts';
import { confirmMovedAddresses, TRUST_ISSUER_OPTION } from './store-accept-sign-in.ts';
import { toStoreFacts } from './store-facts.ts';
import { createTokenIfMissing } from './storefront-token.ts';
import { changeWebhooks, parseWebhookOptions, WEBHOOK_OPTIONS } from './webhook-options.ts';

export const storeInstallCommand: CommandDefinition = {
  group: 'store',
  usage: 'install <domain>',
  summary: 'Install a store, also after an uninstall: its grant, its sign-in and its names.',
  options: {
    '--credentials <file>': 'JSON with the grant or the app, and the client id; - reads standard input',
    ...GRANT_OPTIONS,
    ...TRUST_ISSUER_OPTION,
    ...WEBHOOK_OPTIONS,
    ...createVisibleFactOptions(" (default: the platform's value)"),
  },
  examples: [
    'store install harbor-coffee.myshopify.com --env dev --credentials - < grant.json',
    'store install harbor-coffee.myshopify.com --env prod --credentials app.json --client-credentials',
    'store install harbor-coffee.myshopify.com --env prod --credentials app.json --oauth',
    'store install harbor-coffee.myshopify.com --env prod --credentials grant.json --portal-page-id 8f0c',
  ],
  run: runStoreInstall,
};

async function runStoreInstall(run: CommandRun): Promise<CommandOutcome> {
  const { operator, terminal, options } = run;
  const domain = parseDomainArgument(run);
  operator.trace.setStore({ domain });
  const credentialsSource = findTextOption(options, 'credentials');
  if (credentialsSource === undefined)
    throw new OperatorError('Add --credentials FILE, or --credentials - and the JSON on standard input.', 2);
  const visibleFacts = parseVisibleFacts(options);
  const trustedIssuer = parseAddressOption(options, '--trust-issuer');
  const credentials = await readCredentials(credentialsSource, terminal);
  const { app, grant: givenGrant } = credentials;
  const webhookOptions = await parseWebhookOptions(run, app?.clientSecret ?? givenGrant?.clientSecret);
  const dryRunOutcome = endDryRunBeforeConsent(run, domain, credentials);
  if (dryRunOutcome !== undefined) return dryRunOutcome;
  const rejectBeforeConsent = () => rejectConflictingInstall(run, domain, credentials.clientId);
  const grant = await obtainGrant(run, { domain, credentials, beforeConsent: rejectBeforeConsent });
  if (grant === undefined) throw new OperatorError('The credentials contain no grant.', 2);
  const { notGranted, ...describedStore } = await determineStoreFacts(run, {
    domain,
    grant,
    facts: visibleFacts,
  });
  const request = { ...describedStore, trustedIssuer, clientId: credentials.clientId };
  operator.trace.setStore({ domain, shopId: request.shopId });
  const signIn = await readSignInAddressesToPin(operator, request);
  const storeBefore = await operator.stores.find(request.shopId);
  const { clientId } = credentials;
  const client = await checkInstallClient(operator, {
    store: { ...request, signIn },
    storeBefore,
    clientId,
  });
  const movedAddresses = storeBefore === undefined ? [] : listMovedAddresses(storeBefore.signIn, signIn);
  if (movedAddresses.length > 0) await confirmMovedAddresses(run, [{ domain, moved: movedAddresses }]);
  return run.change(`Would install ${domain} (${request.shopId}, ${request.displayName}).`, async () => {
    operator.progress('Installing');
    const store = await installStore(operator, { ...request, signIn });
    operator.logger.info('store.installed', { shopId: store.shopId });
    const tokenFindings = await createTokenIfMissing(operator, store);
    const webhooks = await changeWebhooks(run, store, { ...webhookOptions, isInstall: true });
    const currentClientId = clientId === undefined ? installedClientId(storeBefore) : undefined;
    return toInstallOutcome(store, {
      notGranted: [...notGranted, ...tokenFindings, ...webhooks],
      client,
      currentClientId,
    });
  });
}

type InstallResult = {
  readonly notGranted: readonly StoreFinding[];
  readonly client: readonly StoreFinding[];
  /** The current client id, if the credentials do not name one. */
  readonly currentClientId: string | undefined;
};

function toInstallOutcome(
  store: StoreRecord,
  { notGranted, client, currentClientId }: InstallResult,
): CommandOutcome {
  const storeFacts = toStoreFacts(store);
  const findingLines = [...notGranted, ...client].flatMap(formatFinding);
  const message = `Client id: unchanged (${currentClientId}), because the credentials contain none.`;
  return {
    json: { ...storeFacts, notGranted, client },
    lines: [
      `Installed ${store.domain}. Next: store check ${store.domain}`,
      '',
      ...formatFacts(storeFacts),
      ...(currentClientId === undefined ? [] : ['', message]),
      ...(findingLines.length > 0 ? ['', 'Not available yet:', ...findingLines] : []),
    ],
  };
}

/** Finds conflicts that would fail the install, before a merchant has to consent. */
async function rejectConflictingInstall(
  { operator }: CommandRun,
  domain: ShopDomain,
  clientId: string | undefined,
): Promise<void> {
  operator.progress("Asking the platform about the store's sign-in");
  const signIn = await operator.discoverSignIn(domain);
  const shopId = await operator.stores.findShopId(domain);
  const currentClientId = installedClientId(shopId && (await operator.stores.find(shopId)));
  if (clientId !== undefined && clientId !== currentClientId)
    await rejectUnknownClient(operator, signIn, clientId);
}

function parseDomainArgument(run: CommandRun): ShopDomain {
  const { shopDomainSuffixes } = run.operator.target;
  const domain = parseShopDomain(requireArgument(run, 0), shopDomainSuffixes);
  if (domain !== undefined) return domain;
  throw new OperatorError(`A store's domain ends in ${shopDomainSuffixes.join(' or ')}.`, 2);
}

type StoreToDescribe = {
  readonly domain: ShopDomain;
  readonly grant: PlatformGrant;
  readonly facts: ReturnType<typeof parseVisibleFacts>;
};

/**
 * Returns the store's facts from the platform, with the operator's overrides.
 * @throws StoreChangeRefused when the grant lacks access
 */
async function determineStoreFacts({ operator }: CommandRun, { domain, grant, facts }: StoreToDescribe) {
  operator.progress('Asking the platform about the store');
  const deps = { ...operator, ...operator.target };
  const shopRequest = { domain, accessToken: grant.accessToken };
  const shop = await readShopFacts(deps, shopRequest);
  return {
    shopId: shop.shopId,
    domain,
    displayName: facts.displayName ?? shop.displayName,
    storefrontUrl: facts.storefrontUrl ?? shop.storefrontUrl,
    timeZone: shop.timeZone,
    portalPageId: facts.portalPageId,
    grant,
    notGranted: await checkInstallAccess(
      createProbeSender(deps, shopRequest),
      { domain, renewalKind: findGrantRenewalKind(grant) },
      operator.now(),
    ),
  };
}
