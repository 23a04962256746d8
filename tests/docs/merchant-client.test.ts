/** The client that merchants copy: what it sends again, and what it never does. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { adminSchema } from '../../graphql/schema/schema.ts';
import { errorAdvice } from '../../infra/tools/generate/error-advice.ts';
import { catalogue, type ErrorCode } from '../../lib/errors/catalogue.ts';
import { createOperationWorld, gid } from '../contract/world/operation-world.ts';

const PAGE = readFileSync('docs/merchant-servers.md', 'utf8');

const sent: string[] = [];
let answers: (() => Response)[] = [];
beforeEach(() => {
  sent.length = 0;
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    sent.push(String(init?.body));
    return (answers.shift() ?? done)();
  });
});
afterEach(() => void jest.restoreAllMocks());

const done = () => Response.json({ data: { shop: { name: 'Harbor Coffee' } } });
const failed = (code: string, status: number) => () =>
  Response.json(
    { errors: [{ message: 'No.', extensions: { code } }] },
    { status, headers: { 'retry-after': '0' } },
  );

type Ask = (query: string, variables?: object) => Promise<unknown>;
type Client = {
  readonly createClient: (options: { baseUrl: string; adminKey: string }) => Ask;
  readonly subscriptions: (
    ask: Ask,
    options?: { changedSince?: Date; after?: string; keepPlace?: (cursor: string | null) => void },
  ) => AsyncGenerator<{ id: string }>;
  readonly waitMs: (retryAfter: string | null, tries: number) => number;
};
/** Plain JavaScript, as merchants copy it: it has no types of its own. */
const FILE: string = '../../docs/examples/merchant-client.mjs';
const { createClient, subscriptions, waitMs } = (await import(FILE)) as Client;
const ask = createClient({ baseUrl: 'https://api.example', adminKey: 'key' });

describe('docs/examples/merchant-client.mjs', () => {
  /** Every code that GraphQL can be refused with as a whole, and whether sending the same again is of use. */
  test.each(
    (Object.keys(catalogue) as ErrorCode[])
      .filter((code) => catalogue[code].status >= 400 && errorAdvice[code].area !== 'signIn')
      .map((code) => [code, catalogue[code].status, catalogue[code].retryable] as const),
  )('%s (%d), retryable: %s', async (code, status, isRetryable) => {
    answers = [failed(code, status)];
    // What may have been done is for the caller to read.
    const isRepeated = isRetryable && status !== 500;
    const asked = ask('{ shop { name } }').then(
      () => 'done',
      ({ message }: Error) => message,
    );
    expect(await asked).toEqual(isRepeated ? 'done' : expect.stringContaining(code));
    expect(sent).toHaveLength(isRepeated ? 2 : 1);
  });

  test('an answer that is not ours is tried again where nothing was run', async () => {
    answers = [() => new Response('<html>', { status: 503, headers: { 'retry-after': '0' } })];
    expect(await ask('{ shop { name } }')).toEqual({ shop: { name: 'Harbor Coffee' } });
    answers = [() => new Response('<html>', { status: 502 })];
    await expect(ask('{ shop { name } }')).rejects.toThrow('status 502');
  });

  test.each([
    ['300', 1, 300_000],
    [null, 1, 1_000],
    [null, 3, 4_000],
    [null, 9, 30_000],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 2, 2_000],
  ])('Retry-After %s at try %d waits %d ms at least, and not much longer', (retryAfter, tries, leastMs) => {
    const ms = waitMs(retryAfter, tries);
    expect(ms).toBeGreaterThanOrEqual(leastMs);
    expect(ms).toBeLessThanOrEqual(leastMs * 1.25);
  });

  test('an answer that fails names the id that is quoted', async () => {
    answers = [() => new Response('<html>', { status: 502, headers: { 'x-request-id': 'request-7' } })];
    await expect(ask('{ shop { name } }')).rejects.toThrow('request-7');
  });

  test('a job that broke off goes on behind the last page that was done', async () => {
    const page = (id: string, hasNextPage: boolean) => () =>
      Response.json({
        data: { subscriptionContracts: { nodes: [{ id }], pageInfo: { hasNextPage, endCursor: id } } },
      });
    const places: (string | null)[] = [];
    const keepPlace = (cursor: string | null) => void places.push(cursor);
    answers = [page('a', true), failed('UNAUTHENTICATED', 401)];
    const broken = (async () => {
      for await (const { id } of subscriptions(ask, { keepPlace })) expect(places).not.toContain(id);
    })();
    await expect(broken).rejects.toThrow('UNAUTHENTICATED');
    expect(places).toEqual(['a']);
    answers = [page('b', false)];
    for await (const { id } of subscriptions(ask, { after: 'a', keepPlace })) expect(id).toBe('b');
    expect(JSON.parse(sent[2] ?? '').variables).toEqual({ after: 'a' });
    expect(places).toEqual(['a', null]);
  });

  test('what has changed is asked for by its time, oldest change first, page after page', async () => {
    const page = (id: string, hasNextPage: boolean) => () =>
      Response.json({
        data: { subscriptionContracts: { nodes: [{ id }], pageInfo: { hasNextPage, endCursor: id } } },
      });
    answers = [page('a', true), page('b', false)];
    const found: unknown[] = [];
    for await (const { id } of subscriptions(ask, { changedSince: new Date(0) })) found.push(id);
    expect(found).toEqual(['a', 'b']);
    expect(JSON.parse(sent[1] ?? '').variables).toEqual({
      after: 'a',
      query: "updated_at:>='1970-01-01T00:00:00.000Z'",
    });
    expect(validate(adminSchema(), parse(JSON.parse(sent[0] ?? '').query))).toEqual([]);
  });
});

describe('docs/merchant-servers.md', () => {
  const sellPlans = readFileSync('docs/examples/merchant/sell-plans.graphql', 'utf8');
  const inPage = [...PAGE.matchAll(/^```graphql\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  const blocks = [sellPlans, ...inPage];

  test('every GraphQL block fits the schema', () => {
    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) expect(validate(adminSchema(), parse(block))).toEqual([]);
  });

  test('its selling plans are made, on the product, as the page says', async () => {
    const product = gid('Product', 8_101_001);
    const { payload } = await createOperationWorld().run({
      as: 'store',
      query: sellPlans,
      variables: { product },
    });
    const { userErrors, sellingPlanGroup } = payload;
    expect(userErrors).toEqual([]);
    expect(sellingPlanGroup.products.nodes).toEqual([{ id: product }]);
    const [monthly, prepaid] = sellingPlanGroup.sellingPlans.nodes;
    expect([monthly.name, prepaid.name]).toEqual(['Every month, 10 % off', 'Three months at once']);
    expect(new Set([monthly.id, prepaid.id])).toHaveProperty('size', 2);
  });

  test('has no block that nothing runs or checks', () => {
    const kinds = [...PAGE.matchAll(/^```(\w+)$/gm)].map(([, kind]) => kind);
    expect(kinds.filter((kind) => kind !== 'sh' && kind !== 'graphql')).toEqual([]);
  });

  test('says who bills, and what a key can do', () => {
    expect(PAGE).toContain('## Who charges');
    expect(PAGE.replace(/\s+/g, ' ')).toContain('can charge every customer of the store');
  });
});
