/** What the platform says of a store to whoever holds its grant; asked before the store is installed. */
import { parseShopId, type ShopId } from '../domain/shop-id.ts';
import { parseTimeZone, type TimeZone } from '../domain/time-zone.ts';
import { readAdminAnswer } from '../platform/admin-answer.ts';
import type { SendAdminRequest } from '../platform/admin-request.ts';
import { StoreChangeRefused } from './store-change-refused.ts';
import { unknownZone } from './unknown-zone.ts';

export type ShopFacts = {
  readonly shopId: ShopId;
  readonly displayName: string;
  readonly storefrontUrl: string;
  readonly timeZone: TimeZone;
};
export type AskShopDeps = {
  readonly sendAdminRequest: SendAdminRequest;
  readonly platformOrigin: string;
  readonly platformApiVersion: string;
};

const QUERY = 'query InstallShop { shop { id name ianaTimezone primaryDomain { url } } }';
const TIMEOUT_MS = 10_000;

/** StoreChangeRefused if the platform refuses the grant, does not answer, or names a time zone that is not known. */
export async function askShop(
  { sendAdminRequest, platformOrigin, platformApiVersion }: AskShopDeps,
  { domain, accessToken }: { readonly domain: string; readonly accessToken: string },
): Promise<ShopFacts> {
  const url = `${platformOrigin.replaceAll('{shop}', domain)}/admin/api/${platformApiVersion}/graphql.json`;
  const post = { url, accessToken, body: JSON.stringify({ query: QUERY }), timeoutMs: TIMEOUT_MS };
  const raw = await sendAdminRequest({ ...post, freshConnection: true }).catch((error: Error) => {
    throw new StoreChangeRefused(`The platform does not answer for ${domain} (${error.message}). Try again.`);
  });
  const reading = readAdminAnswer(raw);
  if (reading.kind === 'unauthorized' || reading.kind === 'disconnected')
    throw new StoreChangeRefused(
      `The platform refuses this grant for ${domain}. Check that both belong to the same store.`,
    );
  const shop = reading.kind === 'answered' ? reading.answer.data?.shop : undefined;
  return readFacts(shop, domain);
}

function readFacts(shop: unknown, domain: string): ShopFacts {
  const { id, name, ianaTimezone, primaryDomain } = (shop ?? {}) as {
    id?: string;
    name?: string;
    ianaTimezone?: string;
    primaryDomain?: { url?: string };
  };
  const shopId = parseShopId(Number(/\/Shop\/(\d+)$/.exec(id ?? '')?.[1]));
  const storefrontUrl = primaryDomain?.url;
  if (shopId === undefined || !name || !storefrontUrl)
    throw new StoreChangeRefused(`The platform does not describe ${domain} as expected. Try again.`);
  const timeZone = parseTimeZone(ianaTimezone);
  if (timeZone === undefined) throw new StoreChangeRefused(`${domain}: ${unknownZone(ianaTimezone)}`);
  return { shopId, displayName: name, storefrontUrl, timeZone };
}
