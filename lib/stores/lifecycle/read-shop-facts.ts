/** Reads facts of a store from the platform, with a token that is not stored yet. */
import { parseShopId, type ShopId } from '../../domain/shop-id.ts';
import { parseTimeZone, type TimeZone } from '../../domain/time-zone.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import { adminApiUrl, type SendAdminRequest } from '../../platform/admin-api/admin-request.ts';
import { type AdminOutcome, classifyAdminResponse } from '../../platform/admin-api/admin-response.ts';
import type { SendProbeQuery } from '../checks/check-access.ts';
import { unknownTimeZoneMessage } from '../unknown-time-zone.ts';

type ShopFacts = {
  readonly shopId: ShopId;
  readonly displayName: string;
  readonly storefrontUrl: string;
  readonly timeZone: TimeZone;
};
export type ReadShopDeps = {
  readonly sendAdminRequest: SendAdminRequest;
  readonly platformOrigin: string;
  readonly platformApiVersion: string;
};

type ShopQueryRequest = { readonly domain: string; readonly accessToken: string };

const SHOP_FACTS_DOCUMENT = 'query InstallShop { shop { id name ianaTimezone primaryDomain { url } } }';
const SHOP_ID_DOCUMENT = 'query WhoseGrant { shop { id } }';
const SHOP_QUERY_TIMEOUT_MS = 10_000;

/**
 * Reads the facts of the store that the token belongs to.
 * @throws StoreChangeRefused when the platform refuses the token, does not respond, or returns an unknown time zone
 */
export async function readShopFacts(deps: ReadShopDeps, request: ShopQueryRequest): Promise<ShopFacts> {
  return toShopFacts(await queryShop(deps, request, SHOP_FACTS_DOCUMENT), request.domain);
}

/**
 * Reads the id of the store that the token belongs to.
 * @throws StoreChangeRefused when the platform refuses the token or does not respond
 */
export async function readShopId(deps: ReadShopDeps, request: ShopQueryRequest): Promise<ShopId> {
  const shopId = parseShopGid(await queryShop(deps, request, SHOP_ID_DOCUMENT));
  if (shopId === undefined) throw createUnexpectedShopError(request.domain);
  return shopId;
}

/** Returns a function that sends queries with the token. Its result has `failed` when the platform did not respond. */
export function createProbeSender(deps: ReadShopDeps, request: ShopQueryRequest): SendProbeQuery {
  return async (query, variables) => {
    try {
      const shopResult = await sendShopQuery(deps, request, JSON.stringify({ query, variables }));
      if (shopResult.kind === 'answered') return shopResult.response;
      if (shopResult.kind === 'denied') return { data: null, errors: shopResult.errors, cost: undefined };
      return { failed: new Error(`the platform's answer is ${shopResult.kind}`) };
    } catch (failed) {
      return { failed };
    }
  };
}

async function sendShopQuery(
  { sendAdminRequest, platformOrigin, platformApiVersion }: ReadShopDeps,
  { domain, accessToken }: ShopQueryRequest,
  body: string,
): Promise<AdminOutcome> {
  const url = adminApiUrl(platformOrigin, domain, platformApiVersion);
  const shopQuery = { url, accessToken, body, timeoutMs: SHOP_QUERY_TIMEOUT_MS };
  const rawResponse = await sendAdminRequest({ ...shopQuery, freshConnection: true }).catch(
    (error: Error) => {
      throw new StoreChangeRefused(
        `The platform does not answer for ${domain} (${error.message}). Try again. Nothing was changed.`,
      );
    },
  );
  return classifyAdminResponse(rawResponse);
}

async function queryShop(
  deps: ReadShopDeps,
  request: ShopQueryRequest,
  query: string,
): Promise<PlatformShop> {
  const { domain } = request;
  const shopResult = await sendShopQuery(deps, request, JSON.stringify({ query }));
  if (shopResult.kind === 'unauthorized' || shopResult.kind === 'disconnected')
    throw new StoreChangeRefused(
      `The platform refuses this grant for ${domain}: its access token was revoked, has ended, or is another store's. Check that the token and the domain belong to the same store. Nothing was changed.`,
    );
  return ((shopResult.kind === 'answered' && shopResult.response.data?.shop) || {}) as PlatformShop;
}

/** The fields of the platform's shop. Undefined ones were not returned. */
type PlatformShop = {
  readonly id?: string;
  readonly name?: string;
  readonly ianaTimezone?: string;
  readonly primaryDomain?: { readonly url?: string };
};

function parseShopGid({ id }: PlatformShop): ShopId | undefined {
  return parseShopId(Number(/\/Shop\/(\d+)$/.exec(id ?? '')?.[1]));
}

function createUnexpectedShopError(domain: string): StoreChangeRefused {
  return new StoreChangeRefused(
    `The platform does not describe ${domain} as expected. Try again. Nothing was changed.`,
  );
}

function toShopFacts(shop: PlatformShop, domain: string): ShopFacts {
  const { name, ianaTimezone, primaryDomain } = shop;
  const shopId = parseShopGid(shop);
  const storefrontUrl = primaryDomain?.url;
  if (shopId === undefined || !name || !storefrontUrl) throw createUnexpectedShopError(domain);
  const timeZone = parseTimeZone(ianaTimezone);
  if (timeZone === undefined)
    throw new StoreChangeRefused(`${domain}: ${unknownTimeZoneMessage(ianaTimezone)}`);
  return { shopId, displayName: name, storefrontUrl, timeZone };
}
