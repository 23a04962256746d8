/**
 * `serviceInfo` returns data about the app's store (name, time zone, storefront), without a request to the platform.
 */
import { expect, test } from '@jest/globals';
import { neverCalled, runPlan, store } from '../world/harness.ts';

const query = `{ info: serviceInfo { __typename zone: storeTimeZone storeName ...More } }
  fragment More on ServiceInfo { storefrontUrl languages }`;
const harbor = { ...store, displayName: 'Harbor Coffee' };
const info = (storeTimeZone: string) => ({
  info: {
    __typename: 'ServiceInfo',
    zone: storeTimeZone,
    storeName: 'Harbor Coffee',
    storefrontUrl: 'https://harbor-coffee.example',
    languages: ['EN', 'DE', 'FR', 'ES', 'IT', 'NL', 'PT_BR', 'JA'],
  },
});

test.each(['customer', 'store', 'store for a customer'] as const)('%s reads it', async (as) => {
  const inNewYork = { ...harbor, timeZone: 'America/New_York' } as typeof store;
  const { result, sent } = await runPlan({ as, query, standIn: neverCalled, store: inNewYork });
  expect(result).toEqual({ data: info('America/New_York') });
  expect(sent).toEqual([]);
});

test.each([undefined, 'Mars/Olympus_Mons'])(
  'where the zone is %p dates are shown in UTC',
  async (timeZone) => {
    const lost = { ...harbor, timeZone } as typeof store;
    const { result } = await runPlan({ as: 'customer', query, standIn: neverCalled, store: lost });
    expect(result).toEqual({ data: info('UTC') });
  },
);

test('returns the time zone with a root of the platform, and under its own conditions', async () => {
  const text = `query ($yes: Boolean!, $no: Boolean!) {
    a: serviceInfo @include(if: $yes) { storeTimeZone }
    b: serviceInfo @include(if: $no) { storeTimeZone }
    shop { name }
  }`;
  const standIn = () => ({ data: { shop: { name: 'Harbor' } } });
  const request = { as: 'store', query: text, variables: { yes: true, no: false }, standIn } as const;
  const { result, sent } = await runPlan({ ...request, store: harbor });
  expect(result.data).toEqual({ a: { storeTimeZone: 'UTC' }, shop: { name: 'Harbor' } });
  expect(sent).toHaveLength(1);
});
