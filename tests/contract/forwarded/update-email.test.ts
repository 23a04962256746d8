/**
 * The e-mail about a new card reaches a person: it is sent at most once in an interval, even if it is requested
 * repeatedly.
 */
import { describe, expect } from '@jest/globals';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { Table } from '../../../lib/storage/table.ts';
import { runPlan } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { holdsRights } from '../../rights/guarded-table.ts';
import { test } from '../world/contract-test.ts';
import { isInterleaved } from '../world/interleaved.ts';
import { type Acting, createOperationWorld, gid } from '../world/operation-world.ts';
import { ERRORS, WEEKLY } from './forwarded-calls.ts';

const EMAIL = 'customerPaymentMethodSendUpdateEmail';
const MINUTE_MS = 60_000;
const ACTING: readonly Acting[] = ['customer', 'store for a customer'];

function createMailWorld() {
  const world = createOperationWorld();
  const table = createMemoryTable();
  const method = world.contract(WEEKLY).content.paymentMethodId ?? '';
  const now = () => world.platform.holder.nowMs;
  const request = { table, now };
  return {
    ...world,
    table,
    method,
    wait: (ms: number) => {
      world.platform.holder.nowMs += ms;
    },
    sentMails: () => world.platform.holder.state.mails.length,
    /** Requests the e-mail. */
    ask: (as: Acting, { id = method, selection = ERRORS } = {}) =>
      world.run({
        ...request,
        as,
        query: `mutation($id: ID!) { ${EMAIL}(customerPaymentMethodId: $id) { ${selection} } }`,
        variables: { id: gid('CustomerPaymentMethod', id) },
      }),
    /** Runs any document in the same store and table. */
    runIn: (as: Acting, query: string) => world.run({ ...request, as, query }),
  };
}

const refusedFor = (minutes: string) => ({
  userErrors: [
    {
      field: ['customerPaymentMethodId'],
      message: `An email about this payment method was sent recently. Try again in ${minutes}.`,
    },
  ],
});

describe.each(ACTING)('asked for by a %s', (as) => {
  test('sends and records repeated requests once in five minutes', async () => {
    const world = createMailWorld();
    const first = await world.ask(as);
    expect(first.payload).toEqual({ userErrors: [] });
    expect(first.recorded.map(({ outcome }) => outcome)).toContain('done');
    for (const [passed, left] of [
      [0, '5 minutes'],
      [1, '5 minutes'],
      [3 * MINUTE_MS, '2 minutes'],
      [MINUTE_MS, '1 minute'],
    ] as const) {
      world.wait(passed);
      const again = await world.ask(as);
      expect([again.payload, again.code, again.recorded]).toEqual([refusedFor(left), undefined, []]);
      expect(again.sent.flat()).not.toContain(EMAIL);
    }
    expect(world.sentMails()).toBe(1);
    world.wait(MINUTE_MS);
    expect((await world.ask(as)).payload).toEqual({ userErrors: [] });
    expect(world.sentMails()).toBe(2);
  });

  test('sends one of several concurrent requests, in one document or in many', async () => {
    const world = createMailWorld();
    const one = `${EMAIL}(customerPaymentMethodId: "${gid('CustomerPaymentMethod', world.method)}")`;
    const query = `mutation { a: ${one} { ${ERRORS} } b: ${one} { ${ERRORS} } }`;
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => world.ask(as)),
      // Customers change one thing a document.
      ...(as === 'customer' ? [] : [world.runIn(as, query)]),
    ]);
    expect(world.sentMails()).toBe(1);
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => undefined));
    expect(answers.filter(({ payload }) => payload.userErrors.length === 0)).toHaveLength(1);
  });
});

test('limits e-mails for each payment method, whoever requests them', async () => {
  const world = createMailWorld();
  const own = [...world.platform.store().paymentMethods.values()].find(({ id }) => id === world.method);
  if (own === undefined) throw new Error('no payment method');
  world.platform.store().paymentMethods.set('second', { ...own, id: 'second' });
  await world.ask('customer');
  expect((await world.ask('store for a customer')).payload.userErrors).toHaveLength(1);
  expect((await world.ask('customer', { id: 'second' })).payload).toEqual({ userErrors: [] });
  expect(world.sentMails()).toBe(2);
});

