/** 64 requests of any customers, keys, stores and languages that interleave in one process are served as each alone. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../full-size.ts';
import { httpEvent } from '../../http-event.ts';
import { linesOf } from '../../lib/observability/log-lines.ts';
import {
  adminKeyOf,
  CUSTOMERS_OF_STORE,
  customerIdOf,
  type Order,
  type Sent,
  STORES,
  serveTogether,
  tokenOf,
} from './shared-container.ts';

const REQUESTS = 64;
const PATHS = {
  customer: '/api/storefront/unstable/graphql.json',
  admin: '/api/admin/unstable/graphql.json',
};

const store = fc.nat(STORES - 1);
const customer = fc.nat(CUSTOMERS_OF_STORE - 1);
const language = fc.constantFrom('en', 'de', 'fr', 'es', 'it', 'ja', 'nl', 'pt-BR', '');
/** Valid documents of both endpoints, documents that an endpoint refuses, and texts that are no documents. */
const query = fc.constantFrom(
  'query ($id: ID!) { customer(id: $id) { id displayName } }',
  'query Named($id: ID!) { customer(id: $id) { displayName } }',
  'query ($id: ID!) { customer(id: $id) { id note } }',
  '{ shop { name } }',
  'query ($id: ID!) { customer(id: $id) { unknown } }',
  'query ($id: ID!) @inContext(language: JA) { customer(id: $id) { id unknown } }',
  '{ customer(id: 5) { id } }',
  '{',
);

/** A request. `target`: whose data it asks for, mostly the customer's own. */
const drawnRequest = fc.record({
  isAdmin: fc.boolean(),
  store,
  customer,
  target: fc.option(fc.tuple(store, customer), { freq: 1 }),
  language,
  query,
  hasCredential: fc.nat(9).map((number) => number > 0),
});
type DrawnRequest = typeof drawnRequest extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function toSent(drawn: DrawnRequest, at: number): Sent {
  const { isAdmin, query: document, hasCredential, language: accepted } = drawn;
  const [ofStore, ofCustomer] = drawn.target ?? [drawn.store, drawn.customer];
  const credential = isAdmin ? adminKeyOf(drawn.store) : tokenOf(drawn.store, drawn.customer);
  const event = httpEvent({
    ...{ method: 'POST', path: PATHS[isAdmin ? 'admin' : 'customer'] },
    headers: {
      ...{ 'content-type': 'application/json', 'accept-language': accepted },
      authorization: hasCredential ? credential : `${credential}x`,
    },
    body: JSON.stringify({
      query: document,
      variables: { id: `gid://platform/Customer/${customerIdOf(ofStore, ofCustomer)}` },
    }),
  });
  const requestContext = { ...event.requestContext, requestId: `request-${at}` };
  return { isAdmin, event: { ...event, requestContext } };
}

/** An order from a seed (a linear congruential generator). */
function orderOf(seed: number): Order {
  let state = seed;
  return (waiting) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return waiting === 0 ? 0 : state % waiting;
  };
}

/** Serves the requests in one container, and returns its log, too. */
async function serve(sent: readonly Sent[], seed: number) {
  let served: Awaited<ReturnType<typeof serveTogether>> | undefined;
  const lines = await linesOf(async (logger) => {
    served = await serveTogether(sent, logger, orderOf(seed));
  });
  return { results: served?.results ?? [], posts: served?.posts ?? [], lines };
}

const outcomes = new Map<string, number>();

test('each of 64 interleaved requests gets the response that it gets alone', async () => {
  const requests = fc.array(drawnRequest, { minLength: REQUESTS, maxLength: REQUESTS });
  await fc.assert(
    fc.asyncProperty(requests, fc.nat(), async (drawn, seed) => {
      const sent = drawn.map(toSent);
      const together = await serve(sent, seed);
      for (const [at, one] of sent.entries()) {
        const alone = await serve([one], seed);
        expect(together.results[at]).toEqual(alone.results[0]);
        const outcome = String(alone.lines.find(({ message }) => message === 'request')?.errorCode);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      expectOwnLines(together.lines, drawn);
      for (const { url, accessToken } of together.posts)
        expect(url.hostname).toBe(`${accessToken.replace('token', 'shop')}.myshopify.com`);
    }),
    propertyRuns(400),
  );
  // The property would also hold if every request had the same outcome.
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining([
      ...['undefined', 'UNAUTHENTICATED', 'FORBIDDEN', 'FIELD_NOT_AVAILABLE', 'GRAPHQL_PARSE_FAILED'],
      ...['STORE_DISCONNECTED', 'PLATFORM_UNAVAILABLE'],
    ]),
  );
});

/** Each request has one line of its own, and each line that names a store has the id of a request of that store. */
function expectOwnLines(
  lines: readonly Readonly<Record<string, unknown>>[],
  drawn: readonly DrawnRequest[],
): void {
  const ids = lines.filter(({ message }) => message === 'request').map(({ requestId }) => String(requestId));
  expect(ids.toSorted()).toEqual(drawn.map((_, at) => `request-${at}`).toSorted());
  for (const { requestId, shopId } of lines) {
    expect(requestId).toMatch(/^request-\d+$/);
    const caused = drawn[Number(String(requestId).replace('request-', ''))];
    if (shopId !== undefined) expect(shopId).toBe(1_000 + Number(caused?.store));
  }
}
