/** Checks the platform's Admin API of a store, with the store's own token. */
import { parseTimeZone } from '../../domain/time-zone.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { requestDeadlineAtMs } from '../../platform/admin-api/admin-client.ts';
import { ACCESS_DENIED_CODE, type AdminResponse } from '../../platform/admin-api/admin-response.ts';
import type { GrantRenewalKind } from '../../platform/grants/platform-grant.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { unknownTimeZoneMessage } from '../unknown-time-zone.ts';
import {
  checkAccess,
  findingAboutMissingData,
  type ProbeQueryResult,
  type SendProbeQuery,
} from './check-access.ts';
import { checkLargeQueryCost } from './check-large-query-cost.ts';
import type { CheckStoreDeps } from './check-store-deps.ts';
import { errorTextOfFinding } from './error-text-of-finding.ts';
import { newGrantCommand, REMOVED_APP_WARNING, type StoreToFix } from './remediations.ts';
import type { StoreFinding } from './store-finding.ts';

const SHOP_CHECK_DOCUMENT = `query StoreCheckShop {
  shop { myshopifyDomain ianaTimezone customerAccountsV2 { customerAccountsVersion } features { eligibleForSubscriptions } }
}`;
const API_VERSIONS_DOCUMENT = 'query StoreCheckVersions { publicApiVersions { handle supported } }';
const TEST_QUERY_DOCUMENT = `query StoreCheckTest {
  subscriptionContracts(first: 10) { nodes { id status lines(first: 5) { nodes { id title } } } }
}`;

type JsonFields = Readonly<Record<string, unknown>>;

/**
 * Returns the findings about token, access, API version, customer accounts, time zone and query costs. `renewalKind` is how
 * the store's grant is renewed.
 */
export async function checkAdminApi(
  deps: CheckStoreDeps,
  store: StoreRecord,
  renewalKind: GrantRenewalKind | undefined,
): Promise<StoreFinding[]> {
  const storeToFix = { domain: store.domain, renewalKind, isInstalled: true };
  const sendProbe = createProbeSender(deps, store);
  const shopResult = await sendProbe(SHOP_CHECK_DOCUMENT);
  const grantFinding = findingAboutGrant(shopResult, storeToFix);
  if (grantFinding.state !== 'ok') return [grantFinding];
  return [
    grantFinding,
    ...(await checkAccess(sendProbe, storeToFix, deps.now())),
    findingAboutApiVersion(await sendProbe(API_VERSIONS_DOCUMENT), deps.platformApiVersion),
    ...findingsAboutShop(shopResult),
    findingAboutTimeZone(shopResult, store),
    findingAboutQueryCost(await sendProbe(TEST_QUERY_DOCUMENT)),
    await checkLargeQueryCost(sendProbe, await deps.buildLargestQuery(deps.now())),
  ];
}

/** Returns only the finding about whether the platform accepts the token. */
export async function checkTokenAccepted(
  deps: CheckStoreDeps,
  store: StoreRecord,
  renewalKind: GrantRenewalKind | undefined,
): Promise<StoreFinding> {
  const storeToFix = { domain: store.domain, renewalKind, isInstalled: false };
  return findingAboutGrant(await createProbeSender(deps, store)(SHOP_CHECK_DOCUMENT), storeToFix);
}

function createProbeSender(deps: CheckStoreDeps, store: StoreRecord): SendProbeQuery {
  return async (document, variables = {}) => {
    const operation = { store, document, variables, mutates: false, costKey: document };
    try {
      return await deps.sendAdmin({ ...operation, deadlineAtMs: requestDeadlineAtMs(deps.now()) });
    } catch (failed) {
      return toDeniedResponse(failed) ?? { failed };
    }
  };
}

/**
 * Converts the denial of a whole document to a response with an error, so that the checks report the missing access.
 */
function toDeniedResponse(failed: unknown): AdminResponse | undefined {
  if (!(failed instanceof ServiceError) || failed.code !== 'STORE_ACCESS_MISSING') return undefined;
  const error = { message: errorTextOfFinding(failed), extensions: { code: ACCESS_DENIED_CODE } };
  return { data: null, errors: [error], cost: undefined };
}