test('returns a rejection in the shape of the client’s own selection', async () => {
  const world = createMailWorld();
  await world.ask('customer');
  const selection = `__typename owner: customer { id } ...Rest } } fragment Rest on ${EMAIL.replace('c', 'C')}Payload {
    problems: userErrors { __typename why: message ... on DisplayableError { field }`;
  expect((await world.ask('customer', { selection })).payload).toEqual({
    __typename: 'CustomerPaymentMethodSendUpdateEmailPayload',
    owner: null,
    problems: [
      {
        __typename: 'UserError',
        why: expect.stringContaining('Try again in'),
        field: ['customerPaymentMethodId'],
      },
    ],
  });
});

test('does not resend an e-mail whose response was lost', async () => {
  const world = createMailWorld();
  world.fail({ kind: 'lost after', at: EMAIL });
  expect((await world.ask('customer')).code).toBe('OUTCOME_UNKNOWN');
  expect((await world.ask('customer')).payload.userErrors).toHaveLength(1);
  expect(world.sentMails()).toBe(1);
});

describe.each(ACTING)('a platform that, asked for a %s,', (as) => {
  type Answering = () => { readonly userErrors: readonly object[] };

  /** Finds the method under any spelling, and responds to the mutation with `answer`. */
  function answeringWith(table: Table, answer: Answering) {
    return async (tail = 'abc') => {
      const sent = await runPlan({
        as,
        table,
        query: `mutation($id: ID!) { ${EMAIL}(customerPaymentMethodId: $id) { ${ERRORS} } }`,
        variables: { id: gid('CustomerPaymentMethod', tail) },
        standIn: ({ mutates }) => {
          if (mutates) {
            const { userErrors } = answer();
            return { data: { [EMAIL]: { userErrors, _svcRefusals: userErrors } } };
          }
          const id = 'gid://shopify/CustomerPaymentMethod/abc';
          const customer = { id: 'gid://shopify/Customer/7001001' };
          const subject = { id, subscriptionContracts: { nodes: [] } };
          return {
            data: { _svcOwned: [{ id, _svcCustomerPaymentMethod: customer }], _svcSubject: subject },
          };
        },
      });
      return sent.result.data?.[EMAIL];
    };
  }

  test('allows an immediate retry when the platform has not sent the e-mail', async () => {
    const refusal = { field: null, message: 'Not now' };
    const answers: Answering[] = [
      () => ({ userErrors: [refusal] }),
      () => {
        throw new ServiceError('THROTTLED');
      },
      () => ({ userErrors: [] }),
    ];
    const ask = answeringWith(createMemoryTable(), () => answers.shift()?.() ?? { userErrors: [] });
    const ourMessage = 'The store did not accept this change. Contact the store for details.';
    const reported = as === 'customer' ? { ...refusal, message: ourMessage } : refusal;
    expect(await ask()).toEqual({ userErrors: [reported] });
    await expect(ask()).rejects.toMatchObject({ code: 'THROTTLED' });
    expect(await ask()).toEqual({ userErrors: [] });
    expect(await ask()).toEqual(refusedFor('5 minutes'));
  });

  test('counts differently written ids as the same payment method', async () => {
    const ask = answeringWith(createMemoryTable(), () => ({ userErrors: [] }));
    expect(await ask()).toEqual({ userErrors: [] });
    expect(await ask('abc?again=1')).toEqual(refusedFor('5 minutes'));
  });

  test('sends no request to the platform while the table does not respond', async () => {
    const put = () => Promise.reject(new ServiceError('TEMPORARILY_UNAVAILABLE'));
    const ask = answeringWith({ ...createMemoryTable(), put }, () => {
      throw new Error('asked');
    });
    await expect(ask()).rejects.toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
  });
});

if (!isInterleaved) holdsRights();
