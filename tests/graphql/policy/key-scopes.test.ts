/** Every root of the admin endpoint × every set of scopes that a key can have: what is run, and what a refusal names. */
import { describe, expect, test } from '@jest/globals';
import {
  listPossibleTypes,
  typeOfField,
  unwrapTypeReference,
} from '../../../graphql/compile/selection/type-reference.ts';
import type { ActorRequest } from '../../../graphql/endpoint/execute-request.ts';
import { isServiceType } from '../../../graphql/schema/field-policy.ts';
import { schemaTable } from '../../../graphql/schema/generated/schema-table.ts';
import { type KeyScope, keyScopes } from '../../../lib/domain/key-scope.ts';
import { ADA, KEY_ID, KEY_LABEL, runPlan, type StandIn, store } from '../world/harness.ts';
import { type SchemaRoot, schemaRoots } from '../world/schema-roots.ts';

/** The scopes that differ from the rule; the test compares them with the schema, root by root. */
const EXCEPTIONS: Readonly<Record<string, readonly KeyScope[]>> = {
  // Anyone who finds a leaked key can revoke it, regardless of its scopes.
  adminKeyRevokeCurrent: [],
};
/** The management of endpoints needs its own scope, for reads and changes alike. */
const usualNeeds = (operation: 'query' | 'mutation', name: string): readonly KeyScope[] => {
  if (name.startsWith('webhook')) return ['WEBHOOKS'];
  // A key that changes subscriptions and charges cannot switch billing on.
  if (name.startsWith('billing') && operation === 'mutation') return ['READ', 'BILLING'];
  return operation === 'query' ? ['READ'] : ['WRITE'];
};
const roots = (['query', 'mutation'] as const).flatMap((operation) =>
  schemaRoots('admin', operation).map((root) => ({
    ...root,
    needs: EXCEPTIONS[root.name] ?? usualNeeds(operation, root.name),
  })),
);
type Root = (typeof roots)[number];

/** All subsets, the empty one too: sixteen. */
const scopeSets = Array.from({ length: 2 ** keyScopes.length }, (_, set) =>
  keyScopes.filter((_scope, index) => (set >> index) % 2 === 1),
);

const keyWith = (scopes: readonly KeyScope[], actingCustomerId?: typeof ADA) =>
  ({
    kind: 'store',
    shopId: store.shopId,
    keyId: KEY_ID,
    keyLabel: KEY_LABEL,
    scopes,
    store,
    ...(actingCustomerId && { actingCustomerId }),
  }) as unknown as ActorRequest['actor'];

class Reached extends Error {}
const reached: StandIn = () => {
  throw new Reached();
};
/** A request that reads the table has passed the check of scopes. */
const table = new Proxy({} as never, {
  get: () => () => {
    throw new Reached();
  },
});

const loadWebhooks = () => Promise.reject(new Reached());

type TestRequest = Pick<SchemaRoot, 'query'>;

/** Returns the codes of the error, and the missing scopes that it names; `run`: the root ran, with any result. */
async function errorsOf({ query }: TestRequest, scopes: readonly KeyScope[], acting?: typeof ADA) {
  try {
    const actor = keyWith(scopes, acting);
    const { result } = await runPlan({ as: 'store', query, standIn: reached, table, actor, loadWebhooks });
    const [error] = result.errors ?? [];
    if (error?.extensions?.code !== 'KEY_SCOPE_MISSING') return 'run';
    expect(result.data).toBeUndefined();
    return { missing: error.extensions.missing, message: error.message };
  } catch (error) {
    if (error instanceof Reached) return 'run';
    throw error;
  }
}

function expected({ name, needs }: Root, scopes: readonly KeyScope[]) {
  const missing = needs.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return 'run';
  const message = `"${name}" needs the scope ${missing.join(', ')}, which this key does not have.`;
  return { missing, message: expect.stringContaining(message) };
}

test('the table is that of all roots and all sets of scopes', () => {
  expect(scopeSets.length).toBe(16);
  expect(roots.length * scopeSets.length).toBeGreaterThan(1_000);
});

