/**
 * Checks that each response to a store's server equals graphql-js's, which executes the service's schema over the same
 * data; but a null where it is not allowed fails the whole request.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, validate } from 'graphql';
import { checkDocument } from '../../../graphql/policy/check-document.ts';
import { getAdminSchema } from '../../../graphql/schema/schema.ts';
import { propertyRuns } from '../../full-size.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { runPlan, type StandIn } from '../world/harness.ts';
import { type RandomOptions, randomDocument } from '../world/random-document.ts';
import { executeIn, platformSchema, type World } from '../world/world.ts';

const RUNS = propertyRuns(10_000);
const seeds = fc.record({ document: fc.nat(), world: fc.nat() });

function platformOf(world: World): StandIn {
  return async ({ document, variables }) => {
    expect(validate(platformSchema, parse(document)).map(({ message }) => message)).toEqual([]);
    const { data, errors } = await executeIn(world, {
      schema: platformSchema,
      namespace: 'shopify',
      document,
      variables,
    });
    // Variables that the platform refuses are found at execution.
    expect(errors?.filter(({ path }) => path === undefined).map(({ message }) => message) ?? []).toEqual([]);
    return { data: data ?? null, errors: JSON.parse(JSON.stringify(errors ?? [])) };
  };
}

/** Forwarded changes end timed pauses. */
const table = createMemoryTable();

/** Characters of a message; one that quotes the document is cut. */
const PRINTED = 500;

type Answer = { readonly data?: unknown; readonly errors?: readonly { message: string; path?: unknown }[] };

/** Data and errors as a client compares them: the order of errors means nothing. */
function comparable({ data, errors = [] }: Answer) {
  const response = errors
    .map(({ message, path }) => JSON.stringify([path, message.slice(0, PRINTED)]))
    .sort();
  return { data: JSON.parse(JSON.stringify(data ?? null)), errors: response };
}

/** Variables that do not fit: nothing was run. The service cuts a long value in the message. */
function expectRefused({ data, errors = [] }: Answer, expected: Answer): void {
  const [whole = ''] = (expected.errors ?? []).map(({ message }) => message);
  const [first = ''] = errors.map(({ message }) => message);
  const [start = '', end] = first.split('…');
  const isCut = end !== undefined && whole.startsWith(start) && whole.endsWith(end);
  expect({ data, first }).toEqual({ data: undefined, first: isCut ? first : whole });
}

let texts = 0;
/** Requests with a null where it is not allowed. */
let refused = 0;

async function compare(world: World, seed: number, options: RandomOptions = {}): Promise<void> {
  const { query, variables } = randomDocument(getAdminSchema(), seed, options);
  // This root has a range and a beginning of the service's own: tests/contract/access/upcoming-cycles.test.ts.
  fc.pre(!query.includes('subscriptionBillingCycles'));
  // An attempt of another contract is refused: tests/lib/subscriptions/charge/cycle-changes.test.ts.
  fc.pre(!query.includes('subscriptionBillingAttemptCreate'));
  fc.pre(checkDocument('admin', parse(query), () => undefined).length === 0);
  const expected = await executeIn(world, {
    schema: getAdminSchema(),
    namespace: 'platform',
    document: query,
    variables,
  });
  for (const acceptsDataText of [false, true]) {
    const request = {
      as: 'store',
      query,
      variables,
      standIn: platformOf(world),
      acceptsDataText,
      table,
    } as const;
    const { result, sent, isText } = await runPlan(request);
    // graphql-js fails the field alone, and nothing if the field is not selected.
    const isRefused = result.errors?.some(({ message }) =>
      message.endsWith('must not be null where it is used.'),
    );
    if (isRefused) refused += 1;
    if (isRefused) expect([result.data, sent]).toEqual([undefined, []]);
    else if (expected.data === undefined) expectRefused(result, expected);
    else expect(comparable(result)).toEqual(comparable(expected));
    // A root that took the whole answer along is left out of one more request. Each mutation is one.
    if (options.operation !== 'mutation')
      expect(sent.length).toBeLessThanOrEqual(world.failing === 0 ? 1 : 2);
    if (isText) texts += 1;
  }
}

describe('the plan against graphql-js over the same data', () => {
  test('returns the same as graphql-js for random documents and data', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, ({ document, world }) => compare({ seed: world, failing: 0 }, document)),
      RUNS,
    );
    // The property would also hold if every answer were read.
    expect(texts).toBeGreaterThan(RUNS.numRuns / 4);
  });

  test('returns the same as graphql-js for random documents and data, with fields that fail', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, ({ document, world }) => compare({ seed: world, failing: 4 }, document)),
      RUNS,
    );
  });

  test.each(['query', 'mutation'] as const)(
    'returns the same as graphql-js for random variables of a %s',
    async (operation) => {
      refused = 0;
      const options = { withOddVariables: true, operation };
      const odd = ({ document, world }: { document: number; world: number }) =>
        compare({ seed: world, failing: 0 }, document, options);
      const runs = propertyRuns(2_000);
      await fc.assert(fc.asyncProperty(seeds, odd), runs);
      expect(refused).toBeGreaterThan(runs.numRuns / 20);
    },
  );
});
