/** Tests the handling of documents: typed documents, and those of the client's own operations. */
import { describe, expect, test } from '@jest/globals';
import {
  type ChangeName,
  createMerchantClient,
  type DeclinedOrder,
  type Environment,
  isServiceError,
  retryPayment,
  TypedDocumentString,
} from '../../../clients/typescript/src/client.ts';
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
    ...{ cycleIndex, skipped, status: 'UNBILLED', billingAttemptExpectedDate: '2026-01-05T10:00:00Z' },
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

test('a search for due orders whose answer is lost is sent again', async () => {
  const lost = { message: 'The response was lost.', extensions: { code: 'OUTCOME_UNKNOWN' } };
  const merchant = merchantOf(
    json(200, { data: { search: null }, errors: [lost] }),
    json(200, { data: { search: { job: { id: 'j', done: true }, userErrors: [] } } }),
    json(200, { data: { results: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } } }),
  );
  expect((await merchant.orders.due().next()).done).toBe(true);
});

describe('declined orders', () => {
  const none = { nodes: [] };
  const type = (name: string) => ({ __typename: `SubscriptionBillingAttempt${name}` });
  const attempt = (id: string, state: object) => ({
    ...{ id, idempotencyKey: `key-${id}`, createdAt: '2026-01-05T10:00:00Z' },
    ...{ completedAt: '2026-01-05T10:02:00Z', state },
  });
  const failed = (error: object) => ({ ...type('FailedState'), error });
  const failures = [
    failed({ ...type('PaymentError'), code: 'EXPIRED_CARD' }),
    failed({ ...type('InventoryError'), inventoryCode: 'INSUFFICIENT_INVENTORY' }),
    failed({ ...type('GeneralError'), generalCode: 'CUSTOMER_INVALID' }),
    failed({ ...type('UnexpectedError'), message: 'Unknown' }),
  ];
  const cycle = (cycleIndex: number, state: object, more: object = {}) => ({
    ...{ cycleIndex, skipped: false, status: 'UNBILLED', billingAttemptExpectedDate: '2026-01-05T10:00:00Z' },
    billingAttempts: { nodes: [attempt('a1', failures[0] as object), attempt('a2', state)] },
    sourceContract: {
      ...{ id: 'c', customer: { id: 'p' }, customerPaymentMethod: null },
      ...{ paused: none, resumed: none, changes: none },
    },
    ...more,
  });
  const find = (nodes: readonly object[], options = {}) => {
    const sent: { query: string; variables: Record<string, string> }[] = [];
    const answer = (data: object) => (body: string) => {
      sent.push(JSON.parse(body));
      return json(200, { data })();
    };
    const search = answer({ search: { job: { id: 'j', done: true }, userErrors: [] } });
    const results = answer({ results: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } });
    const fetch: Environment['fetch'] = (_url, { body }) =>
      (body.includes('BulkSearch') ? search : results)(body);
    const merchant = createMerchantClient({
      ...{ serviceUrl: 'https://service.example', adminKey: 'SVC_AK_1' },
      environment: { fetch, now: () => Date.parse('2026-01-20T05:00:00Z') },
    });
    const collect = async () => {
      const orders: DeclinedOrder[] = [];
      for await (const order of merchant.orders.due({ declined: true, ...options })) orders.push(order);
      return orders;
    };
    return { found: collect(), sent };
  };

  test('are found with the outcome of each attempt', async () => {
    const challenge = { ...type('ActionRequiredState'), action: { nextActionUrl: 'https://bank.example' } };
    const states = [...failures, challenge, type('PendingState'), type('NewState')];
    const { found } = find(states.map((state, index) => cycle(index, state)));
    const last = (await found).map(({ attempts }) => attempts.at(-1));
    expect(last.map((one) => [one?.outcome, one?.errorCode, one?.nextActionUrl])).toEqual([
      ['DECLINED', 'EXPIRED_CARD', null],
      ['DECLINED', 'INSUFFICIENT_INVENTORY', null],
      ['DECLINED', 'CUSTOMER_INVALID', null],
      ['DECLINED', 'UNEXPECTED_ERROR', null],
      ['ACTION_REQUIRED', null, 'https://bank.example'],
      ['PENDING', null, null],
      ['PENDING', null, null],
    ]);
    expect((await found)[0]).toMatchObject({
      ...{ contractId: 'c', cycleIndex: 0, date: '2026-01-05T10:00:00Z' },
      ...{ customerId: 'p', paymentMethodId: null, changedFields: [] },
      attempts: [{ id: 'a1', errorCode: 'EXPIRED_CARD' }, { id: 'a2' }],
    });
  });

  test('leave out orders that were skipped or paid since', async () => {
    const nodes = [
      cycle(1, failures[0] as object, { skipped: true }),
      cycle(2, failures[0] as object, { status: 'BILLED' }),
      cycle(3, type('SuccessState')),
      cycle(4, failures[0] as object),
    ];
    expect((await find(nodes).found).map(({ cycleIndex }) => cycleIndex)).toEqual([4]);
  });

  test('name the fields that changed since the last attempt, and no removal', async () => {
    const event = (createdAt: string, field: string, [before, after]: (string | null)[] = [null, null]) => ({
      createdAt,
      changes: [{ field, before, after }],
    });
    const changes = [
      event('2026-01-05T09:59:59.000Z', 'lines.1.quantity', ['1', '2']),
      event('2026-01-05T10:00:01.000Z', 'deliveryMethod'),
      event('2026-01-07T10:00:00.000Z', 'customerPaymentMethod', ['1', null]),
      event('2026-01-08T10:00:00.000Z', 'note', ['a', 'b']),
      event('2026-01-08T10:00:00.000Z', 'deliveryMethod'),
      { createdAt: '2026-01-09T10:00:00.000Z' },
    ];
    const contract = { id: 'c', customer: null, customerPaymentMethod: { id: 'm' }, paused: none };
    const sourceContract = { ...contract, resumed: none, changes: { nodes: changes } };
    const [order] = await find([cycle(1, failures[0] as object, { sourceContract })]).found;
    expect(order).toMatchObject({ customerId: null, paymentMethodId: 'm' });
    expect(order?.changedFields).toEqual(['deliveryMethod', 'note']);
  });

  test('are searched week by week, the oldest first, and each is found once', async () => {
    const { found, sent } = find([cycle(1, failures[0] as object)], { lookBackDays: 16 });
    expect(await found).toHaveLength(1);
    const ranges = sent.flatMap(({ variables: { from, to, attempts } }) =>
      from === undefined ? [] : [[attempts, from, to]],
    );
    expect(ranges).toEqual([
      ['HAS_ATTEMPT', '2026-01-04T05:00:00.000Z', '2026-01-06T05:00:00.000Z'],
      ['HAS_ATTEMPT', '2026-01-06T05:00:00.000Z', '2026-01-13T05:00:00.000Z'],
      ['HAS_ATTEMPT', '2026-01-13T05:00:00.000Z', '2026-01-20T05:00:00.000Z'],
    ]);
  });
});

