/** Every date and every text of the service's own mutations is bounded; found by the schema, so that none is forgotten. */
import { describe, expect, test } from '@jest/globals';
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { findMutation } from '../../../graphql/mutations/mutations.ts';
import { getAdminSchema } from '../../../graphql/schema/schema.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { loadWebhooksNowhere, NOW_MS, store } from '../../graphql/world/harness.ts';
import { argumentIds, inputFieldIds } from '../../graphql/world/id-policies.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createOperationWorld, gid } from '../world/operation-world.ts';

const IDS: Readonly<Record<string, string>> = { SubscriptionContract: '9101001', CustomerPaymentMethod: 'x' };

/** Nearly nothing here changes anything. */
const world = createOperationWorld();

/** It offers what a store need not offer. */
const OFFERING: StoreRecord = { ...store, sendNow: 'MOVE' };

type Input = GraphQLArgument | GraphQLInputField;
type Site = { readonly mutation: string; readonly path: readonly string[] };

/**
 * Returns the paths of a type in the arguments of the service's mutations, including those in input objects and lists.
 */
function sitesOf(typeName: string): Site[] {
  const mutations = Object.values(getAdminSchema().getMutationType()?.getFields() ?? {});
  return mutations
    .filter(({ name }) => findMutation(name)?.kind === 'service')
    .flatMap(({ name, args }) => pathsIn(args, typeName).map((path) => ({ mutation: name, path })));
}

function pathsIn(inputs: readonly Input[], typeName: string): string[][] {
  return inputs.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    const below = isInputObjectType(named) ? pathsIn(Object.values(named.getFields()), typeName) : [];
    return [...(named.name === typeName ? [[name]] : []), ...below.map((path) => [name, ...path])];
  });
}

/** Creates an input with the required fields and the value at the path. */
function inputOf(
  type: GraphQLInputType,
  at: { path: readonly string[]; value: unknown; id?: string },
): unknown {
  if (isNonNullType(type)) return inputOf(type.ofType, at);
  if (isListType(type)) return [inputOf(type.ofType, at)];
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => isRequiredInputField(field) || field.name === at.path[0],
    );
    return Object.fromEntries(
      fields.map((field) => {
        const path = field.name === at.path[0] ? at.path.slice(1) : ['never'];
        const id = inputFieldIds(type.name, field.name)?.types?.[0] ?? '';
        return [field.name, inputOf(field.type, { path, value: at.value, id })];
      }),
    );
  }
  if (at.path.length === 0) return at.value;
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (type.name === 'ID') return gid(at.id ?? '', IDS[at.id ?? ''] ?? '1');
  const [DateTime, day] = [new Date(NOW_MS).toISOString(), '2026-12-01'];
  return { Int: 8, String: 'x', Date: day, DateTime, URL: 'https://a.example/' }[type.name];
}

/** The optional arguments that a mutation needs. */
const MORE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  subscriptionBillingCycleCharge: { billingCycleSelector: { index: 8 } },
  subscriptionContractIntervalUpdate: { interval: { interval: 'WEEK', intervalCount: 2 } },
};

async function ask({ mutation, path }: Site, value: unknown) {
  const field = getAdminSchema().getMutationType()?.getFields()[mutation];
  const more = MORE[mutation] ?? {};
  const args = (field?.args ?? []).filter(
    (argument) =>
      isRequiredArgument(argument) || argument.name === path[0] || Object.hasOwn(more, argument.name),
  );
  const variables = Object.fromEntries(
    args.map(({ name, type }) => {
      const id = argumentIds('Mutation', mutation, name)?.types?.[0] ?? '';
      const below = name === path[0] ? path.slice(1) : ['never'];
      return [
        name,
        name === path[0]
          ? inputOf(type, { path: below, value, id })
          : (more[name] ?? inputOf(type, { path: below, value, id })),
      ];
    }),
  );
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const query = `mutation (${declared}) { ${mutation}(${given}) { userErrors { field message code } } }`;
  const parts = { table: createMemoryTable(), loadWebhooks: loadWebhooksNowhere, store: OFFERING };
  return world.run({ as: 'store', query, variables, ...parts });
}

const dayMs = 86_400_000;
const at = (ms: number, offsetHours = 0) => {
  const text = new Date(ms + offsetHours * 3_600_000).toISOString().slice(0, 19);
  const sign = offsetHours < 0 ? '-' : '+';
  return offsetHours === 0
    ? `${text}Z`
    : `${text}${sign}${String(Math.abs(offsetHours)).padStart(2, '0')}:00`;
};
const FAR = [
  at(NOW_MS + 366 * dayMs),
  at(NOW_MS + 366 * dayMs, 14),
  at(NOW_MS + 366 * dayMs, -12),
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999999999-23:59',
];
const PAST = [
  at(NOW_MS - dayMs),
  at(NOW_MS - 1_000, 14),
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
];

