/** A container caches the documents of each customer, key and store, regardless of the others' requests. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocumentCache, type DocumentSender } from '../../../graphql/compile/document-cache.ts';
import {
  createDocuments,
  type DocumentRequest,
  prepareDocument,
} from '../../../graphql/compile/prepare-document.ts';
import { registries } from '../../../graphql/endpoint/registries.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { AdminKeyId } from '../../../lib/domain/tokens/admin-key.ts';
import { propertyRuns } from '../../full-size.ts';

/** Prepares documents as one container does. */
function createPrepare() {
  const documents = createDocuments();
  return (request: DocumentRequest) => prepareDocument(documents, request, registries);
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