describe.each(scopeSets.map((set) => [set.join(', ') || 'none', set] as const))(
  'a key with the scopes: %s',
  (_description, scopes) => {
    test('is held to them at every root', async () => {
      for (const root of roots) {
        expect({ root: root.name, reported: await errorsOf(root, scopes) }).toEqual({
          root: root.name,
          reported: expected(root, scopes),
        });
      }
    });
  },
);

describe('no way around', () => {
  const pause = 'subscriptionContractPause(subscriptionContractId: "gid://platform/SubscriptionContract/1")';
  const refused = { missing: ['WRITE'], message: expect.stringContaining('"subscriptionContractPause"') };

  test.each([
    ['an alias', `mutation { customers: ${pause} { __typename } }`],
    ['a fragment', `mutation { ...F } fragment F on Mutation { ${pause} { __typename } }`],
    ['an inline fragment', `mutation { ... on Mutation { ... { ${pause} { __typename } } } }`],
    ['a neighbour', `mutation { __typename ${pause} { __typename } }`],
    ['a literal skip', `mutation { ${pause} @skip(if: true) { __typename } }`],
    ['a literal include', `mutation { __typename ${pause} @include(if: false) { __typename } }`],
    [
      'a fragment left out',
      `mutation { ...F @skip(if: true) } fragment F on Mutation { ...G } fragment G on Mutation { ${pause} { __typename } }`,
    ],
    [
      'a fragment, left out below',
      `mutation { ...F ...F } fragment F on Mutation { ... @include(if: false) { ${pause} { __typename } } }`,
    ],
    [
      'a condition, skipped',
      `mutation ($yes: Boolean = true) { ... @skip(if: $yes) { ${pause} { __typename } } }`,
    ],
    ['a condition', `mutation ($no: Boolean = false) { ${pause} @include(if: $no) { __typename } }`],
  ])('%s', async (_way, query) => {
    expect(await errorsOf({ query }, ['READ'])).toEqual(refused);
  });

  test('another operation of the document is not asked about', async () => {
    const query = `query Read { shop { name } } mutation Write { ${pause} { __typename } }`;
    const request = { as: 'store', query, standIn: reached, actor: keyWith(['READ']) } as const;
    await expect(runPlan({ ...request, operationName: 'Read' })).rejects.toThrow(Reached);
    const { result } = await runPlan({ ...request, operationName: 'Write' });
    expect(result.errors?.[0]?.extensions?.code).toBe('KEY_SCOPE_MISSING');
  });

  test('the same document of another key is judged by that key’s scopes', async () => {
    const query = `mutation { ${pause} { __typename } }`;
    expect(await errorsOf({ query }, ['READ', 'WRITE'])).toBe('run');
    expect(await errorsOf({ query }, ['READ'])).toEqual(refused);
    expect(await errorsOf({ query }, ['READ', 'WRITE'])).toBe('run');
  });

  test('acting for a customer gives a key no scope', async () => {
    expect(await errorsOf({ query: `mutation { ${pause} { __typename } }` }, ['READ'], ADA)).toEqual(refused);
  });
});

test('any key may look at the schema', async () => {
  expect(await errorsOf({ query: '{ __schema { queryType { name } } __typename }' }, [])).toBe('run');
});

test('below a root that needs neither READ nor WRITE nothing of the store can be selected', () => {
  const isOpen = ({ needs }: Root) => !needs.includes('READ') && !needs.includes('WRITE');
  for (const root of roots.filter(isOpen)) {
    const found = typesBelow(root.name);
    expect({
      root: root.name,
      foreign: found.filter((type) => !OWN.has(type) && !isServiceType(type)),
    }).toEqual({
      root: root.name,
      foreign: [],
    });
  }
});

/** Types of the platform's that hold nothing of a store. */
const OWN: ReadonlySet<string> = new Set(['UserError', 'PageInfo']);

/** The object types that can be reached from a root field. */
function typesBelow(rootName: string): string[] {
  const found = new Set<string>();
  const waiting = [typeOfField('Mutation', rootName) ?? typeOfField('QueryRoot', rootName) ?? ''];
  for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
    for (const name of listPossibleTypes(unwrapTypeReference(reference))) {
      const entry = schemaTable[name];
      if (found.has(name) || entry === undefined || !('fields' in entry)) continue;
      found.add(name);
      waiting.push(...Object.values(entry.fields).map(([type]) => type));
    }
  }
  return [...found];
}
