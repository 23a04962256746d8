/** The client that merchants copy: what it sends again, and what it never does. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { adminSchema } from '../../graphql/schema/schema.ts';
import { catalogue, type ErrorCode } from '../../lib/errors/catalogue.ts';

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
  readonly subscriptions: (ask: Ask, options?: { changedSince?: Date }) => AsyncGenerator<{ id: string }>;
};
/** Plain JavaScript, as merchants copy it: it has no types of its own. */
const FILE: string = '../../docs/examples/merchant-client.mjs';
const { createClient, subscriptions } = (await import(FILE)) as Client;
const ask = createClient({ baseUrl: 'https://api.example', adminKey: 'key' });

describe('docs/examples/merchant-client.mjs', () => {
  /** Every code that GraphQL can be refused with as a whole, and whether sending the same again is of use. */
  test.each(
    (Object.keys(catalogue) as ErrorCode[])
      .filter((code) => catalogue[code].status >= 400)
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
  const blocks = [...PAGE.matchAll(/^```graphql\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

  test('every GraphQL block fits the schema', () => {
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect(validate(adminSchema(), parse(block))).toEqual([]);
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
