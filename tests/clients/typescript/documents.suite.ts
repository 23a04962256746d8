/** What comes of documents: those that know their types, and those of the client's own operations. */
import { expect, test } from '@jest/globals';
import { isServiceError, TypedDocumentString } from '../../../clients/typescript/src/client.ts';
import { createEnvironment } from '../../../clients/typescript/src/device/environment.ts';
import { customerOperations } from '../../../clients/typescript/src/operations/customer-operations.ts';
import * as customerDocuments from '../../../clients/typescript/src/operations/generated/customer-operations.ts';
import * as storeDocuments from '../../../clients/typescript/src/operations/generated/store-operations.ts';
import { storeOperations } from '../../../clients/typescript/src/operations/store-operations.ts';
import type { Request } from '../../../clients/typescript/src/request/request.ts';
import { done, json, KEYED, QUERY } from './world/ask-against.ts';
import { merchantOf } from './world/merchant-of.ts';

test('the orders that are due are without the skipped ones: to charge them is refused every night', async () => {
  const none = { nodes: [] };
  const cycle = (cycleIndex: number, skipped: boolean) => ({
    ...{ cycleIndex, skipped, billingAttemptExpectedDate: '2026-01-05T10:00:00Z' },
    sourceContract: { id: 'c', paused: none, resumed: none },
  });
  const nodes = [cycle(1, true), cycle(2, false), cycle(3, true)];
  const found = { nodes, pageInfo: { hasNextPage: false, endCursor: null } };
  const merchant = merchantOf(
    json(200, { data: { search: { job: { id: 'j', done: true }, userErrors: [] } } }),
    json(200, { data: { results: found } }),
  );
  const due: number[] = [];
  for await (const { cycleIndex } of merchant.orders.due()) due.push(cycleIndex);
  expect(due).toEqual([2]);
});

test('a typed document needs its variables, and not the key that the client fills in', async () => {
  type Typed<Variables> = TypedDocumentString<{ a: number }, Variables>;
  const typed = <Variables>(text: string) => new TypedDocumentString(text) as Typed<Variables>;
  const skip = typed<{ c: string; i: number; key: string }>(KEYED);
  const cancel = typed<{ c: string; note?: string | null; idempotencyKey: string }>(KEYED);
  const read = typed<{ first?: number }>(QUERY);
  const none = typed<{ [key: string]: never }>(QUERY);
  const { request } = merchantOf(done);
  const asked = [
    request(skip, { c: 'c', i: 1 }),
    request(skip, { c: 'c', i: 1, key: 'k' }),
    request(cancel, { c: 'c', note: null }, { idempotencyKey: 'k' }),
    request(typed<{ key: string }>(KEYED)),
    request(read),
    request(read, { first: 1 }),
    request(none),
    request(none, {}, { deadlineMs: 1000 }),
    request(typed<unknown>(QUERY), { any: 1 }),
    request(QUERY),
    request(QUERY, { any: 1 }),
    // @ts-expect-error: it needs variables.
    request(skip),
    // @ts-expect-error: it needs the other one too.
    request(skip, { c: 'c' }),
    // @ts-expect-error: a number.
    request(skip, { c: 'c', i: '1' }),
    // @ts-expect-error: it has no such variable.
    request(read, { last: 1 }),
  ];
  const answers: { data: { a: number } }[] = await Promise.all(asked);
  expect(answers.map(({ data }) => data.a)).toEqual(asked.map(() => 1));
});

const option = { code: 'express', title: 'Express', price: { amount: '9.90', currencyCode: 'USD' } };

test.each(['ANY', 'DELIVERY_OPTION_REQUIRED', null])(
  'each change that is refused with %s is thrown, with what there is to choose from',
  async (code) => {
    const userErrors = [{ message: 'Words.', code, field: null }];
    const refusedChanges = new Set<string>();
    const request = async (document: object) => {
      if (!String(document).startsWith('mutation')) throw new TypeError('a query');
      refusedChanges.add(String(document));
      const options = String(document).includes('deliveryOptions') && { deliveryOptions: [option] };
      return { data: { change: { userErrors, ...options } }, errors: [], requestId: 'r' };
    };
    const asker = { request: request as unknown as Request, customerId: async () => 'c' };
    const operations = [customerOperations(asker), storeOperations(asker, createEnvironment())];
    const ends = await Promise.allSettled(operations.flatMap(functionsOf).map((run) => run({})));
    const asked = ends.map((end) => (end.status === 'rejected' ? end.reason : end.value));
    const thrown = asked.filter((end) => !(end instanceof TypeError));
    expect(thrown.filter((end) => !isServiceError(end, 'USER_ERRORS'))).toEqual([]);
    for (const error of thrown) expect(error).toMatchObject({ userErrors, requestId: 'r' });
    expect(thrown.filter(({ deliveryOptions }) => deliveryOptions.length > 0)).toHaveLength(2);
    const documents = Object.values({ ...customerDocuments, ...storeDocuments }).map(String);
    expect([...refusedChanges].sort()).toEqual(
      documents.filter((text) => text.startsWith('mutation')).sort(),
    );
  },
);

type Run = (given: object) => Promise<unknown>;

/** All functions below; of those that give an iterator its first step. */
function functionsOf(operations: object): Run[] {
  return Object.values(operations).flatMap((one) => {
    if (typeof one !== 'function') return functionsOf(one);
    return async (given: object) => {
      const made = one(given);
      return typeof made.next === 'function' ? made.next() : made;
    };
  });
}

test('what is not there has a code of the client’s own: NOT_FOUND is an address of nothing', async () => {
  const merchant = merchantOf(json(200, { data: { root: null } }));
  const { subscriptions } = merchant.forCustomer('gid://platform/Customer/3');
  for (const [ask, id] of [
    [subscriptions.list(), 'Customer/3'],
    [subscriptions.get({ contractId: 'gid://platform/SubscriptionContract/5' }), 'SubscriptionContract/5'],
    [merchant.orders.attempt({ id: 'gid://platform/X/7' }), 'X/7'],
  ] as const) {
    const message = `There is no gid://platform/${id}.`;
    await expect(ask).rejects.toMatchObject({ code: 'ABSENT', status: 200, message });
  }
});

test('a key that is not taken tells why', async () => {
  const why = { message: 'Authentication required', details: 'The key has been revoked.' };
  const answer = json(401, { errors: [{ ...why, extensions: { code: 'UNAUTHENTICATED' } }] });
  const asked = merchantOf(answer).store();
  await expect(asked).rejects.toMatchObject({ ...why, code: 'UNAUTHENTICATED', status: 401 });
});
