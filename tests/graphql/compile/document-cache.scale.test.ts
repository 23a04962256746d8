/** A container caches the documents of each customer, key and store, regardless of the others' requests. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  createDocumentCache,
  createFairCache,
  type DocumentSender,
} from '../../../graphql/compile/document-cache.ts';
import {
  createPreparedDocuments,
  type DocumentRequest,
  prepareDocument,
} from '../../../graphql/compile/prepare-document.ts';
import { COMPILE_REGISTRIES } from '../../../graphql/endpoint/registries.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { AdminKeyId } from '../../../lib/domain/tokens/admin-key.ts';
import { propertyRuns } from '../../full-size.ts';

/** Prepares documents as one container does. */
function createPrepare() {
  const documents = createPreparedDocuments();
  return (request: DocumentRequest) => prepareDocument(documents, request, COMPILE_REGISTRIES);
}

const customer = (shopId: number, customerId: number): DocumentSender => ({
  kind: 'customer',
  shopId: shopId as ShopId,
  customerId: customerId as CustomerId,
});
const key = (shopId: number, keyId: string): DocumentSender => ({
  kind: 'store',
  shopId: shopId as ShopId,
  keyId: keyId as AdminKeyId,
});

/** Room for some ten documents of a line. */
const BYTES = { shared: 100_000, probation: 50_000 };
const flood = fc.array(fc.record({ document: fc.nat(100), characters: fc.integer({ min: 1, max: 2_000 }) }), {
  maxLength: 200,
});

function documents() {
  const cache = createDocumentCache<string>(BYTES);
  const send = (sender: DocumentSender, name: string, characters = 100) => {
    if (cache.get(name, sender) === undefined) cache.add(name, sender, { value: name, characters });
  };
  return { ...cache, send };
}

describe('what others share stays', () => {
  test.each<[string, readonly DocumentSender[], DocumentSender]>([
    ['whatever another customer of the store sends', [customer(1, 1), customer(1, 2)], customer(1, 3)],
    ['whatever a customer of another store sends', [customer(1, 1), customer(1, 2)], customer(2, 1)],
    ['whatever one of them sends', [customer(1, 1), customer(1, 2)], customer(1, 2)],
    ['whatever another key of the store sends', [key(1, 'a')], key(1, 'b')],
    ["whatever another store's key sends", [key(1, 'a')], key(2, 'a')],
  ])('%s', (_who, sharers, hostile) => {
    fc.assert(
      fc.property(flood, (sent) => {
        const { send, get } = documents();
        for (const one of sharers) send(one, 'ours');
        for (const { document, characters } of sent) send(hostile, `${document}`, characters);
        expect(get('ours', customer(9, 9))).toBe('ours');
      }),
      propertyRuns(5_000),
    );
  });

  test('whatever all customers of another store send', () => {
    fc.assert(
      fc.property(flood, (sent) => {
        const { send, get } = documents();
        for (const one of [1, 2]) send(customer(1, one), 'ours');
        for (const { document, characters } of sent) {
          for (const one of [1, 2, 3]) send(customer(2, one), `${document}`, characters);
        }
        expect(get('ours', customer(1, 1))).toBe('ours');
      }),
      propertyRuns(5_000),
    );
  });
});

test("a customer's own documents stay, whatever one other sends", () => {
  const { send, get } = documents();
  send(customer(1, 1), 'mine');
  for (let sent = 0; sent < 100; sent++) send(customer(1, 2), `${sent}`);
  expect(get('mine', customer(1, 1))).toBe('mine');
});

describe('a container', () => {
  const ownDocument = '{ __typename }';
  const floods = {
    '1,005 tiny documents': Array.from({ length: 1_005 }, (_, index) => `{ a${index}: __typename }`),
    'six documents of 190 KB': Array.from({ length: 6 }, (_, index) =>
      `{ __typename } #${index}`.padEnd(190_000, 'x'),
    ),
  };

  test.each(Object.entries(floods))(
    'plans what others share no second time after %s',
    async (_what, sent) => {
      const prepare = createPrepare();
      const from = (sender: DocumentSender, query: string) =>
        prepare({ surface: 'customer', isActing: true, operationName: undefined, query, sender });
      await from(customer(1, 1), ownDocument);
      const shared = await from(customer(1, 2), ownDocument);
      for (const query of sent) await from(customer(1, 3), query);
      expect(await from(customer(2, 1), ownDocument)).toBe(shared);
    },
  );

  test('keeps no refusal', async () => {
    const prepare = createPrepare();
    const refused = () =>
      prepare({
        surface: 'admin',
        isActing: false,
        operationName: 'B',
        query: 'query A { shop { name } }',
        sender: key(1, 'a'),
      });
    const first = await refused();
    expect(first.kind).toBe('refused');
    expect(await refused()).not.toBe(first);
  });
});

