/**
 * A failure of the platform is not a result: for every root of both schemas with ids, it is reported as a failure,
 * never as "not found", and ids that the platform cannot parse are the caller's error.
 */

import { describe, expect, test } from '@jest/globals';
import { Kind, parse } from 'graphql';
import type { Surface } from '../../../graphql/schema/schema.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { toPlatformServiceError } from '../../../lib/platform/admin-api/admin-attempt-outcome.ts';
import { classifyAdminResponse, type PlatformError } from '../../../lib/platform/admin-api/admin-response.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { loadWebhooksNowhere, type PlanRequest, runPlan, type Sent, type StandIn } from '../world/harness.ts';
import { type SchemaRoot, schemaRoots } from '../world/schema-roots.ts';

type As = PlanRequest['as'];
const CALLERS: readonly As[] = ['customer', 'store for a customer'];
const surfaceOf = (as: As): Surface => (as === 'customer' ? 'customer' : 'admin');

type FailureResult = {
  readonly codes: readonly unknown[];
  readonly status: number;
  readonly sent: readonly Sent[];
};

/** Returns the codes of the response's errors, or of the error that failed the whole request. */
async function outcomeOf(as: As, { query }: SchemaRoot, standIn: StandIn): Promise<FailureResult> {
  const sent: Sent[] = [];
  const counted: StandIn = (one) => {
    sent.push(one);
    return standIn(one);
  };
  try {
    // Some roots read only the table.
    const { result } = await runPlan({
      as,
      query,
      standIn: counted,
      table: createMemoryTable(),
      loadWebhooks: loadWebhooksNowhere,
    });
    return { codes: (result.errors ?? []).map(({ extensions }) => extensions?.code), status: 200, sent };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { codes: [error.code], status: error.status, sent };
  }
}

/** Returns the response keys of the requested roots. */
function keysOf({ document }: Sent): string[] {
  const [operation] = parse(document).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return [];
  return operation.selectionSet.selections.flatMap((one) =>
    one.kind === Kind.FIELD ? [(one.alias ?? one.name).value] : [],
  );
}

const nulls = (sent: Sent) => Object.fromEntries(keysOf(sent).map((key) => [key, null]));
const errorAt = (path: (string | number)[], code: string | undefined): PlatformError => ({
  message: 'm',
  path,
  ...(code !== undefined && { extensions: { code } }),
});

/** The ways in which the platform fails at what is needed to know whose something is. */
const FAILURES: Readonly<Record<string, (sent: Sent, code: string | undefined) => ReturnType<StandIn>>> = {
  'all its roots': (sent, code) => ({
    data: nulls(sent),
    errors: keysOf(sent).map((key) => errorAt([key], code)),
  }),
  'a root, and no proof comes': (sent, code) => {
    const [key = ''] = keysOf(sent).filter((one) => !one.startsWith('_svcOwned'));
    return { data: { [key]: null }, errors: [errorAt([key], code)] };
  },
  'the proof': (sent, code) => ({
    data: { ...nulls(sent), _svcOwned: null },
    errors: [errorAt(['_svcOwned'], code)],
  }),
  'each object of the proof': (sent, code) => {
    const ids = sent.variables._svcOwned as readonly string[];
    return {
      data: { ...nulls(sent), _svcOwned: ids.map(() => null) },
      errors: ids.map((_, index) => errorAt(['_svcOwned', index], code)),
    };
  },
  'the way to the customer': (sent, code) => {
    const ids = sent.variables._svcOwned as readonly string[];
    return {
      data: { ...nulls(sent), _svcOwned: ids.map((id) => ({ id })) },
      errors: ids.map((_, index) => errorAt(['_svcOwned', index, '_svcAny'], code)),
    };
  },
};

const notThere: StandIn = (sent) => {
  const ids = (sent.variables._svcOwned ?? []) as readonly string[];
  return { data: { ...nulls(sent), _svcOwned: ids.map(() => null) } };
};

