/** Each change with a store's key writes a log line, regardless of its kind and its result. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { LogFields } from '../../../lib/observability/logger.ts';
import { KEY_ID, type PlanRequest, runPlan, type StandIn, store } from '../world/harness.ts';
import { schemaRoots } from '../world/schema-roots.ts';

const REFUSED = [{ message: 'No.', field: null, code: 'INVALID' }];

/** Answers each root with this payload. */
const payload =
  (fields: Readonly<Record<string, unknown>>): StandIn =>
  ({ document }) => ({ data: { [/\{ ?(\w+)/.exec(document)?.[1] ?? '']: fields } });

type TestRequest = Pick<PlanRequest, 'query' | 'standIn'> & Partial<PlanRequest>;

/** Returns the log lines of the request's changes. */
async function linesOf(request: TestRequest): Promise<LogFields[]> {
  const lines: LogFields[] = [];
  const info = (message: string, fields: LogFields = {}) => {
    if (message === 'store_change') lines.push(fields);
  };
  const quiet = () => undefined;
  const logger = { debug: quiet, info, warn: quiet, error: quiet };
  await runPlan({ as: 'store', logger, ...request }).catch(() => undefined);
  return lines;
}

const EMAIL = 'thief@example.com';
const UPDATE = `mutation ($input: CustomerInput!) {
  customerUpdate(input: $input) { customer { id } }
}`;
const CUSTOMER = 'gid://platform/Customer/7001001';
const variables = { input: { id: CUSTOMER, email: EMAIL, tags: ['gone to the sea'] } };
const response = {
  shopId: store.shopId,
  keyId: KEY_ID,
  requestId: 'request-1',
  root: 'customerUpdate',
  ids: 'gid://shopify/Customer/7001001',
  fields: 'email id tags',
};

describe('a change with a store’s key', () => {
  test.each<[string, StandIn, string]>([
    ['done', payload({ customer: { id: CUSTOMER }, _svcRefusals: [] }), 'done'],
    [
      'refused by a user error that nobody selected',
      payload({ customer: null, _svcRefusals: REFUSED }),
      'refused',
    ],
    [
      'sent, and its answer lost',
      () => {
        throw new ServiceError('OUTCOME_UNKNOWN');
      },
      'unknown',
    ],
    [
      'broken off by a fault of ours',
      () => {
        throw new Error('a fault');
      },
      'unknown',
    ],
    [
      'not sent, the store’s points being spent',
      () => {
        throw new ServiceError('THROTTLED');
      },
      'refused',
    ],
  ])('logs one line for a change that is %s', async (_name, standIn, outcome) => {
    const lines = await linesOf({ query: UPDATE, variables, standIn });
    expect(lines).toEqual([{ ...response, outcome }]);
    expect(JSON.stringify(lines)).not.toMatch(/thief|sea/);
  });

  test('names the customer that the key acted for', async () => {
    const standIn = payload({ customer: { id: CUSTOMER }, _svcRefusals: [] });
    const query =
      'mutation { customerSessionRevoke(sessionId: "gid://platform/CustomerSession/x") { revokedSessionId } }';
    const lines = await linesOf({ as: 'store for a customer', query, standIn });
    expect(lines).toEqual([expect.objectContaining({ customerId: 7001001, root: 'customerSessionRevoke' })]);
  });

  test('a customer’s own leaves none, and neither does what is not run', async () => {
    const query = 'mutation { customerSessionRevoke(sessionId: "x") { revokedSessionId } }';
    expect(await linesOf({ as: 'customer', query, standIn: payload({}) })).toEqual([]);
    expect(await linesOf({ query: '{ shop { name } }', standIn: payload({}) })).toEqual([]);
    const left = UPDATE.replace('customerUpdate(input: $input)', '$& @include(if: false)');
    expect(await linesOf({ query: left, variables, standIn: payload({}) })).toEqual([]);
  });

  test('logs an attempt to delete the storefront token of customers’ apps, whatever else is sent', async () => {
    const own = 'gid://shopify/StorefrontAccessToken/77';
    const remove = (tail: number) =>
      `storefrontAccessTokenDelete(input: { id: "gid://platform/StorefrontAccessToken/${tail}" }) { userErrors { message } }`;
    const lines = await linesOf({
      query: `mutation { one: ${remove(78)} two: ${remove(77)} }`,
      standIn: payload({}),
      store: { ...store, storefrontTokenId: own },
    });
    const { requestId, shopId, keyId } = response;
    const root = 'storefrontAccessTokenDelete';
    expect(lines).toEqual([{ requestId, shopId, keyId, root, ids: own, fields: 'id', outcome: 'refused' }]);
  });

  test('a decoy hides no id: a long list goes into several lines', async () => {
    const references = Array.from({ length: 1_300 }, (_, index) => `gid://platform/Product/${index + 1}`);
    const value = JSON.stringify(references);
    const metafields = [{ namespace: 'a', key: 'b', type: 'list.product_reference', value }];
    const standIn = payload({ customer: null, _svcRefusals: [] });
    const lines = await linesOf({
      query: UPDATE,
      variables: { input: { id: CUSTOMER, metafields } },
      standIn,
    });
    const ids = lines.flatMap((line) => String(line.ids).split(' '));
    expect(lines.length).toBe(3);
    expect(ids).toHaveLength(1_301);
    expect(ids).toContain('gid://shopify/Customer/7001001');
  });

  test('does not log the text after an id’s type, unless it can be an id', async () => {
    const id = fc.oneof(fc.string({ minLength: 1 }), fc.emailAddress(), fc.constant(EMAIL));
    await fc.assert(
      fc.asyncProperty(id, async (tail) => {
        const metafields = [{ type: 'product_reference', value: `gid://platform/Metaobject/${tail}` }];
        const standIn = payload({ customer: null, _svcRefusals: [] });
        const input = { id: CUSTOMER, metafields };
        for (const line of await linesOf({ query: UPDATE, variables: { input }, standIn })) {
          for (const one of String(line.ids).split(' ')) {
            expect(one).toMatch(/^(gid:\/\/shopify\/\w+\/[\w?=&-]+|none)$/);
          }
        }
      }),
      { numRuns: 40, seed: 190 },
    );
  });
});

test('every mutation that reaches the platform leaves a line', async () => {
  const silent: string[] = [];
  for (const { name, query } of schemaRoots('admin', 'mutation')) {
    let isSent = false;
    const standIn: StandIn = ({ mutates }) => {
      isSent ||= mutates;
      if (mutates) throw new ServiceError('OUTCOME_UNKNOWN');
      return { data: {} };
    };
    const lines = await linesOf({ query, standIn });
    if (isSent && lines.every(({ root, outcome }) => root !== name || outcome !== 'unknown'))
      silent.push(name);
  }
  expect(silent).toEqual([]);
});
