/** The markets of the store: its own country, and the others that it ships to. Their catalogues do not behave. */
import type { StoreState } from '../../state/state.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../context.ts';
import { countOf } from '../cost/counts.ts';
import { gid, numberOf } from '../gid.ts';
import { type ConnectionArgs, connectionOf } from '../lists/connections.ts';
import { type SearchFields, searchTest } from '../lists/search.ts';
import { sortedBy } from '../lists/sorting.ts';

export type MarketView = {
  __typename: 'Market';
  id: number;
  name: string;
  handle: string;
  isPrimary: boolean;
  store: StoreState;
};

const nameOf = (type: 'currency' | 'region', code: string) =>
  new Intl.DisplayNames('en', { type }).of(code) ?? code;

/** The markets of the store, the primary one first. */
export function marketsOf({ store }: Pick<AdminContext, 'store'>): MarketView[] {
  const { countryCode, shopId, shipsToCountries } = store;
  const view = (index: number, more: Pick<MarketView, 'name' | 'handle' | 'isPrimary'>): MarketView => ({
    __typename: 'Market',
    id: shopId * 10 + index,
    store,
    ...more,
  });
  const home = { name: nameOf('region', countryCode), handle: countryCode.toLowerCase(), isPrimary: true };
  const abroad = { name: 'International', handle: 'international', isPrimary: false };
  const hasOthers = shipsToCountries.some((code) => code !== countryCode);
  return [view(1, home), ...(hasOthers ? [view(2, abroad)] : [])];
}

const searchFields: SearchFields<MarketView> = {
  id: { kind: 'number', of: ({ id }) => id },
  name: { kind: 'text', of: ({ name }) => name },
};

type ListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null; type?: string | null };

function markets(_parent: unknown, args: ListArgs, context: AdminContext) {
  const test = searchTest(args.query, searchFields, ({ name }) => name);
  const all = marketsOf(context).filter(() => args.type == null || args.type === 'REGION');
  const sorted = sortedBy(all, args.sortKey === 'NAME' ? ({ name }) => name : ({ id }) => id);
  return connectionOf(sorted.filter(test), args, ({ id }) => id);
}

export const marketResolvers: ResolverMap = {
  QueryRoot: {
    market: (_parent: unknown, { id }: { id: string }, context) =>
      marketsOf(context).find((market) => market.id === numberOf(id, 'Market')) ?? null,
    markets,
  },
  Market: fieldsOf<MarketView>({
    id: ({ id }) => gid('Market', id),
    assignedCustomization: () => false,
    catalogs: (_market, args: ConnectionArgs) => connectionOf<{ id: number }>([], args, ({ id }) => id),
    catalogsCount: () => countOf(0),
    currencySettings: ({ store: { currencyCode } }) => ({
      baseCurrency: {
        currencyCode,
        currencyName: nameOf('currency', currencyCode),
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