function findingAboutGrant(result: ProbeQueryResult, store: StoreToFix): StoreFinding {
  const name = 'Grant';
  if (!('failed' in result)) return { name, state: 'ok', found: 'the platform accepts it' };
  const isGrantRefused = result.failed instanceof ServiceError && result.failed.code === 'STORE_DISCONNECTED';
  if (!isGrantRefused)
    return { name, state: 'unknown', found: errorTextOfFinding(result.failed), fix: 'Try again.' };
  return {
    name,
    state: 'missing',
    found: 'the platform refuses it',
    fix: `Was the app removed from the store? ${REMOVED_APP_WARNING} Run ${newGrantCommand(store)}, or without the option and with a new token in FILE.`,
  };
}

function findingAboutApiVersion(result: ProbeQueryResult, version: string): StoreFinding {
  const name = 'API version';
  if ('failed' in result || !Array.isArray(result.data?.publicApiVersions))
    return findingAboutMissingData(name, result);
  const apiVersions = result.data.publicApiVersions as { handle: string; supported: boolean }[];
  const configuredVersion = apiVersions.find(({ handle }) => handle === version);
  if (configuredVersion?.supported) return { name, state: 'ok', found: version };
  const supportedHandles = apiVersions.filter((each) => each.supported).map(({ handle }) => handle);
  return {
    name,
    state: 'missing',
    found: `${version} is not supported${configuredVersion ? ' yet, or no longer' : ''}`,
    fix: `Set platformApiVersion to one of: ${supportedHandles.join(', ')}.`,
  };
}

function findingsAboutShop(result: ProbeQueryResult): StoreFinding[] {
  const shop = readDataObject(result, 'shop');
  const customerAccounts = shop?.customerAccountsV2 as { customerAccountsVersion?: string } | undefined;
  const shopFeatures = shop?.features as { eligibleForSubscriptions?: boolean } | undefined;
  const usesNewCustomerAccounts = customerAccounts?.customerAccountsVersion === 'NEW_CUSTOMER_ACCOUNTS';
  return [
    usesNewCustomerAccounts
      ? { name: 'Customer accounts', state: 'ok', found: 'the new kind, with one-time codes' }
      : {
          name: 'Customer accounts',
          state: 'missing',
          found: 'the old kind, with passwords: customers cannot sign in to the app',
          fix: 'In the store: Settings → Customer accounts → switch to the new customer accounts.',
        },
    shopFeatures?.eligibleForSubscriptions
      ? { name: 'Subscriptions', state: 'ok', found: 'the store may sell them' }
      : {
          name: 'Subscriptions',
          state: 'missing',
          found: 'the store may not sell subscriptions',
          fix: 'See the reason in the payment settings of the platform.',
        },
  ];
}

/**
 * Returns the finding about the time zone. The scheduled work reads a changed zone within a day; until then customers
 * see days in the stored zone.
 */
function findingAboutTimeZone(result: ProbeQueryResult, { timeZone: storedZone }: StoreRecord): StoreFinding {
  const name = 'Time zone';
  const shop = readDataObject(result, 'shop');
  if (shop === undefined) return findingAboutMissingData(name, result);
  const { ianaTimezone } = shop;
  const timeZone = parseTimeZone(ianaTimezone);
  if (timeZone === undefined) {
    return {
      name,
      state: 'missing',
      found: 'days are named in UTC',
      fix: unknownTimeZoneMessage(ianaTimezone),
    };
  }
  const foundText =
    storedZone === timeZone ? timeZone : `${timeZone}; ${storedZone ?? 'UTC'} until it is read, within a day`;
  return { name, state: 'ok', found: foundText };
}

function findingAboutQueryCost(result: ProbeQueryResult): StoreFinding {
  const name = 'Test query';
  if ('failed' in result || result.data === null || !result.cost)
    return findingAboutMissingData(name, result);
  const { requestedQueryCost, throttleStatus } = result.cost;
  const { restoreRate, maximumAvailable } = throttleStatus;
  const queriesPerSecond = Math.floor(restoreRate / Math.max(1, requestedQueryCost));
  const foundText = `${requestedQueryCost} points of ${maximumAvailable}; about ${queriesPerSecond} a second are possible`;
  return { name, state: 'ok', found: foundText };
}

function readDataObject(result: ProbeQueryResult, field: string): JsonFields | undefined {
  const fieldValue = 'failed' in result ? undefined : result.data?.[field];
  return typeof fieldValue === 'object' && fieldValue !== null ? (fieldValue as JsonFields) : undefined;
}
