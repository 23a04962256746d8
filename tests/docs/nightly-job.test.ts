/** The nightly job of docs/merchant-servers.md over three weeks of a store, with every kind of outcome. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { packageClient } from '../../tools/package/package-client.ts';
import { startTestStack, type TestStack } from '../stack.ts';
import { MANY_POINTS } from '../stack-control.ts';

const DAY_SECONDS = 86_400;
/** The second store has few orders of its own. */
const MONTHLY = 830_200_103;
const BLACK_TEA = 820_200_101;

/** A project of a merchant, with the client. */
const project = mkdtempSync(join(tmpdir(), 'merchant-'));
let stack: TestStack;
let shop: string;
let adminKey: string;
beforeAll(async () => {
  stack = await startTestStack({ webhooks: true });
  ({ shop, adminKey } = stack.stores[1] as TestStack['stores'][number]);
  // The worker compares all contracts of an installed store each night, as fast as the store's points allow.
  await control('app', { shop: stack.shop, isInstalled: false });
  await stack.control.throttle(shop, MANY_POINTS);
  // Every month has the days that the test sees.
  const start = new Date(await stack.control.now());
  await stack.control.clock({
    now: new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 2, 9)).toISOString(),
  });
  await packageClient(join(project, 'node_modules/subscription-management-client'));
  cpSync('examples/merchant/nightly-job.mjs', join(project, 'nightly-job.mjs'));
});
afterAll(async () => {
  await stack?.stop();
  rmSync(project, { recursive: true, force: true });
});

type Order = { readonly contractId: number; readonly customerId: number };

let nextContract = 9_900_001;
/** Adds customers, each with a card and a monthly subscription whose first order was due half an hour ago, or is due in so many days. */
async function seedOrders(count: number, days = -1 / 48): Promise<Order[]> {
  const { customers } = await control('seed', { shop, customers: count });
  return seedSubscriptions(
    customers.map(({ id }: { id: number }) => id),
    days,
  );
}

