/** The store itself, its locations, and the API's versions. */
import type { LocationRecord } from '../../state/catalogue-records.ts';
import { createDevelopmentPlan } from '../../state/seed/seed-store.ts';
import type { StoreState } from '../../state/state.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../context.ts';
import { formatGid, requireGidNumber } from '../gid.ts';
import { type ConnectionArgs, createConnection } from '../lists/connections.ts';
import { createSearchTest } from '../lists/search.ts';
import { sortByKey } from '../lists/sorting.ts';

/** Returns the minutes that the store's clock is ahead of UTC at that instant, and the short name of its time zone. */
function computeZoneOffset(
  { ianaTimezone }: StoreState,
  nowMs: number,
): { minutes: number; abbreviation: string } {
  const timeZonePart = (timeZoneName: 'longOffset' | 'short') =>
    new Intl.DateTimeFormat('en-US', { timeZone: ianaTimezone, timeZoneName })
      .formatToParts(nowMs)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const offsetMatch = /GMT([+-])(\d{2}):(\d{2})/.exec(timeZonePart('longOffset'));
  const minutes = offsetMatch === null ? 0 : Number(offsetMatch[2]) * 60 + Number(offsetMatch[3]);
  return { minutes: offsetMatch?.[1] === '-' ? -minutes : minutes, abbreviation: timeZonePart('short') };
}

function formatOffset(minutes: number): string {
  const absoluteMinutes = Math.abs(minutes);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(absoluteMinutes / 60))}${twoDigits(absoluteMinutes % 60)}`;
}

function toPrimaryDomain({ storefrontUrl, shopId }: StoreState) {
  const url = new URL(storefrontUrl);
  return {
    __typename: 'Domain',
    id: formatGid('Domain', shopId),
    host: url.host,
    sslEnabled: true,
    url: storefrontUrl,
  };
}

function toShopAddress({ locations, name, shopId }: StoreState) {
  const [primaryLocation] = locations.values();
  if (primaryLocation === undefined) return null;
  const { address1, city, country, countryCode, province, provinceCode, zip } = primaryLocation;
  return {
    __typename: 'ShopAddress',
    id: formatGid('ShopAddress', shopId),
    address1,
    address2: null,
    city,
    company: name,
    country,
    countryCodeV2: countryCode,
    formatted: [name, address1, `${city} ${zip}`, country],
    formattedArea: `${city}, ${country}`,
    phone: null,
    province,
    provinceCode,
    zip,
  };
}

const CURRENCY_SYMBOLS: Record<string, string> = { USD: '$', GBP: '£' };

function createCurrencyFormats({ currencyCode }: StoreState) {
  const moneyFormat = `${CURRENCY_SYMBOLS[currencyCode] ?? ''}{{amount}}`;
  const withCurrency = `${moneyFormat} ${currencyCode}`;
  return {
    moneyFormat,
    moneyInEmailsFormat: moneyFormat,
    moneyWithCurrencyFormat: withCurrency,
    moneyWithCurrencyInEmailsFormat: withCurrency,
  };
}

type LocationArgs = ConnectionArgs & { query?: string | null; includeInactive: boolean };

function resolveLocations(_parent: unknown, args: LocationArgs, { store }: AdminContext) {
  const matchesQuery = createSearchTest<LocationRecord>(
    args.query,
    { id: { kind: 'number', of: ({ id }) => id }, name: { kind: 'text', of: ({ name }) => name } },
    ({ name }) => name,
  );
  const visibleLocations = [...store.locations.values()].filter(
    ({ isActive }) => isActive || args.includeInactive,
  );
  return createConnection(
    sortByKey(visibleLocations, ({ name }) => name).filter(matchesQuery),
    args,
    ({ id }) => id,
  );
}

export const shopResolvers: ResolverMap = {
  QueryRoot: {
    location: (_parent: unknown, { id }: { id?: string | null }, { store }) =>
      (id == null
        ? [...store.locations.values()][0]
        : store.locations.get(requireGidNumber(id, 'Location'))) ?? null,
    locations: resolveLocations,
    publicApiVersions: () => [
      { handle: '2026-07', displayName: '2026-07 (Latest)', supported: true },
      { handle: '2026-10', displayName: '2026-10 (Release candidate)', supported: false },
      { handle: 'unstable', displayName: 'unstable', supported: false },
    ],
    shop: (_parent: unknown, _args: unknown, { store }) => store,
  },
  Shop: typeResolvers<StoreState>({
    id: ({ shopId }) => formatGid('Shop', shopId),
    contactEmail: ({ email }) => email,
    currencyFormats: createCurrencyFormats,
    customerAccountsV2: ({ storefrontUrl }) => ({
      customerAccountsVersion: 'NEW_CUSTOMER_ACCOUNTS',
      loginLinksVisibleOnStorefrontAndCheckout: true,
      loginRequiredAtCheckout: false,
      url: `${storefrontUrl}/account`,
    }),
    description: () => null,
    enabledPresentmentCurrencies: ({ presentmentCurrencies }) => presentmentCurrencies,
    features: () => ({
      eligibleForSubscriptionMigration: false,
      eligibleForSubscriptions: true,
      giftCards: false,
      legacySubscriptionGatewayEnabled: false,
      paypalExpressSubscriptionGatewayStatus: 'DISABLED',
      sellsSubscriptions: true,
      storefront: true,
    }),
    myshopifyDomain: ({ shop }) => shop,
    // Data that an earlier version stored has no plan.
    plan: ({ plan = createDevelopmentPlan() }) => ({ ...plan, shopifyPlus: false }),
    primaryDomain: toPrimaryDomain,
    shopAddress: toShopAddress,
    taxShipping: () => false,
    taxesIncluded: () => true,
    timezoneAbbreviation: (store, _args, { nowMs }) => computeZoneOffset(store, nowMs).abbreviation,
    timezoneOffset: (store, _args, { nowMs }) => formatOffset(computeZoneOffset(store, nowMs).minutes),
    timezoneOffsetMinutes: (store, _args, { nowMs }) => computeZoneOffset(store, nowMs).minutes,
    translations: () => [],
    unitSystem: () => 'METRIC_SYSTEM',
    updatedAt: ({ createdAt }) => createdAt,
    url: ({ storefrontUrl }) => storefrontUrl,
    weightUnit: () => 'GRAMS',
  }),
  Location: typeResolvers<LocationRecord>({
    id: ({ id }) => formatGid('Location', id),
    legacyResourceId: ({ id }) => id,
    address: ({ address1, city, country, countryCode, province, provinceCode, zip }) => ({
      address1,
      address2: null,
      city,
      country,
      countryCode,
      formatted: [address1, `${city} ${zip}`, country],
      latitude: null,
      longitude: null,
      phone: null,
      province,
      provinceCode,
      zip,
    }),
    deactivatedAt: ({ isActive, createdAt }) => (isActive ? null : createdAt),
    fulfillsOnlineOrders: () => true,
    localPickupSettingsV2: () => ({ instructions: 'Ring the bell.', pickupTime: 'TWENTY_FOUR_HOURS' }),
    shipsInventory: () => true,
    updatedAt: ({ createdAt }) => createdAt,
  }),
};
