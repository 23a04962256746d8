/**
 * A list's page is asked for by one of `first` and `last`. What the platform would refuse of a page is refused before it
 * is asked, for customers; what it alone can judge, a cursor, is told to them in the service's words.
 */
import { describe, expect, test } from '@jest/globals';
import type { AdminOperation } from '../../../lib/platform/admin-api/admin-client.ts';
import { type PlanRequest, runPlan } from '../../graphql/world/harness.ts';
import { createOperationWorld, gid } from '../world/operation-world.ts';

type Asked = Pick<PlanRequest, 'query'> & Partial<PlanRequest>;

const { client, platform } = createOperationWorld();
const standIn: PlanRequest['standIn'] = (operation) => client(operation as AdminOperation);

async function ask(as: PlanRequest['as'], asked: Asked) {
  // The store has all its points again.
  platform.holder.nowMs += 60_000;
  const { result, sent } = await runPlan({ as, standIn, ...asked });
  const errors = (result.errors ?? []).map(({ message, extensions, path }) => ({
    ...{ message, path },
    code: extensions?.code,
  }));
  return { data: result.data, errors, sent: sent.length };
}

const CONTRACT = gid('SubscriptionContract', 9_101_001);
const CUSTOMER = gid('Customer', 7_001_001);

/** Documents with a list in them; SIZE stands for its arguments. */
const LISTS = {
  'a list of the customer’s': `customer(id: "${CUSTOMER}") { subscriptionContracts(SIZE) { nodes { id } } }`,
  'a list in a list': `customer(id: "${CUSTOMER}") { subscriptionContracts(first: 2) { nodes { lines(SIZE) { nodes { id } } } } }`,
  'a list of an object’s': `subscriptionContract(id: "${CONTRACT}") { billingAttempts(SIZE) { nodes { id } } }`,
  'a root': `subscriptionBillingCycles(contractId: "${CONTRACT}", SIZE) { nodes { cycleIndex } }`,
};

type Size = { readonly written: string | undefined; readonly value: number | null | undefined };
const VALUES = [null, -2_147_483_648, -1, 0, 1, 250] as const;
const SIZES: readonly Size[] = [
  { written: undefined, value: undefined },
  ...VALUES.map((value) => ({ written: String(value), value: undefined })),
  ...[undefined, ...VALUES].map((value) => ({ written: '$', value })),
];

/** The document with these sizes, and its variables. */
function sized(list: string, sizes: Readonly<Record<'first' | 'last', Size>>) {
  const given = Object.entries(sizes).filter(([, { written }]) => written !== undefined);
  const written = given.map(([name, size]) => `${name}: ${size.written === '$' ? `$${name}` : size.written}`);
  const variables = given.filter(([, size]) => size.written === '$').map(([name]) => `$${name}: Int`);
  const head = variables.length === 0 ? 'query' : `query(${variables.join(', ')})`;
  const values = Object.entries(sizes).filter(([, { value }]) => value !== undefined);
  // Something has to stand there.
  const pages = ['reverse: false', ...written].join(', ');
  return {
    query: `${head} { ${list.replace('SIZE', pages)} }`,
    variables: Object.fromEntries(values.map(([name, { value }]) => [name, value])),
  };
}