/** The roots whose arguments the platform has to prove, and that are refused where it has nothing. */
async function provedRoots(as: As): Promise<SchemaRoot[]> {
  const proved: SchemaRoot[] = [];
  for (const root of schemaRoots(surfaceOf(as), 'query')) {
    const { codes, sent } = await outcomeOf(as, root, notThere);
    if (sent[0]?.variables._svcCheckNodes !== true) continue;
    expect({ root: root.name, codes }).toEqual({ root: root.name, codes: ['FORBIDDEN'] });
    proved.push(root);
  }
  return proved;
}

/** The mutations that are proved, or read their contract, before they change anything. */
async function readingMutations(as: As): Promise<SchemaRoot[]> {
  const reading: SchemaRoot[] = [];
  for (const root of schemaRoots(surfaceOf(as), 'mutation')) {
    const { codes, sent } = await outcomeOf(as, root, notThere);
    if (sent[0]?.mutates === false && codes.includes('FORBIDDEN')) reading.push(root);
  }
  return reading;
}

describe.each(CALLERS)('for a %s', (as) => {
  test.each(Object.keys(FAILURES))('a query is not "not there" if the platform fails at %s', async (way) => {
    const roots = await provedRoots(as);
    expect(roots.length).toBeGreaterThan(3);
    for (const root of roots) {
      for (const code of ['INTERNAL_SERVER_ERROR', 'TIMEOUT', 'SOMETHING_ELSE', undefined]) {
        const { codes } = await outcomeOf(as, root, (sent) => FAILURES[way]?.(sent, code) ?? {});
        expect({ root: root.name, code, codes }).toEqual({
          root: root.name,
          code,
          codes: ['PLATFORM_UNAVAILABLE'],
        });
      }
      const { codes } = await outcomeOf(
        as,
        root,
        (sent) => FAILURES[way]?.(sent, 'RESOURCE_NOT_FOUND') ?? {},
      );
      if (way !== 'a root, and no proof comes') expect(codes).toEqual(['FORBIDDEN']);
    }
  });

  test('a query that the store has not granted is neither "not there" nor to be repeated', async () => {
    for (const root of await provedRoots(as)) {
      for (const [way, failure] of Object.entries(FAILURES)) {
        const { codes } = await outcomeOf(as, root, (sent) => failure(sent, 'ACCESS_DENIED'));
        const response = ['STORE_ACCESS_MISSING'];
        expect({ root: root.name, way, codes }).toEqual({ root: root.name, way, codes: response });
      }
    }
  });

  test('no mutation runs, nor is told as "not there", if the first read fails', async () => {
    const roots = await readingMutations(as);
    expect(roots.length).toBeGreaterThan(5);
    for (const root of roots) {
      for (const [code, response] of Object.entries({
        INTERNAL_SERVER_ERROR: { codes: ['PLATFORM_UNAVAILABLE'], status: 503 },
        TIMEOUT: { codes: ['PLATFORM_UNAVAILABLE'], status: 503 },
        ACCESS_DENIED: { codes: ['STORE_ACCESS_MISSING'], status: 503 },
      })) {
        const { codes, status, sent } = await outcomeOf(
          as,
          root,
          (one) => FAILURES['all its roots']?.(one, code) ?? {},
        );
        expect({ root: root.name, code, codes, status }).toEqual({ root: root.name, code, ...response });
        expect(sent.every(({ mutates }) => !mutates)).toBe(true);
      }
    }
  });
});

test.each([
  ['INTERNAL_SERVER_ERROR', 'OUTCOME_UNKNOWN'],
  ['TIMEOUT', 'OUTCOME_UNKNOWN'],
  [undefined, 'OUTCOME_UNKNOWN'],
  ['ACCESS_DENIED', 'STORE_ACCESS_MISSING'],
])('a change at which the platform fails with %s is told in our words: %s', async (code, response) => {
  for (const root of schemaRoots('admin', 'mutation')) {
    const { codes, sent } = await outcomeOf('store', root, (one) => ({
      data: nulls(one),
      ...(one.mutates && { errors: keysOf(one).map((key) => errorAt([key], code)) }),
    }));
    if (!sent.some(({ mutates }) => mutates)) continue;
    expect({ root: root.name, codes }).toEqual({ root: root.name, codes: [response] });
  }
});