test('a typed document needs its variables, and not the key that the client fills in', async () => {
  type Typed<Variables> = TypedDocumentString<{ a: number }, Variables>;
  const typed = <Variables>(text: string) => new TypedDocumentString(text) as Typed<Variables>;
  const skip = typed<{ c: string; i: number; key: string }>(KEYED);
  const cancel = typed<{ c: string; note?: string | null; idempotencyKey: string }>(KEYED);
  const read = typed<{ first?: number }>(QUERY);
  const none = typed<{ [key: string]: never }>(QUERY);
  const { request } = merchantOf(done);
  const requests = [
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
  const answers: { data: { a: number } }[] = await Promise.all(requests);
  expect(answers.map(({ data }) => data.a)).toEqual(requests.map(() => 1));
});

const option = { code: 'express', title: 'Express', price: { amount: '9.90', currencyCode: 'USD' } };

test.each(['ANY', 'DELIVERY_OPTION_REQUIRED', null])(
  'throws a change that is refused with %s, with its function, its advice and what there is to choose from',
  async (code) => {
    const refusal = { message: 'Words.', code, field: ['a'] };
    const userErrors = [{ ...refusal, advice: 'CHOOSE_ANOTHER' }];
    const refusedChanges = new Set<string>();
    const request = async (document: object) => {
      if (!String(document).startsWith('mutation')) throw new TypeError('a query');
      refusedChanges.add(String(document));
      const options = String(document).includes('deliveryOptions') && { deliveryOptions: [option] };
      return { data: { change: { userErrors, ...options } }, errors: [], requestId: 'r' };
    };
    const requester = { request: request as unknown as Request, customerId: async () => 'c' };
    const operations = [
      ...[customerOperations(requester), storeOperations(requester, createEnvironment())],
      { retryPayment: (given: { contractId: string }) => retryPayment(requester, given) },
    ];
    const functions = operations.flatMap((group) => functionsOf(group));
    const ends = await Promise.allSettled(functions.map(({ run }) => run({})));
    const thrown = ends.flatMap((end, index) => {
      const error = end.status === 'rejected' ? end.reason : end.value;
      return error instanceof TypeError ? [] : [{ error, name: functions[index]?.name }];
    });
    for (const { error, name } of thrown) {
      expect(error).toMatchObject({
        ...{ code: code ?? 'UNKNOWN', change: name, field: ['a'], advice: 'choose-another' },
        ...{ message: 'Words.', userErrors, requestId: 'r' },
      });
      expect([isServiceError(error, 'USER_ERRORS'), isServiceError(error, name ?? 'skip')]).toEqual([
        true,
        true,
      ]);
      expect(isServiceError(error, name === 'skip' ? 'pause' : 'skip')).toBe(false);
    }
    // Those of the delivery and of lines, and of their previews, by a customer and by a merchant.
    expect(thrown.filter(({ error }) => error.deliveryOptions.length > 0)).toHaveLength(8);
    const documents = Object.values({ ...customerDocuments, ...storeDocuments }).map(String);
    expect([...refusedChanges].sort()).toEqual(
      documents.filter((text) => text.startsWith('mutation')).sort(),
    );
  },
);

type Run = { readonly name: ChangeName; readonly run: (given: object) => Promise<unknown> };

/** All functions below; of those that give an iterator its first step. */
function functionsOf(operations: object, group = ''): Run[] {
  return Object.entries(operations).flatMap(([name, one]) => {
    if (typeof one !== 'function') return functionsOf(one, name);
    const run = async (given: object) => {
      const made = one(given);
      return typeof made.next === 'function' ? made.next() : made;
    };
    // `resume` is also a change of subscriptions.
    const change = group === 'billing' ? `${name}Billing` : name;
    return [{ name: change as ChangeName, run }];
  });
}

test('what is not there has a code of the client’s own: NOT_FOUND is an address of nothing', async () => {
  const merchant = merchantOf(json(200, { data: { root: null } }));
  const { subscriptions } = merchant.forCustomer('gid://platform/Customer/3');
  const contractId = 'gid://platform/SubscriptionContract/5';
  const runId = 'gid://platform/BillingRun/2026-12-01';
  for (const [ask, what] of [
    [subscriptions.list(), 'gid://platform/Customer/3'],
    [subscriptions.get({ contractId }), contractId],
    [merchant.orders.attempt({ id: 'gid://platform/X/7' }), 'gid://platform/X/7'],
    [merchant.billing.run({ id: runId, first: 5 }), runId],
    [merchant.billing.preview({ first: 5, date: '2026-12-02' }), '2026-12-02'],
  ] as const) {
    const message = `There is no ${what}.`;
    await expect(ask).rejects.toMatchObject({ code: 'ABSENT', status: 200, message });
  }
});

test('a key that is not taken tells why', async () => {
  const why = { message: 'Authentication required', details: 'The key has been revoked.' };
  const answer = json(401, { errors: [{ ...why, extensions: { code: 'UNAUTHENTICATED' } }] });
  const requests = merchantOf(answer).store();
  await expect(requests).rejects.toMatchObject({ ...why, code: 'UNAUTHENTICATED', status: 401 });
});
