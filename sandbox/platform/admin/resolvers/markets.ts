/** The markets of the store: its own country, and the others that it ships to. Their catalogues are not emulated. */
import type { StoreState } from '../../state/state.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../context.ts';
import { toCountView } from '../cost/counts.ts';
import { formatGid, requireGidNumber } from '../gid.ts';
import { type ConnectionArgs, createConnection } from '../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../lists/search.ts';
import { sortByKey } from '../lists/sorting.ts';

export type MarketView = {
  __typename: 'Market';
  id: number;
  name: string;
  handle: string;
  isPrimary: boolean;
  store: StoreState;
};

const displayNameOfCode = (type: 'currency' | 'region', code: string) =>
  new Intl.DisplayNames('en', { type }).of(code) ?? code;

/** Returns the store's markets, the primary one first. */
export function listMarkets({ store }: Pick<AdminContext, 'store'>): MarketView[] {
  const { countryCode, shopId, shipsToCountries } = store;
  const createMarketView = (
    index: number,
    marketFields: Pick<MarketView, 'name' | 'handle' | 'isPrimary'>,
  ): MarketView => ({
    __typename: 'Market',
    id: shopId * 10 + index,
    store,
    ...marketFields,
  });
  const homeMarket = {
    name: displayNameOfCode('region', countryCode),
    handle: countryCode.toLowerCase(),
    isPrimary: true,
  };
  const internationalMarket = { name: 'International', handle: 'international', isPrimary: false };
  const shipsToOtherCountries = shipsToCountries.some((code) => code !== countryCode);
  return [
    createMarketView(1, homeMarket),
    ...(shipsToOtherCountries ? [createMarketView(2, internationalMarket)] : []),
  ];
}

const MARKET_SEARCH_FIELDS: SearchFields<MarketView> = {
  id: { kind: 'number', of: ({ id }) => id },
  name: { kind: 'text', of: ({ name }) => name },
};

type MarketListArgs = ConnectionArgs & {
  query?: string | null;
  sortKey?: string | null;
  type?: string | null;
};

function resolveMarkets(_parent: unknown, args: MarketListArgs, context: AdminContext) {
  const matchesQuery = createSearchTest(args.query, MARKET_SEARCH_FIELDS, ({ name }) => name);
  const markets = listMarkets(context).filter(() => args.type == null || args.type === 'REGION');
  const sortedMarkets = sortByKey(markets, args.sortKey === 'NAME' ? ({ name }) => name : ({ id }) => id);
  return createConnection(sortedMarkets.filter(matchesQuery), args, ({ id }) => id);
}

export const marketResolvers: ResolverMap = {
  QueryRoot: {
    market: (_parent: unknown, { id }: { id: string }, context) =>
      listMarkets(context).find((market) => market.id === requireGidNumber(id, 'Market')) ?? null,
    markets: resolveMarkets,
  },
  Market: typeResolvers<MarketView>({
    id: ({ id }) => formatGid('Market', id),
    assignedCustomization: () => false,
    catalogs: (_market, args: ConnectionArgs) => createConnection<{ id: number }>([], args, ({ id }) => id),
    catalogsCount: () => toCountView(0),
    currencySettings: ({ store: { currencyCode } }) => ({
      baseCurrency: {
        currencyCode,
        currencyName: displayNameOfCode('currency', currencyCode),
        enabled: true,
        manualRate: null,
        rateUpdatedAt: null,
      },
      localCurrencies: false,
      roundingEnabled: true,
    }),
    enabled: () => true,
    primary: ({ isPrimary }) => isPrimary,
    status: () => 'ACTIVE',
    type: () => 'REGION',
  }),
};