async function seedSubscriptions(customerIds: readonly number[], days = -1 / 48): Promise<Order[]> {
  const created = new Date(Date.parse(await stack.control.now()) + days * DAY_SECONDS * 1000);
  created.setUTCMonth(created.getUTCMonth() - 1);
  const subscriptions = customerIds.map((customerId) => ({
    ...{ id: nextContract++, customerId, createdMs: created.getTime(), planId: MONTHLY },
    lines: [[BLACK_TEA, 1]],
  }));
  await control('seed', { shop, subscriptions });
  return subscriptions.map(({ id, customerId }) => ({ contractId: id, customerId }));
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
async function control(name: string, body: object): Promise<any> {
  const response = await fetch(`${stack.platformUrl}/_control/${name}`, {
    ...{ method: 'POST', body: JSON.stringify(body) },
  });
  if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
  return response.json();
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as the JSON they are.
async function ask(query: string, headers: Readonly<Record<string, string>> = {}): Promise<any> {
  const response = await fetch(`${stack.baseUrl}/api/admin/unstable/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminKey}`, ...headers },
    body: JSON.stringify({ query }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  const { data, errors } = (await response.json()) as any;
  if (errors) throw new Error(JSON.stringify(errors));
  return Object.values(data)[0];
}

const ATTEMPTS = `billingAttempts(last: 20) { nodes { createdAt state { __typename
  ... on SubscriptionBillingAttemptActionRequiredState { action { ... on SubscriptionBillingAttemptPaymentChallenge { nextActionUrl } } }
  ... on SubscriptionBillingAttemptFailedState { error { __typename } } } } }`;

/** The attempts to charge the first order of a subscription. */
async function attemptsOf({ contractId }: Order) {
  const input = `{ contractId: "gid://platform/SubscriptionContract/${contractId}", selector: { index: 1 } }`;
  const cycle = await ask(`{ subscriptionBillingCycle(billingCycleInput: ${input}) { status ${ATTEMPTS} } }`);
  return { status: cycle.status, attempts: cycle.billingAttempts.nodes };
}

/** Longer than a request takes on a busy machine, and shorter than the service waits for a charge whose response was lost. */
const SHORT_DEADLINE_MS = 2000;
/** A charge whose response was lost blocks the subscription for half a minute. */
const CLAIM_SECONDS = 60;

/** A poll without a pause takes the processor from the stack. */
const POLL_INTERVAL_MS = 20;

async function untilFaultsOccurred(): Promise<void> {
  while ((await stack.control.waitingFaults()).length > 0) await wait(POLL_INTERVAL_MS);
}

const jobs: ChildProcess[] = [];
// A stopped job that a failed test leaves behind would keep the run from ending.
afterEach(() => {
  for (const job of jobs.splice(0)) if (job.exitCode === null) job.kill('SIGKILL');
});

/** Runs the job as its reader would. */
function startJob(more: Readonly<Record<string, string>> = {}): ChildProcess {
  const { NODE_OPTIONS: _jestOnly, ...env } = process.env;
  const own = {
    ...{ SERVICE_URL: stack.baseUrl, ADMIN_KEY: adminKey },
    STACK_CLOCK: `${stack.platformUrl}/_control/clock`,
  };
  const job = spawn(process.execPath, ['nightly-job.mjs'], {
    ...{ cwd: project, env: { ...env, ...own, ...more } },
  });
  jobs.push(job);
  return job;
}

/** Runs a job whose charges are lost, with little time for each. */
async function runFailingJob(): Promise<{ readonly errors: string; readonly exitCode: number }> {
  const job = startJob({ DEADLINE_MS: `${SHORT_DEADLINE_MS}` });
  const [errors, [exitCode]] = await Promise.all([text(job.stderr as never), once(job, 'close')]);
  return { errors, exitCode };
}

type Line = {
  readonly why?: string;
  readonly contractId?: string;
  readonly notMailed?: string;
  readonly failed?: number;
};

/** Returns the lines of a job that ended without a failure. */
async function linesOf(job: ChildProcess): Promise<Line[]> {
  const [out, errors] = await Promise.all([text(job.stdout as never), text(job.stderr as never)]);
  expect(errors).toBe('');
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const runJob = () => linesOf(startJob());

const gidOf = ({ contractId }: Order) => `gid://platform/SubscriptionContract/${contractId}`;

async function setActive(order: Order, isActive: boolean): Promise<void> {
  const mutation = isActive ? 'subscriptionContractActivate' : 'subscriptionContractPause';
  const { userErrors } = await ask(`mutation {
    ${mutation}(subscriptionContractId: "${gidOf(order)}") { userErrors { message } } }`);
  expect(userErrors).toEqual([]);
}

/** Presses a button on the page of the order's bank. */
async function press(order: Order, answer: string): Promise<void> {
  const { attempts } = await attemptsOf(order);
  const url = attempts.at(-1).state.action.nextActionUrl;
  expect((await fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) })).status).toBe(200);
}

async function enterNewCard({ contractId, customerId }: Order): Promise<void> {
  const { customerPaymentMethod } = await ask(`mutation { customerPaymentMethodCreditCardCreate(
    customerId: "gid://platform/Customer/${customerId}", sessionId: "card-visa-1881-09-2031",
    billingAddress: { address1: "12 Harbor Road", city: "Bath", zip: "BA1 5BG", countryCode: GB, firstName: "A", lastName: "B" }
  ) { customerPaymentMethod { id } userErrors { field message } } }`);
  const { userErrors } = await ask(`mutation { subscriptionContractPaymentMethodUpdate(
    contractId: "gid://platform/SubscriptionContract/${contractId}",
    paymentMethodId: "${customerPaymentMethod.id}") { userErrors { field message } } }`);
  expect(userErrors).toEqual([]);
}

/** Replaces the card of the same payment method, whose id stays. */
async function replaceCard({ contractId }: Order): Promise<void> {
  const { customerPaymentMethod } = await ask(
    `{ subscriptionContract(id: "gid://platform/SubscriptionContract/${contractId}") { customerPaymentMethod { id } } }`,
  );
  const { userErrors } = await ask(`mutation { customerPaymentMethodCreditCardUpdate(
    id: "${customerPaymentMethod.id}", sessionId: "card-visa-1881-09-2031",
    billingAddress: { address1: "12 Harbor Road", city: "Bath", zip: "BA1 5BG", countryCode: GB, firstName: "A", lastName: "B" }
  ) { userErrors { field message } } }`);
  expect(userErrors).toEqual([]);
}

type Case = {
  readonly name: string;
  readonly answers: readonly string[];
  /** An action of the customer after the job of that day. */
  readonly acts?: { readonly afterDay: number; readonly act: (order: Order) => Promise<void> };
  /** The days on which the job charges the card. */
  readonly days: readonly number[];
  readonly isPaid: boolean;
  /** The reasons of the notices to people, in order. */
  readonly notices: readonly string[];
};

const READING_SECONDS = 180;
const DAYS = [0, 1, 3, 7, 14, 22];
const CASES: readonly Case[] = [
  { name: 'pays', answers: ['PAYS'], days: [0], isPaid: true, notices: [] },
  {
    name: 'declines twice, then pays',
    ...{
      answers: ['INSUFFICIENT_FUNDS', 'DO_NOT_HONOR', 'PAYS'],
      days: [0, 3, 7],
      isPaid: true,
      notices: [],
    },
  },
  {
    name: 'never has enough funds',
    ...{ answers: ['INSUFFICIENT_FUNDS'], days: [0, 3, 7, 14], isPaid: false, notices: ['GIVEN_UP'] },
  },
  {
    name: 'has expired',
    ...{ answers: ['EXPIRED_CARD'], days: [0], isPaid: false, notices: ['NEW_CARD', 'GIVEN_UP'] },
  },
  {
    name: 'has expired, and the customer enters a new one',
    ...{ answers: ['EXPIRED_CARD'], days: [0, 3], isPaid: true, notices: ['NEW_CARD'] },
    acts: { afterDay: 1, act: enterNewCard },
  },
  {
    name: 'has expired, and the customer replaces it in the same payment method',
    ...{ answers: ['EXPIRED_CARD'], days: [0, 3], isPaid: true, notices: ['NEW_CARD'] },
    acts: { afterDay: 1, act: replaceCard },
  },
  {
    name: 'asks for 3-D Secure, which the customer confirms',
    ...{ answers: ['ACTION_REQUIRED'], days: [0], isPaid: true, notices: ['CONFIRM'] },
    acts: { afterDay: 1, act: (order) => press(order, 'confirm') },
  },
  {
    name: 'asks for 3-D Secure, which the customer refuses at first',
    ...{ answers: ['ACTION_REQUIRED', 'PAYS'], days: [0, 7], isPaid: true, notices: ['CONFIRM'] },
    acts: { afterDay: 1, act: (order) => press(order, 'refuse') },
  },
  {
    name: 'asks for 3-D Secure, which the customer never answers',
    ...{ answers: ['ACTION_REQUIRED'], days: [0], isPaid: false, notices: ['CONFIRM', 'STILL_OPEN'] },
  },
  {
    name: 'gives no answer',
    ...{ answers: ['PENDING'], days: [0], isPaid: false, notices: ['STILL_OPEN'] },
  },
  {
    name: 'pays when the goods are back',
    ...{ answers: ['INSUFFICIENT_INVENTORY', 'INSUFFICIENT_INVENTORY', 'PAYS'], days: [0, 1, 3] },
    ...{ isPaid: true, notices: ['STORE'] },
  },
  {
    name: 'pays when the store has mended its account',
    ...{ answers: ['MERCHANT_ACCOUNT_ERROR', 'PAYS'], days: [0, 1], isPaid: true, notices: ['STORE'] },
  },
  {
    name: 'is suspected of fraud',
    ...{ answers: ['FRAUD_SUSPECTED'], days: [0], isPaid: false, notices: ['NEVER', 'GIVEN_UP'] },
  },
  {
    name: 'is suspected of fraud, and the customer replaces it in the same payment method',
    ...{ answers: ['FRAUD_SUSPECTED'], days: [0, 3], isPaid: true, notices: ['NEVER'] },
    acts: { afterDay: 1, act: replaceCard },
  },
  {
    name: 'has been charged already',
    ...{ answers: ['INVOICE_ALREADY_PAID'], days: [0], isPaid: false, notices: ['PAID', 'GIVEN_UP'] },
  },
  {
    name: 'fails unexpectedly, then pays',
    ...{ answers: ['UNEXPECTED_ERROR', 'PAYS'], days: [0, 3], isPaid: true, notices: [] },
  },
];

test('keeps the notices of a job that ran at the same time', async () => {
  const [one, other] = (await seedOrders(2)) as [Order, Order];
  for (const { contractId, customerId } of [one, other]) {
    await control('card', { shop, customerId, answers: ['FRAUD_SUSPECTED'] });
    await ask(`mutation { subscriptionBillingCycleCharge(
      subscriptionContractId: "gid://platform/SubscriptionContract/${contractId}", billingCycleSelector: { index: 1 },
      idempotencyKey: "by-hand-${contractId}") { userErrors { message } } }`);
  }
  // A charge can take a while: both have ended then.
  await stack.control.clock({ advance: 3600 });
  const noticesOf = (lines: readonly Line[]) => lines.filter(({ why }) => why === 'NEVER');
  // Each job sees one of the orders: the other subscription is paused.
  await setActive(other, false);
  const operation = 'subscriptionBillingCycleBulkSearch';
  await stack.control.faults({ target: 'admin', operation, count: 1, consume: true, delayMs: 3000 });
  const first = startJob();
  await untilFaultsOccurred();
  // It has read the notices, and waits for the search.
  first.kill('SIGSTOP');
  expect(noticesOf(await runJob())).toMatchObject([{ contractId: gidOf(one) }]);
  await setActive(one, false);
  await setActive(other, true);
  const rest = linesOf(first);
  first.kill('SIGCONT');
  expect(noticesOf(await rest)).toMatchObject([{ contractId: gidOf(other) }]);
  await setActive(one, true);
  expect(noticesOf(await runJob())).toEqual([]);
  // The jobs of the other tests do not find them.
  for (const order of [one, other]) await setActive(order, false);
});

// Before the clock reaches the end of the month: a month before the 31st is another day.
test('moves the note of the next order’s date with each charge', async () => {
  const [order] = await seedOrders(1);
  await runJob();
  const id = `gid://platform/SubscriptionContract/${order?.contractId}`;
  const contract = await ask(
    `{ subscriptionContract(id: "${id}") { nextBillingDate nextOrder { date cycleIndex } } }`,
  );
  expect(contract.nextOrder.cycleIndex).toBe(2);
  expect(Date.parse(contract.nextBillingDate)).toBe(Date.parse(contract.nextOrder.date));
});

describe('over three weeks', () => {
  const noticed = new Map<string, string[]>();
  const written: string[] = [];
  let orders: Order[] = [];
  let startMs = 0;

  beforeAll(async () => {
    orders = await seedOrders(CASES.length);
    for (const [index, { answers }] of CASES.entries())
      await control('card', { shop, customerId: orders[index]?.customerId, answers });
    startMs = Date.parse(await stack.control.now());
    for (const [index, day] of DAYS.entries()) {
      if (day > 0) await stack.control.clock({ advance: (day - (DAYS[index - 1] ?? 0)) * DAY_SECONDS });
      for (const line of await runJob()) {
        const { why, contractId = '' } = line;
        written.push(JSON.stringify(line));
        if (why !== undefined) noticed.set(contractId, [...(noticed.get(contractId) ?? []), why]);
      }
      if (CASES.some(({ acts }) => acts?.afterDay === day)) {
        // The service compares a subscription with its last reading: one before the change, and one after it.
        await stack.control.clock({ advance: READING_SECONDS });
        for (const [number, { acts }] of CASES.entries())
          if (acts?.afterDay === day) await acts.act(orders[number] as Order);
        await stack.control.clock({ advance: READING_SECONDS });
      }
      // Another run on the same day changes nothing.
      if (day === 0) expect((await runJob()).at(-1)).toMatchObject({ charged: 0 });
    }
  }, 120_000);

  test.each(CASES)('charges a card that $name', async ({ name, days, isPaid, notices: expected }) => {
    const order = orders[CASES.findIndex((each) => each.name === name)] as Order;
    const { status, attempts } = await attemptsOf(order);
    const chargedOn = attempts.map(({ createdAt }: { createdAt: string }) =>
      Math.round(Math.abs(Date.parse(createdAt) - startMs) / 86_400_000),
    );
    expect(chargedOn).toEqual(days);
    expect(status).toBe(isPaid ? 'BILLED' : 'UNBILLED');
    expect(noticed.get(`gid://platform/SubscriptionContract/${order.contractId}`) ?? []).toEqual(expected);
  });

  test('writes no link of a bank into its log', () => {
    expect(written.length).toBeGreaterThan(CASES.length);
    expect(written.filter((line) => line.includes('http'))).toEqual([]);
  });
});

describe('charges each order once', () => {
  const DUE = 4;
  let due: Order[] = [];
  beforeEach(async () => {
    rmSync(join(project, 'notified.txt'), { force: true });
    await stack.control.clearRequests();
    due = await seedOrders(DUE);
  });
  afterEach(() => stack.control.clearFaults());

  const expectPaidOnce = async () => {
    const states = await Promise.all(due.map(attemptsOf));
    expect(states.map(({ status, attempts }) => [status, attempts.length])).toEqual(
      due.map(() => ['BILLED', 1]),
    );
  };
  test('when two jobs run at the same time', async () => {
    const [one, other] = await Promise.all([runJob(), runJob()]);
    expect([one.at(-1), other.at(-1)]).toMatchObject([{ failed: 0 }, { failed: 0 }]);
    await expectPaidOnce();
  });

  test('when it is killed while the platform charges, and runs again', async () => {
    const operation = 'subscriptionBillingAttemptCreate';
    const fault = { target: 'admin', operation } as const;
    await stack.control.faults({ ...fault, count: 2, delayMs: 1 }, { ...fault, count: 1, delayMs: 3000 });
    const job = startJob();
    await untilFaultsOccurred();
    job.kill('SIGKILL');
    await once(job, 'close');
    await runJob();
    while ((await stack.control.requests()).some(({ status }) => status === 0)) await wait(POLL_INTERVAL_MS);
    await expectPaidOnce();
  });

  test.each([
    ['is lost after the platform has charged', { cut: 'after' }],
    ['says that the bucket is empty', { throttle: true }],
  ] as const)('when the answer %s: the order is charged', async (_name, effect) => {
    const operation = 'subscriptionBillingAttemptCreate';
    await stack.control.faults({ target: 'admin', operation, count: 2, ...effect });
    await runJob();
    expect(await stack.control.waitingFaults()).toEqual([]);
    await expectPaidOnce();
  });

  test('when two jobs try a declined order again at the same time', async () => {
    for (const { customerId } of due)
      await control('card', { shop, customerId, answers: ['INSUFFICIENT_FUNDS', 'DO_NOT_HONOR', 'PAYS'] });
    await runJob();
    await stack.control.clock({ advance: 3 * DAY_SECONDS });
    await Promise.all([runJob(), runJob()]);
    const states = await Promise.all(due.map(attemptsOf));
    expect(states.map(({ attempts }) => attempts.length)).toEqual(due.map(() => 2));
  });
});

test('sends one e-mail about a card that has expired, for all orders on it', async () => {
  const { customers } = await control('seed', { shop, customers: 1 });
  const { id } = customers[0];
  const orders = await seedSubscriptions([id, id, id]);
  const contractIds = orders.map(({ contractId }) => `gid://platform/SubscriptionContract/${contractId}`);
  await control('card', { shop, customerId: id, answers: ['EXPIRED_CARD'] });
  await stack.control.clearRequests();
  const { customerPaymentMethod: card } = await ask(
    `{ subscriptionContract(id: "${contractIds[0]}") { customerPaymentMethod { id } } }`,
  );
  // A charge is declined during the first run or after it.
  const lines = [...(await runJob()), ...(await runJob())];
  const own = lines.filter(({ contractId = '' }) => contractIds.includes(contractId));
  expect(own.map(({ why, contractId, notMailed }) => [contractId, why, notMailed]).sort()).toEqual(
    contractIds.map((contractId) => [contractId, 'NEW_CARD', undefined]),
  );
  // A job that was killed before it wrote down the notices repeats them, and not the e-mail.
  rmSync(join(project, 'notified.txt'));
  expect((await runJob()).at(-1)).toEqual({ charged: 0, refused: 0, failed: 0 });
  const requests = (await stack.control.requests()).map((request) => JSON.stringify(request));
  const mails = requests.filter(
    (request) => request.includes('SendUpdateEmail(') && request.includes(card.id.split('/').at(-1)),
  );
  expect(mails).toHaveLength(1);
});

test('notifies people of an expired card also when the e-mail is refused, and says why', async () => {
  const [order] = (await seedOrders(1)) as [Order];
  await control('card', { shop, customerId: order.customerId, answers: ['EXPIRED_CARD'] });
  const id = `gid://platform/SubscriptionContract/${order.contractId}`;
  const { customerPaymentMethod } = await ask(
    `{ subscriptionContract(id: "${id}") { customerPaymentMethod { id } } }`,
  );
  // The customer has just requested the same e-mail.
  const { userErrors } = await ask(
    `mutation { customerPaymentMethodSendUpdateEmail(customerPaymentMethodId: "${customerPaymentMethod.id}") {
      userErrors { message } } }`,
    { 'x-platform-customer-gid': `gid://platform/Customer/${order.customerId}` },
  );
  expect(userErrors).toEqual([]);
  const lines = [...(await runJob()), ...(await runJob())];
  expect(lines.filter(({ contractId }) => contractId === id)).toEqual([
    expect.objectContaining({ why: 'NEW_CARD', notMailed: expect.stringContaining('in 5 minutes') }),
  ]);
});

test('leaves an order that is moved after the job has listed it until its new date', async () => {
  const [order] = (await seedOrders(1, 2)) as [Order];
  const input = `contractId: "gid://platform/SubscriptionContract/${order.contractId}", billingCycleIndex: 1`;
  const move = async (hours: number) => {
    const date = new Date(Date.parse(await stack.control.now()) + hours * 3_600_000).toISOString();
    const moved = await ask(`mutation { subscriptionBillingCycleReschedule(${input}, billingDate: "${date}") {
      userErrors { code } } }`);
    expect(moved.userErrors).toEqual([]);
  };
  await move(1);
  await stack.control.clock({ advance: 2 * 3600 });
  const operation = 'subscriptionBillingCycleBulkResults';
  await stack.control.faults({ target: 'admin', operation, count: 1, consume: true, delayMs: 3000 });
  const job = startJob();
  await untilFaultsOccurred();
  await move(20);
  const errors = await text(job.stderr as never);
  expect(errors).toContain(`${order.contractId}, `);
  expect(errors).toContain('CYCLE_DATE_MISMATCH');
  expect((await attemptsOf(order)).attempts).toEqual([]);
  await stack.control.clock({ advance: DAY_SECONDS });
  await runJob();
  expect((await attemptsOf(order)).status).toBe('BILLED');
});

describe('when every charge is lost before the platform makes it', () => {
  afterEach(() => stack.control.clearFaults());

  test('ends after five orders, and charges each order once when it runs again', async () => {
    const due = await seedOrders(6);
    const operation = 'subscriptionBillingAttemptCreate';
    await stack.control.faults({ target: 'admin', operation, count: 100, cut: 'before' });
    const { errors, exitCode } = await runFailingJob();
    expect(exitCode).toBe(1);
    expect(errors.match(/^gid:.*OUTCOME_UNKNOWN/gm)).toHaveLength(5);
    await stack.control.clearFaults();
    await stack.control.clock({ advance: CLAIM_SECONDS });
    await runJob();
    const states = await Promise.all(due.map(attemptsOf));
    expect(states.map(({ status, attempts }) => [status, attempts.length])).toEqual(
      due.map(() => ['BILLED', 1]),
    );
  });
});

test('charges orders also when the answer to the search for them is lost once', async () => {
  const [order] = (await seedOrders(1)) as [Order];
  const operation = 'subscriptionBillingCycleBulkSearch';
  await stack.control.faults({ target: 'admin', operation, count: 1, cut: 'after' });
  await runJob();
  expect(await stack.control.waitingFaults()).toEqual([]);
  expect((await attemptsOf(order)).status).toBe('BILLED');
});

describe('when a charge is answered after the job has ended', () => {
  beforeEach(() => control('settings', { shop, chargeDelaySeconds: 120 }));
  afterEach(() => control('settings', { shop, chargeDelaySeconds: 0 }));

  test('notifies the merchant of a missing stock on the next night, and once for the order', async () => {
    const [order] = (await seedOrders(1)) as [Order];
    await control('card', { shop, customerId: order.customerId, answers: ['INSUFFICIENT_INVENTORY'] });
    const notices: number[] = [];
    for (const day of [0, 1, 2]) {
      if (day > 0) await stack.control.clock({ advance: DAY_SECONDS });
      for (const line of await runJob())
        if (line.why === 'STORE' && line.contractId === gidOf(order)) notices.push(day);
    }
    expect(notices).toEqual([1]);
    expect((await attemptsOf(order)).attempts).toHaveLength(3);
  });
});