const MAX_BYTES = 1_000;
const OWNERS = ['ada', 'ben', 'cleo', 'dora'];

const deed = fc.record({
  owner: fc.constantFrom(...OWNERS),
  key: fc.nat(30),
  bytes: fc.integer({ min: 1, max: 1_200 }),
  kind: fc.constantFrom('set', 'set', 'set', 'get', 'delete'),
});
const small = fc.integer({ min: 1, max: 60 });

describe('a cache of several owners', () => {
  test('keeps everything of an owner that takes less than an equal part, whatever the others do', () => {
    fc.assert(
      fc.property(fc.array(small, { maxLength: 3 }), fc.array(deed, { maxLength: 200 }), (own, deeds) => {
        const cache = createFairCache<string>({ maxBytes: MAX_BYTES });
        for (const [index, bytes] of own.entries()) {
          cache.set(`own ${index}`, { value: `${index}`, owner: 'me', bytes });
        }
        for (const { owner, key, bytes, kind } of deeds) {
          if (kind === 'set') cache.set(`${key}`, { value: owner, owner, bytes });
          else cache[kind](`${key}`);
        }
        for (const index of own.keys()) expect(cache.get(`own ${index}`)).toBe(`${index}`);
      }),
      propertyRuns(20_000),
    );
  });

  test('never holds more than its limit, and returns the value that was stored last', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 200 }), (deeds) => {
        const cache = createFairCache<{ owner: string; bytes: number }>({ maxBytes: MAX_BYTES });
        const last = new Map<string, { owner: string; bytes: number }>();
        for (const { owner, key, bytes, kind } of deeds) {
          if (kind === 'set') {
            last.set(`${key}`, { owner, bytes });
            cache.set(`${key}`, { value: { owner, bytes }, owner, bytes });
          } else if (kind === 'delete') {
            last.delete(`${key}`);
            cache.delete(`${key}`);
          } else {
            expect([undefined, last.get(`${key}`)]).toContainEqual(cache.get(`${key}`));
          }
          const sizes = [...last.keys()].map((one) => cache.get(one)?.bytes ?? 0);
          expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_BYTES);
        }
      }),
      propertyRuns(5_000),
    );
  });

  test('gives a single owner all of it, and removes what was not used for longest', () => {
    const cache = createFairCache<number>({ maxBytes: 3 });
    for (const key of [1, 2, 3]) cache.set(`${key}`, { value: key, owner: 'ada', bytes: 1 });
    cache.get('1');
    cache.set('4', { value: 4, owner: 'ada', bytes: 1 });
    expect(['1', '2', '3', '4'].map((key) => cache.get(key))).toEqual([1, undefined, 3, 4]);
  });

  test('gives a later owner an equal part', () => {
    const cache = createFairCache<number>({ maxBytes: 10 });
    for (let key = 0; key < 10; key++) cache.set(`a${key}`, { value: key, owner: 'ada', bytes: 1 });
    for (let key = 0; key < 10; key++) cache.set(`b${key}`, { value: key, owner: 'ben', bytes: 1 });
    const cachedOf = (of: string) => Array.from({ length: 10 }, (_, key) => cache.get(`${of}${key}`));
    expect(cachedOf('a').slice(5)).toEqual([5, 6, 7, 8, 9]);
    expect(cachedOf('b').slice(5)).toEqual([5, 6, 7, 8, 9]);
  });

  test('does not store a value larger than the whole cache, and removes nothing for it', () => {
    const cache = createFairCache<number>({ maxBytes: 10 });
    cache.set('a', { value: 1, owner: 'ada', bytes: 1 });
    cache.set('b', { value: 2, owner: 'ben', bytes: 11 });
    expect(cache.get('a')).toBe(1);
    expect(cache.get('b')).toBeUndefined();
  });
});
