/**
 * Every document that the service makes stays below what a query may cost, however many things it is for, and whether
 * the platform counts `nodes(ids:)` once or for each id. Which documents there are is read from the sources: each file
 * that sends one has to be seen here at its largest. The world weighs what goes through it.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { composeBillingCharges } from '../../functions/compose/compose-billing-charges.ts';
import { countDocumentPoints } from '../../graphql/run/count-document-points.ts';
import { setNextBillingDates } from '../../lib/billing/preview/set-next-billing-dates.ts';
import type { BillingCharge } from '../../lib/billing/records/charge-record.ts';
import { createBillingSettings } from '../../lib/billing/records/settings.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../lib/billing/records/settings-record.ts';
import type { EvaluateDeps } from '../../lib/billing/run/evaluate-orders.ts';
import type { OrderState } from '../../lib/billing/run/read-orders.ts';
import { createBatchLimits, sendAttempts } from '../../lib/billing/run/send-attempts.ts';
import { askForMethod } from '../../lib/billing/settle/ask-for-method.ts';
import { MAX_POINTS_PER_QUERY } from '../../lib/platform/admin-api/query-points.ts';
import { createSendWithinBudget } from '../../lib/platform/admin-api/send-within-budget.ts';
import { readContractNumbersOfCustomer } from '../../lib/privacy/read-contract-numbers-of-customer.ts';
import { createScheduledTaskRepository } from '../../lib/storage/scheduled-tasks.ts';
import type { StorefrontTokens } from '../../lib/storage/storefront-tokens.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import {
  MAX_ATTEMPTS_PER_REQUEST,
  readAttemptPage,
  readAttemptsByNumber,
  readBillingCyclesOfAttempts,
} from '../../lib/store-events/charges/read-attempts.ts';
import {
  CONTRACTS_PER_CYCLES_DOCUMENT,
  CONTRACTS_PER_DOCUMENT,
} from '../../lib/store-events/contracts/contract-documents.ts';
import {
  addBillingCyclesToContracts,
  findContractsByPaymentMethod,
  readContractPage,
  readContractsWithBillingCycles,
} from '../../lib/store-events/contracts/read-contracts.ts';
import {
  refreshTimeZoneAndCheckScopes,
  verifyUninstall,
} from '../../lib/store-events/store/verify-uninstall.ts';
import { checkAdminApi } from '../../lib/stores/checks/check-admin-api.ts';
import type { CheckStoreDeps } from '../../lib/stores/checks/check-store-deps.ts';
import { checkStorefrontToken } from '../../lib/stores/checks/check-storefront-token.ts';
import { ensureStorefrontToken } from '../../lib/stores/lifecycle/ensure-storefront-token.ts';
import { refreshTimeZones } from '../../lib/stores/lifecycle/refresh-time-zones.ts';
import { scheduleTimeZoneRead } from '../../lib/stores/lifecycle/schedule-time-zone-read.ts';
import { registerWebhooks, unregisterWebhooks } from '../../lib/stores/webhooks/register-webhooks.ts';
import { createUsedCodeRepository } from '../../lib/subscriptions/details/used-codes.ts';
import { buildLargestQuery } from '../../lib/subscriptions/lines/build-largest-query.ts';
import {
  MAX_LINES_PER_REQUEST,
  MAX_VARIANTS_PER_REQUEST,
} from '../../lib/subscriptions/lines/lines-request.ts';
import type { ContractReading } from '../../lib/timeline/append/observation.ts';
import type { ContractNumber } from '../../lib/timeline/event-record.ts';
import type { CommandRun as OperatorRun } from '../../operator/command.ts';
import { firstContactCommand } from '../../operator/commands/first-contact.ts';
import type { ContractRecord } from '../../sandbox/platform/state/contract-records.ts';
import { formatIsoInstant, HOUR_MS } from '../../sandbox/platform/state/instant.ts';
import { ADA, NOW_MS, store } from '../graphql/world/harness.ts';
import { createMemoryTable } from '../memory-table.ts';
import { createIntervalWorld, current } from '../world/interval-world.ts';
import { createStoreWorld, WEEKLY } from '../world/store-world.ts';
import { createPostponementWorld, FIRST, failDocument, postpone } from './postponement/postponement-world.ts';
import { LINES, lineId } from './world/lines-operation.ts';
import { createOperationWorld, gid, type OperationWorld } from './world/operation-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const MANY = 25;

/** The files that send documents: what they send says whether it mutates. */
function sendingFiles(): string[] {
  const files = ['lib', 'graphql', 'functions', 'operator'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sends = (name: string) => /\bmutates: (?:true|false)\b/.test(readFileSync(join(ROOT, name), 'utf8'));
  return files.filter((name) => name.endsWith('.ts') && sends(name)).sort();
}

type Weighed = { readonly points: { readonly each: number; readonly once: number }; readonly query: string };

/** The requests sent for each file. */
const seen = new Map<string, Weighed[]>();

/** Records each request of a world with the files that caused it, across all awaits. */
function recordRequests<World extends Pick<OperationWorld, 'platform'>>(world: World): World {
  const { platform } = world;
  const { send } = platform;
  platform.send = (body, ...more) => {
    const { stack = '' } = new Error('sent');
    const { query, variables } = JSON.parse(body);
    const points = {
      each: countDocumentPoints(query, variables),
      once: countDocumentPoints(query, onceFor(query, variables)),
    };
    for (const [, file = ''] of stack.matchAll(
      /\/((?:lib|graphql|functions|infra|sandbox|operator)\/[\w/-]+\.ts)/g,
    )) {
      seen.set(file, [...(seen.get(file) ?? []), { points, query }]);
    }
    return send(body, ...more);
  };
  return world;
}

/** Limits the variables of `nodes` to one id. */
function onceFor(query: string, variables: Readonly<Record<string, unknown>>) {
  const lists = [...query.matchAll(/nodes\(ids: \$(\w+)/g)].map(([, name = '']) => name);
  return {
    ...variables,
    ...Object.fromEntries(lists.map((name) => [name, [variables[name]].flat().slice(0, 1)])),
  };
}

/** Lines of so many different products and variants, which need not be there. */
function manyLines({ content }: ContractRecord, count = MANY): void {
  const [line] = content.lines;
  if (line === undefined) throw new Error('no line');
  for (let more = 1; more < count; more++) {
    content.lines.push({ ...line, id: `line-${more}`, productId: more, variantId: more });
  }
}

const id = gid('SubscriptionContract', WEEKLY);
const CHANGED = '{ contract { id } userErrors { message } }';

async function changeLines(): Promise<void> {
  const world = recordRequests(createOperationWorld());
  const contract = world.contract(WEEKLY);
  const add = Array.from({ length: MAX_VARIANTS_PER_REQUEST }, (_none, index) => ({
    productVariantId: gid('ProductVariant', index + 1),
    quantity: 1,
  }));
  await world.run({ as: 'customer', query: LINES, variables: { contractId: id, add } });
  manyLines(contract, MAX_LINES_PER_REQUEST);
  const update = contract.content.lines.map((_line, index) => ({
    lineId: lineId(contract, index),
    quantity: 2,
  }));
  const edit = {
    content: structuredClone(contract.content),
    createdAt: contract.createdAt,
    updatedAt: contract.createdAt,
  };
  contract.cycleEdits[9] = { skipped: false, billingDate: null, contract: { ...edit, concatenated: [] } };
  await world.run({ as: 'customer', query: LINES, variables: { contractId: id, update } });
}

/** A new code, then a code that the contract has: the first is put into a draft, the second leaves all as it is. */
async function previewCodes(): Promise<void> {
  const query = `mutation ($id: ID!) { subscriptionContractDiscountCodeApply(contractId: $id, redeemCode: "WELCOME10", dryRun: true) {
    contract { id } preview { total { amount } date } userErrors { message } } }`;
  for (const as of ['customer', 'store'] as const) {
    const world = recordRequests(createOperationWorld());
    const request = { as, query, variables: { id }, table: createMemoryTable() };
    manyLines(world.contract(WEEKLY));
    await world.run(request);
    await world.run({ ...request, query: query.replace(', dryRun: true', '') });
    await world.run(request);
  }
}

async function changeInterval(): Promise<void> {
  const world = recordRequests(createIntervalWorld({ table: createMemoryTable() }));
  for (let offset = 1; offset < 40; offset++) world.edit(offset, { skipped: true });
  await world.change({ interval: { interval: 'WEEK', intervalCount: 2 } });
  await world.skip(3);
  const crowded = recordRequests(createIntervalWorld({ table: createMemoryTable() }));
  manyLines(crowded.contract);
  await crowded.change({ interval: { interval: 'WEEK', intervalCount: 2 } });
}

const PLANS = 'sellingPlans(first: 31) { nodes { id options pricingPolicies { __typename } } }';

async function query(): Promise<void> {
  const world = recordRequests(createOperationWorld());
  manyLines(world.contract(WEEKLY));
  const first = world.platform.store().contracts.get(WEEKLY);
  for (const line of first?.content.lines ?? []) {
    const step = {
      adjustmentType: 'PRICE',
      adjustmentValue: 1,
      afterCycle: 9,
      computedPriceMinor: 1,
    } as const;
    const firstStep = { ...step, afterCycle: 0, computedPriceMinor: line.currentPriceMinor };
    line.pricingPolicy = { basePriceMinor: 1, cycleDiscounts: [firstStep, step] };
  }
  const contracts = Array.from({ length: MANY }, (_none, index) => {
    const copy = { ...structuredClone(first), id: 20_000_001 + index } as ContractRecord;
    for (let cycle = 1; cycle < 80; cycle++)
      copy.cycleEdits[cycle] = { skipped: true, billingDate: null, contract: null };
    world.platform.store().contracts.set(copy.id, copy);
    return copy;
  });
  const ids = contracts.map((one) => gid('SubscriptionContract', one.id));
  const queries = [
    `{ nodes(ids: ${JSON.stringify(ids)}) { ... on SubscriptionContract { nextOrder { date total { amount } } } } }`,
    `{ subscriptionContract(id: "${id}") { billingCycles(first: 250) { nodes { total { amount } } } } }`,
    `{ subscriptionContract(id: "${id}") { billingCycles(first: 250) { nodes { isWithinPause } } } }`,
    `{ subscriptionLineOptions(contractId: "${id}", first: 50) { nodes { productVariant { id } } } }`,
    `{ subscriptionIntervalInfo(contractId: "${id}") { sellingPlanGroups(first: 20) { nodes { ${PLANS} } } } }`,
  ];
  const table = createMemoryTable();
  const settings = createBillingSettings({ table, now: () => NOW_MS });
  await settings.write(store.shopId, DEFAULT_BILLING_SETTINGS, {
    ...DEFAULT_BILLING_SETTINGS,
    enabled: true,
  });
  for (const text of queries) {
    expect((await world.run({ as: 'store for a customer', query: text, table })).code).toBeUndefined();
  }
}

const ADDRESS =
  '{ address1: "1 Main Street", city: "Bangor", countryCode: US, provinceCode: "ME", zip: "04401" }';
const ATTEMPT = `subscriptionBillingAttemptInput: { idempotencyKey: "mine", billingCycleSelector: { index: 9 } }`;

async function change(): Promise<void> {
  for (const [mutation, selection = CHANGED] of [
    [`subscriptionContractPause(subscriptionContractId: "${id}")`],
    [
      `subscriptionContractActivate(subscriptionContractId: "${id}", nextBillingDate: "2026-12-20T08:00:00Z")`,
    ],
    [`subscriptionContractDeliveryUpdate(contractId: "${id}", deliveryMethod: { shipping: ${ADDRESS} })`],
    [
      `subscriptionBillingCycleReschedule(contractId: "${id}", billingCycleIndex: 9, billingDate: "2026-12-11T08:00:00Z")`,
      '{ userErrors { message } }',
    ],
    [
      `subscriptionBillingCycleCharge(subscriptionContractId: "${id}", billingCycleSelector: { index: 8 })`,
      '{ userErrors { message } }',
    ],
    [
      `subscriptionBillingAttemptCreate(subscriptionContractId: "${id}", ${ATTEMPT})`,
      '{ userErrors { message } }',
    ],
  ] as const) {
    const world = recordRequests(createOperationWorld());
    world.fail({ kind: 'lost after', at: mutation.split('(')[0] ?? '' });
    await world.run({
      as: 'store',
      table: createMemoryTable(),
      query: `mutation { change: ${mutation} ${selection} }`,
    });
  }
}

/** A customer updates a payment method whose instrument is unknown: the platform has no URL, and sends the e-mail. */
async function startUpdate(): Promise<void> {
  const world = recordRequests(createOperationWorld());
  const method = world.contract(WEEKLY).content.paymentMethodId ?? '';
  const found = world.platform.store().paymentMethods.get(method);
  if (found?.instrument.__typename !== 'CustomerCreditCard') throw new Error('no card');
  const { brand: _brand, firstDigits: _digits, ...card } = found.instrument;
  found.instrument = { ...card, __typename: 'CustomerShopPayAgreement', inactive: false };
  const at = 'customerPaymentMethodGetUpdateUrl';
  world.fail({ kind: 'refused', at, refusal: { code: 'INVALID_INSTRUMENT' } });
  const { payload } = await world.run({
    ...{ as: 'customer', table: createMemoryTable() },
    query: `mutation { customerPaymentMethodStartUpdate(customerPaymentMethodId: "${gid('CustomerPaymentMethod', method)}") { emailSent } }`,
  });
  expect(payload).toEqual({ emailSent: true });
}

/** A customer applies a code that many charges may have used. */
async function applyUsedCode(): Promise<void> {
  const world = recordRequests(createOperationWorld());
  const table = createMemoryTable();
  const chargeIds = Array.from({ length: 60 }, (_none, index) =>
    gid('SubscriptionBillingAttempt', index + 1),
  );
  const used = { discountId: 'removed', code: 'TWICE20', useCount: 60, chargeIds };
  await createUsedCodeRepository({ table, shopId: store.shopId }).record(id, used);
  const query = `mutation { subscriptionContractDiscountCodeApply(contractId: "${id}", redeemCode: "TWICE20") ${CHANGED} }`;
  const { refusals } = await world.run({ as: 'customer', table, query });
  expect(refusals).toMatchObject([{ details: { rejectionReason: 'ALREADY_USED' } }]);
}

/** The repeat of a change reads what its payload shows. */
async function changeAgain(): Promise<void> {
  const world = recordRequests(createStoreWorld(createMemoryTable()));
  world.contract(WEEKLY);
  const pause = `subscriptionContractPause(subscriptionContractId: "${id}") @idempotent(key: "once")`;
  const request = { as: 'store', query: `mutation { ${pause} ${CHANGED} }` } as const;
  for (const _time of ['first', 'again']) await world.run({ ...request, ...world.process().asFunction });
}

/** A charge whose answer is lost, many that have not ended, and many pauses that have. */
async function dueWork(): Promise<void> {
  const world = recordRequests(createStoreWorld(createMemoryTable()));
  const contract = world.contract(WEEKLY);
  const { index } = current(contract);
  const billingDate = formatIsoInstant(world.now() + HOUR_MS);
  contract.cycleEdits[index] = { skipped: false, billingDate, contract: null };
  const charge = (name: string) =>
    world.run({
      as: 'store',
      ...world.process().asFunction,
      query: `mutation { subscriptionBillingAttemptCreate(subscriptionContractId: "${id}", subscriptionBillingAttemptInput: {
        idempotencyKey: "${name}", billingCycleSelector: { index: ${index} } }) { userErrors { message } } }`,
    });
  world.platform.store().chargeDelaySeconds = 86_400;
  await charge('known');
  world.fail({ kind: 'lost after', at: 'subscriptionBillingAttemptCreate' });
  world.later(2 * HOUR_MS);
  await charge('lost');
  const { scheduledTasks } = world.process().deps;
  for await (const item of scheduledTasks.listDue('charge', world.now() + HOUR_MS)) {
    for (let more = 0; more < 60; more++) await scheduledTasks.put({ ...item, name: `${item.name}-${more}` });
  }
  const dueAtMs = world.now() + HOUR_MS;
  for (let more = 0; more < 60; more++) await world.paused(20_000_001 + more, dueAtMs);
  world.fail({ kind: 'lost after', at: 'subscriptionContractPause' });
  await world.ask('store', 'subscriptionContractPause(ID)');
  world.later(HOUR_MS);
  await world.work();
}

/** A payment that its customer has to confirm, and one that needs another method. */
async function payments(): Promise<void> {
  const table = createMemoryTable();
  const world = recordRequests(createStoreWorld(table));
  const { now } = world;
  const settings = createBillingSettings({ table, now });
  await settings.write(store.shopId, DEFAULT_BILLING_SETTINGS, {
    ...DEFAULT_BILLING_SETTINGS,
    enabled: true,
  });
  const charges = composeBillingCharges({ table, now });
  const order = { shopId: store.shopId, contractNumber: `${WEEKLY}` as ContractNumber, cycleIndex: 7 };
  const times = { runDate: '2026-11-21', expectedAtMs: now(), endsAtMs: now() + HOUR_MS };
  const attemptId = 'gid://shopify/SubscriptionBillingAttempt/1';
  const charge = await charges.create({
    ...{ ...order, ...times, attemptId, state: 'ACTION_REQUIRED', failedTryCount: 0 },
  });
  if (charge === 'refused') throw new Error('the order has a charge');
  await world.send('customer', `{ subscriptionContract(id: "${id}") { payment { confirmationUrl } } }`);
  await world.send('store', '{ billingSettings { obstacles } }');
  const deps = { ...world.process().deps, table, timeline: world.timelineOver(table), charges };
  await sendTenAttempts({ ...deps, applyOutcomeToCharge: async () => undefined }, charge);
  await askForMethod(deps, { store: store as StoreRecord, endAtMs: now() + HOUR_MS }, charge);
}

/** Ten attempts in one document. The platform refuses most of them: only the points count. */
async function sendTenAttempts(deps: object, charge: BillingCharge): Promise<void> {
  const cycle = { billingAttemptExpectedDate: '2026-11-18T08:00:00Z', cycleStartAt: '2026-11-11T08:00:00Z' };
  const order = {
    ...{ ...cycle, cycleEndAt: '2026-11-18T08:00:00Z', cycleIndex: charge.cycleIndex },
    billingAttempts: { nodes: [] },
    sourceContract: { id: `gid://shopify/SubscriptionContract/${WEEKLY}`, customerPaymentMethod: null },
  };
  const { charges, now } = deps as EvaluateDeps;
  const orders = await Array.fromAsync({ length: 10 }, async (_, index) => {
    const cycleIndex = 20 + index;
    const { version: _version, updatedAtMs: _at, remindAtMs: _remind, ...fields } = charge;
    const stored = await charges.create({ ...fields, cycleIndex, state: 'DUE' });
    if (stored === 'refused') throw new Error('the order has a charge');
    return { storedCharge: stored, charge: stored, order: { ...order, cycleIndex } as unknown as OrderState };
  });
  const turn = { store: store as StoreRecord, settings: DEFAULT_BILLING_SETTINGS, endAtMs: now() + HOUR_MS };
  const attemptDeps = { mayCharge: async () => true, batchLimits: createBatchLimits(now) };
  await sendAttempts({ ...(deps as EvaluateDeps), ...attemptDeps }, turn, orders);
}

/** A postponement that the scheduled work finishes. */
async function finishPostponement(): Promise<void> {
  const world = recordRequests(createPostponementWorld());
  failDocument(world, 2, { kind: 'lost before' });
  await world.send('customer', postpone(FIRST, '2026-12-16'));
  await world.runWork();
}

async function storeWork(): Promise<void> {
  const { platform, client } = recordRequests(createOperationWorld());
  const table = createMemoryTable();
  const now = () => platform.holder.nowMs;
  const deps = {
    table,
    now,
    sendAdmin: client,
    sendAdminOperation: client,
    stores: { find: async () => store },
  };
  const checkDeps = {
    ...deps,
    platformApiVersion: '2026-07',
    buildLargestQuery,
  } as unknown as CheckStoreDeps;
  await checkAdminApi(checkDeps, store, undefined);
  await checkStorefrontToken(checkDeps, { ...store, storefrontAccessToken: 'shpat_stored' });
  await scheduleTimeZoneRead(deps, store.shopId, 'now');
  const wait = async () => undefined;
  const sendWithinBudget = createSendWithinBudget({ send: client, now, wait });
  const zones = {
    ...deps,
    scheduledTasks: createScheduledTaskRepository(deps),
    sendWithinBudget,
    enqueueStore: async () => undefined,
    logger: { warn() {} },
  };
  await refreshTimeZones(zones, now() + HOUR_MS);
  const storefrontTokens = { lease: done, store: done, refuse: done } as unknown as StorefrontTokens;
  await ensureStorefrontToken({ ...zones, storefrontTokens }, store, now() + HOUR_MS);
  const { shopId } = store;
  expect(
    await readContractNumbersOfCustomer({ ...zones, platformGidNamespace: 'shopify' }, store, {
      shopId,
      customerId: ADA,
    }),
  ).toContain(String(WEEKLY));
  const place = { store, uri: 'https://service.example/platform/webhooks', endAtMs: now() + HOUR_MS };
  await registerWebhooks({ sendWithinBudget }, place);
  await unregisterWebhooks({ sendWithinBudget }, place);
}

/** Runs the worker's reads of a changed store, with as many objects as one document holds. */
async function storeEvents(): Promise<void> {
  const { client, platform } = recordRequests(createOperationWorld());
  const { now } = { now: () => platform.holder.nowMs };
  const table = createMemoryTable();
  const wait = async (ms: number) => {
    platform.holder.nowMs += ms;
  };
  const sendWithinBudget = createSendWithinBudget({ send: client, now, wait });
  const logger = { error() {}, info() {}, warn() {} };
  const deps = { table, now, sendWithinBudget, logger, platformGidNamespace: 'shopify' };
  const run = { store, endAtMs: now() + HOUR_MS };
  const contracts = (count: number) => Array<ContractNumber>(count).fill(String(WEEKLY) as ContractNumber);
  const [reading] = await readContractsWithBillingCycles(deps, run, contracts(CONTRACTS_PER_DOCUMENT));
  if (reading === undefined) throw new Error('no contract');
  await readContractPage(deps, run, null);
  await readContractPage(deps, { ...run, isBilled: true }, null);
  const other = { ...reading, facts: { ...reading.facts, nextBillingDate: null } };
  await setNextBillingDates(deps, run, Array<ContractReading>(10).fill(other));
  const readings = Array<ContractReading>(CONTRACTS_PER_CYCLES_DOCUMENT).fill(reading);
  await addBillingCyclesToContracts(deps, run, { readings, extent: 'all' });
  await readAttemptsByNumber(deps, run, Array(MAX_ATTEMPTS_PER_REQUEST).fill('1'));
  await readAttemptPage(deps, run, { sinceMs: now(), after: null });
  const attempt = { contract: reading.contract, createdAt: formatIsoInstant(now()), originTime: null };
  await readBillingCyclesOfAttempts(deps, run, Array(MAX_ATTEMPTS_PER_REQUEST).fill(attempt));
  await findContractsByPaymentMethod(deps, run, 'none');
  await verifyUninstall({ ...deps, scheduledTasks: { put: done as never } }, run);
  await refreshTimeZoneAndCheckScopes(deps, run);
}

/** Runs the requests of the operators' platform experiments. */
async function operatorsSteps(): Promise<void> {
  const { client, platform } = recordRequests(createOperationWorld());
  const operator = {
    target: { name: 'test', platformGidNamespace: 'shopify' },
    stores: { find: async () => store },
    ...{ trace: { setStore() {} }, progress() {}, now: () => platform.holder.nowMs },
    ...{ platformApiVersion: '2026-07', sendAdmin: client },
  };
  const options = { contract: String(WEEKLY), only: 'nodes-cost,old-orders,cycle-range,prepaid-price' };
  await firstContactCommand.run({
    operator,
    options,
    args: [String(store.shopId)],
  } as unknown as OperatorRun);
}

const done = async () => ({ outcome: 'done', item: {} }) as const;

beforeAll(async () => {
  // The frames of everything that was awaited.
  Error.stackTraceLimit = 100;
  for (const each of [
    changeLines,
    previewCodes,
    changeInterval,
    query,
    change,
    startUpdate,
    applyUsedCode,
    changeAgain,
    dueWork,
    payments,
    finishPostponement,
    storeWork,
    storeEvents,
    operatorsSteps,
  ])
    await each();
});

test('each file that sends a document is seen', () => {
  expect(sendingFiles().filter((name) => !seen.has(name))).toEqual([]);
});

test.each(['each', 'once'] as const)('none reaches 800 points, ids counted %s', (reading) => {
  const all = [...seen.values()].flat();
  const expensive = all.filter(({ points }) => points[reading] >= MAX_POINTS_PER_QUERY);
  expect(expensive.map(({ points, query }) => [points[reading], query])).toEqual([]);
  const largest = Math.max(...all.map(({ points }) => points.each));
  expect(largest).toBeGreaterThan(MAX_POINTS_PER_QUERY * 0.9);
});