const EVERYONE = ['customer', 'store', 'store for a customer'] as const;

test.each(EVERYONE)('a root of a %s that fails beside its proof can be asked again', async (as) => {
  for (const root of schemaRoots(surfaceOf(as), 'query')) {
    const { codes, sent } = await outcomeOf(as, root, (one) => {
      const keys = keysOf(one).filter((key) => key !== '_svcOwned');
      const ids = (one.variables._svcOwned ?? []) as readonly string[];
      return {
        data: { ...nulls(one), _svcOwned: ids.map(ownedByAda) },
        errors: keys.map((key) => errorAt([key], 'INTERNAL_SERVER_ERROR')),
      };
    });
    if (sent.length === 0) continue;
    expect({ root: root.name, codes: [...new Set(codes)] }).toEqual({
      root: root.name,
      codes: ['PLATFORM_UNAVAILABLE'],
    });
  }
});

/** Returns an object of the ownership check, with any path to its customer. */
function ownedByAda(id: string) {
  const customer = { id: 'gid://shopify/Customer/7001001' };
  const [, type = ''] = /shopify\/(\w+)\//.exec(id) ?? [];
  const lines = { nodes: [{ id: 'gid://shopify/SubscriptionLine/9101001' }] };
  return { id, [`_svc${type}`]: { ...customer, customer }, _svcContractLines: lines };
}

/** The real platform's messages for unreadable input; the last one names the service's own variable. */
const REFUSALS: readonly PlatformError[] = [
  {
    message: "Invalid global id 'gid://shopify/SellingPlan/1zzz'",
    extensions: { code: 'argumentLiteralsIncompatible' },
  },
  { message: "Invalid global id 'gid://shopify/SellingPlan/1zzz'" },
  {
    message: 'Variable $_svcOwned of type [ID!]! was provided invalid value',
    extensions: { code: 'INVALID_VARIABLE' },
  },
];

/** Answers as the client of the platform does. */
function refusing(error: PlatformError): StandIn {
  return (sent) => {
    const body = JSON.stringify({ errors: [error] });
    const reading = classifyAdminResponse({ status: 200, retryAfter: undefined, body });
    if (reading.kind === 'answered') return reading.response;
    throw toPlatformServiceError(reading, sent as Parameters<typeof toPlatformServiceError>[1]);
  };
}

describe.each(EVERYONE)('what a %s sends', (as) => {
  test.each(REFUSALS)('is the caller’s mistake if the platform refuses it: $message', async (refusal) => {
    const surface = surfaceOf(as);
    const roots = [...schemaRoots(surface, 'query'), ...schemaRoots(surface, 'mutation')];
    let refused = 0;
    for (const root of roots.filter(({ query }) => query.includes('gid://'))) {
      const { codes, sent } = await outcomeOf(as, root, refusing(refusal));
      if (sent.length === 0) continue;
      refused += 1;
      expect({ root: root.name, codes }).toEqual({ root: root.name, codes: ['GRAPHQL_VALIDATION_FAILED'] });
    }
    expect(refused).toBeGreaterThan(10);
  });

  test.each(REFUSALS)('is answered in words that show nothing of ours: $message', async (refusal) => {
    const query = '{ subscriptionContract(id: "gid://platform/SubscriptionContract/9101001") { id } }';
    const { result } = await runPlan({ as, query, standIn: refusing(refusal) });
    const text = JSON.stringify(result);
    expect(result.data).toBeUndefined();
    expect(text).toContain('An id or value of this request is not one that the platform takes');
    expect(text).not.toMatch(/_svc|gid:\/\/shopify/);
  });
});

test('a document without any value of a caller is a fault of the service', async () => {
  const root = { name: 'shop', query: '{ shop { name } }' };
  const { codes } = await outcomeOf('store', root, refusing({ message: 'Field name is gone' }));
  expect(codes).toEqual(['INTERNAL_ERROR']);
});