/** Dates that are compared with an order's, and set nothing. */
const COMPARED: Readonly<Record<string, string>> = {
  'subscriptionBillingCycleSkip.expectedDate': 'CYCLE_DATE_MISMATCH',
  'subscriptionOrderPostpone.expectedDate': 'CYCLE_DATE_MISMATCH',
  'subscriptionBillingCycleCharge.expectedDate': 'CYCLE_DATE_MISMATCH',
  'subscriptionOrderSendNow.expectedDate': 'CYCLE_DATE_MISMATCH',
  'subscriptionBillingCycleCharge.billingCycleSelector.date': 'CYCLE_START_DATE_OUT_OF_RANGE',
};
const named = (sites: readonly Site[]) =>
  sites.map((site) => [`${site.mutation}.${site.path.join('.')}`, site] as const);

/** A replay has past dates; the tests of the endpoints check them. */
const dated = sitesOf('DateTime').filter(({ mutation }) => !mutation.startsWith('webhook'));

describe.each(named(dated))('%s', (name, site) => {
  // An order of the past that is not billed yet may be charged.
  const dates = name.startsWith('subscriptionBillingCycleCharge') ? FAR : [...FAR, ...PAST];
  test.each(dates)('%s', async (date) => {
    const { payload, recorded } = await ask(site, date);
    const expected = COMPARED[name] ?? (FAR.includes(date) ? 'DATE_TOO_FAR' : 'DATE_IN_PAST');
    expect(payload?.userErrors).toMatchObject([{ code: expected }]);
    expect(recorded).toEqual([]);
  });
});

test.each(named(sitesOf('String')))(
  '%s rejects a long text without a request to the platform',
  async (_name, site) => {
    const { payload, sent, recorded } = await ask(site, 'x'.repeat(5_001));
    expect(payload?.userErrors).toMatchObject([
      { code: 'INVALID', message: expect.stringMatching(/up to [\d,]+ characters/) },
    ]);
    expect(payload.userErrors[0].field.filter((step: string) => step !== '0')).toEqual(site.path);
    expect([sent, recorded]).toEqual([[], []]);
  },
);

test.each(['add', 'update'])('%s accepts a quantity of ten thousand and no more', async (argument) => {
  const site = { mutation: 'subscriptionContractLinesUpdate', path: [argument, 'quantity'] };
  for (const quantity of [10_001, 2_147_483_647]) {
    const { payload } = await ask(site, quantity);
    expect(payload.userErrors).toMatchObject([
      { code: 'QUANTITY_INVALID', field: [argument, '0', 'quantity'] },
    ]);
  }
  const { payload } = await ask(site, 10_000);
  expect(payload.userErrors).not.toMatchObject([{ code: 'QUANTITY_INVALID' }]);
});

async function run(mutation: string) {
  const query = `mutation { change: ${mutation} { userErrors { field message code } } }`;
  return world.run({ as: 'store', query, table: createMemoryTable() });
}
const contractId = `contractId: "${gid('SubscriptionContract', 9101001)}"`;

test.each([
  ['DAY', 1_095],
  ['WEEK', 156],
  ['MONTH', 36],
  ['YEAR', 3],
])('an interval is three years at most, in the unit %s %d', async (interval, maximum) => {
  for (const intervalCount of [maximum + 1, 2_147_483_647]) {
    const { payload } = await run(
      `subscriptionContractIntervalUpdate(${contractId}, interval: { interval: ${interval}, intervalCount: ${intervalCount} })`,
    );
    expect(payload.userErrors).toMatchObject([{ code: 'INVALID', field: ['interval', 'intervalCount'] }]);
  }
  const { payload } = await run(
    `subscriptionContractIntervalUpdate(${contractId}, interval: { interval: ${interval}, intervalCount: ${maximum} })`,
  );
  expect(payload.userErrors).not.toMatchObject([{ field: ['interval', 'intervalCount'] }]);
});

test('a list is no longer than a change can be', async () => {
  const attributes = (count: number) =>
    Array.from({ length: count }, (_, index) => `{ key: "${index}", value: "x" }`).join(' ');
  const ask = (count: number) =>
    run(`subscriptionContractNoteUpdate(${contractId}, customAttributes: [${attributes(count)}])`);
  const { payload, sent } = await ask(101);
  expect(payload.userErrors).toMatchObject([{ code: 'INVALID', field: ['customAttributes'] }]);
  expect(sent).toEqual([]);
  expect((await ask(100)).payload.userErrors).toEqual([]);
});