describe.each(Object.entries(LISTS))('%s', (_name, list) => {
  test('every pair of sizes that the platform refuses is refused to customers, and nothing is asked', async () => {
    const refusedAs = new Map<string, string>();
    for (const first of SIZES) {
      for (const last of SIZES) {
        const asked = sized(list, { first, last });
        const told = await ask('store', asked);
        const { data, errors, sent } = await ask('customer', asked);
        const [platform] = told.errors;
        if (platform === undefined) {
          expect({ asked, data, errors }).toEqual({ asked, data: told.data, errors: [] });
          continue;
        }
        expect({ asked, code: platform.code }).toEqual({ asked, code: 'BAD_REQUEST' });
        expect({ asked, data, codes: errors.map(({ code }) => code), sent }).toEqual({
          ...{ asked, data: undefined, sent: 0 },
          codes: ['GRAPHQL_VALIDATION_FAILED'],
        });
        refusedAs.set(platform.message, `${refusedAs.get(platform.message) ?? ''}|${errors[0]?.message}`);
      }
    }
    const words = (message: string) => new Set(refusedAs.get(message)?.slice(1).split('|'));
    expect(words('you must provide one of first or last')).toEqual(new Set(['Give one of first and last.']));
    expect(words('first must be a non-negative integer')).toEqual(
      new Set(['first and last are at least 0.']),
    );
    expect(words('providing both first and last is not supported')).toEqual(
      new Set(['Give first or last, not both.', 'first and last are at least 0.']),
    );
  });

  test('a list that a condition leaves out needs no size', async () => {
    for (const condition of ['@include(if: $shown)', '@skip(if: $hidden)']) {
      const inFragment = list.replace('{', `{ __typename ... ${condition} {`).concat(' }');
      const head = 'query($first: Int, $shown: Boolean = false, $hidden: Boolean = true)';
      const query = `${head} { ${list.startsWith('subscriptionBilling') ? list.replace('{', `${condition} {`) : inFragment} }`;
      const used = query
        .replace('SIZE', 'first: $first')
        .replace(condition.includes('shown') ? ', $hidden: Boolean = true' : ', $shown: Boolean = false', '');
      expect((await ask('customer', { query: used })).errors).toEqual([]);
      // Where it is not left out, the platform judges it.
      const shown = { shown: true, hidden: false };
      const { errors } = await ask('customer', { query: used, variables: shown });
      expect(errors).toMatchObject([{ code: 'GRAPHQL_VALIDATION_FAILED' }]);
    }
  });

  test('a cursor of no page: customers are told in their language, keys in the platform’s words', async () => {
    for (const place of ['after', 'before']) {
      const query = `{ ${list.replace('SIZE', `first: 1, ${place}: "of another list"`)} }`;
      const { errors } = await ask('customer', { query, acceptLanguage: 'de' });
      expect(errors).toMatchObject([
        {
          code: 'GRAPHQL_VALIDATION_FAILED',
          message: expect.stringContaining('beginnen Sie mit der ersten Seite'),
          path: expect.arrayContaining([expect.any(String)]),
        },
      ]);
      const english = await ask('customer', { query });
      expect(english.errors[0]?.message).toContain('begin with the first page');
      const key = await ask('store', { query, acceptLanguage: 'de' });
      expect(key.errors).toMatchObject([
        { code: 'BAD_REQUEST', message: expect.stringMatching(/^Invalid cursor/) },
      ]);
    }
  });
});

test('sizes beyond a page are refused, whatever stands beside them', async () => {
  const [list] = Object.values(LISTS);
  const huge = [251, 2_147_483_647, 2_147_483_648].flatMap((value): Size[] => [
    { written: String(value), value: undefined },
    { written: '$', value },
  ]);
  const limits = ['QUERY_TOO_COMPLEX', 'GRAPHQL_VALIDATION_FAILED'];
  for (const one of huge) {
    for (const other of [...SIZES, ...huge]) {
      for (const sizes of [
        { first: one, last: other },
        { first: other, last: one },
      ]) {
        const { data, errors, sent } = await ask('customer', sized(list ?? '', sizes));
        expect([data, sent, errors.length > 0]).toEqual([undefined, 0, true]);
        expect(limits).toEqual(expect.arrayContaining(errors.map(({ code }) => code)));
      }
    }
  }
});

test('a change whose answer cannot be read is not made', async () => {
  const query = `mutation($n: Int) { subscriptionContractPause(subscriptionContractId: "${CONTRACT}") {
    contract { lines(first: $n) { nodes { id } } } userErrors { message } } }`;
  const { data, errors, sent } = await ask('customer', { query });
  expect([data, sent]).toEqual([undefined, 0]);
  expect(errors).toMatchObject([
    { code: 'GRAPHQL_VALIDATION_FAILED', message: 'Give one of first and last.' },
  ]);
});

test('lists with a size of their own, and lists without pages, need none', async () => {
  const query = `{
    subscriptionContractDetails(contractId: "${CONTRACT}") { lines { nodes { id } } billingCycles(last: 2) { nodes { cycleIndex } } }
    customer(id: "${CUSTOMER}") { addresses { city } }
  }`;
  expect((await ask('customer', { query })).errors).toEqual([]);
});
