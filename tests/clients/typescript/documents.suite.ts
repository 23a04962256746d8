/** What comes of documents: those that know their types, and those of the client's own operations. */
import { expect, test } from '@jest/globals';
import { TypedDocumentString } from '../../../clients/typescript/src/client.ts';
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
