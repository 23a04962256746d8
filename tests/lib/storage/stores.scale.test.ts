/** A store comes back from its items as it was put. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fromAttributes, toAttributes } from '../../../lib/storage/aws-client/attribute-values.ts';
import { type StoreRecord, toStoreItems, toStoreRecord } from '../../../lib/storage/stores.ts';
import type { Item } from '../../../lib/storage/table.ts';
import { propertyRuns } from '../../full-size.ts';

const text = fc.string();
const time = fc.nat();
const times = fc.dictionary(fc.stringMatching(/^[a-z0-9]{1,8}$/), time, { noNullPrototype: true });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Every field, by its type: one that is added and not read is an error here. */
const fields: { readonly [Name in keyof Required<StoreRecord>]: fc.Arbitrary<unknown> } = {
  shopId: time,
  domain: text,
  storefrontUrl: text,
  displayName: text,
  portalPageId: maybe(text),
  clientId: maybe(text),
  webSignIn: maybe(fc.record({ clientId: text, redirectUris: fc.array(text), revision: time })),
  signIn: fc.record({ issuer: text, tokenEndpoint: text }),
  status: fc.constantFrom('installed', 'uninstalled', 'purging'),
  platformVersionId: maybe(text),
  adminKeysVersionId: maybe(text),
  webhooksVersionId: maybe(text),
  webhookWay: maybe(fc.record({ by: fc.constantFrom('api', 'toml'), uri: text })),
  upcomingDays: maybe(time),
  sendNow: maybe(fc.constantFrom('OFF', 'MOVE')),
  keyClaims: times,
  keyRevocations: times,
  keyLastUses: times,
  storefrontAccessToken: maybe(text),
  storefrontTokenId: maybe(text),
  storefrontLeaseUntilMs: maybe(time),
  storefrontRefusal: maybe(fc.record({ atMs: time, reason: text })),
  installedAtMs: time,
  restoredAtMs: maybe(time),
  refusedKids: maybe(fc.array(text)),
  lastInstallAtMs: maybe(time),
  uninstalledAtMs: maybe(time),
  trustsSubject: maybe(fc.boolean()),
  grantRefusal: maybe(fc.record({ versionId: text, reason: text, atMs: time, isFinal: fc.boolean() })),
  timeZone: maybe(text),
  unmigratedParts: fc.constant(undefined),
};

test('whatever it holds, and whether an unknown fact is absent or null', () => {
  const property = fc.property(fc.record(fields), fc.boolean(), (given, asNull) => {
    const store = given as unknown as StoreRecord;
    const items = toStoreItems(store).map((item) => {
      const known = Object.entries(item).map(([name, value]) => [name, asNull ? (value ?? null) : value]);
      return fromAttributes(toAttributes(Object.fromEntries(known))) as Item;
    });
    expect(toStoreRecord(items)).toEqual(store);
    expect(toStoreRecord(items.toReversed())).toEqual(store);
  });
  fc.assert(property, propertyRuns(5_000));
});

test('without its store item it is none, and a part that was not read is empty', () => {
  const store = { shopId: 1, status: 'installed', keyClaims: { a: 1 }, platformVersionId: 'v' };
  const [item, grant, keys] = toStoreItems(store as unknown as StoreRecord);
  expect(toStoreRecord([undefined, grant, keys])).toBeUndefined();
  expect(toStoreRecord([item])).toEqual({ shopId: 1, status: 'installed', keyClaims: {} });
});
