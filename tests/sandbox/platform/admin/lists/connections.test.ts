import { describe, expect, test } from '@jest/globals';
import { carla, newPlatform, type Platform } from '../harness.ts';

const document = `query ($first: Int, $last: Int, $after: String, $before: String, $reverse: Boolean) {
  customer(id: "${carla}") {
    subscriptionContracts(first: $first, last: $last, after: $after, before: $before, reverse: $reverse) {
      nodes { id } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

async function page(platform: Platform, variables: object) {
  const { nodes, edges, pageInfo } = (await platform.data(document, variables)).customer
    .subscriptionContracts;
  expect(edges.map(({ cursor }: { cursor: string }) => cursor).at(-1) ?? null).toBe(pageInfo.endCursor);
  return { ids: nodes.map(({ id }: { id: string }) => id) as string[], pageInfo };
}

describe('bad windows', () => {
  test.each([
    [{}, /must provide one of first or last/],
    [{ first: 1, last: 1 }, /both first and last/],
    [{ first: 251 }, /cannot exceed 250/],
    [{ first: -1 }, /non-negative/],
    [{ first: 1, after: 'nonsense' }, /Invalid cursor/],
  ])('%j', async (variables, message) => {
    const answer = await newPlatform().ask(document, variables);
    expect(answer.errors[0]).toMatchObject({
      extensions: { code: 'BAD_REQUEST' },
      message: expect.stringMatching(message),
    });
  });
});

describe('walking a list', () => {
  test('forwards and backwards meet the same objects', async () => {
    const platform = newPlatform();
    const all = await page(platform, { first: 250 });
    expect(all.ids).toHaveLength(30);
    expect(all.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    const forwards: string[] = [];
    let after: string | null = null;
    do {
      const { ids, pageInfo } = await page(platform, { first: 7, after });
      forwards.push(...ids);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(forwards).toEqual(all.ids);
    const backwards: string[] = [];
    let before: string | null = null;
    do {
      const { ids, pageInfo } = await page(platform, { last: 7, before });
      backwards.unshift(...ids);
      before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
    } while (before !== null);
    expect(backwards).toEqual(all.ids);
  });

  test('reverse turns the list around', async () => {
    const platform = newPlatform();
    const [forward, reversed] = [
      await page(platform, { first: 250 }),
      await page(platform, { first: 250, reverse: true }),
    ];
    expect(reversed.ids).toEqual(forward.ids.toReversed());
  });

  test('a cursor stays put when the list grows', async () => {
    const platform = newPlatform();
    const { pageInfo } = await page(platform, { first: 10 });
    const before = await page(platform, { first: 5, after: pageInfo.endCursor });
    const contracts = platform.store().contracts;
    const added = structuredClone(contracts.get(9102000));
    if (added !== undefined) contracts.set(9000001, { ...added, id: 9000001 });
    expect(await page(platform, { first: 5, after: pageInfo.endCursor })).toMatchObject({ ids: before.ids });
  });

  test('an empty page has no cursors', async () => {
    const { pageInfo } = await page(newPlatform(), { first: 0 });
    expect(pageInfo).toMatchObject({ startCursor: null, endCursor: null, hasNextPage: true });
  });
});
