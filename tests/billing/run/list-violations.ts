/** What must hold whatever breaks: no order is paid twice or forgotten, and no charge is made while billing is stopped. */
import type { BillingCharge } from '../../../lib/billing/records/charge-record.ts';
import { createBillingCharges } from '../../../lib/billing/records/charges.ts';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { toMoneyV2 } from '../../../sandbox/platform/admin/money.ts';
import { sumOrderTotal } from '../../../sandbox/platform/admin/resolvers/billing/order-totals.ts';
import type { AttemptRecord, OrderRecord } from '../../../sandbox/platform/state/contract-records.ts';
import type { Description } from '../oracle/description.ts';
import { EXTERNAL_KEY } from './emulated-store.ts';
import type { Simulation } from './simulate.ts';

const STOP_MS = 10_000;
const MAX_TRIES = 10;
/** The service reads an order at most so long before its attempt: a claim of 22 seconds, and a slow request. */
const READ_BEFORE_MS = 25_000;
const TRIES_MS = 30 * 86_400_000;

/** Returns a text for each violation. */
export async function listViolations(
  { store: { changes } }: Description,
  { emulated, base, store }: Simulation,
): Promise<string[]> {
  const violations = listDoubleCharges(emulated);
  const charges = createBillingCharges({ table: base, now: () => 0, enqueueStore: async () => undefined });
  const stops = listStops(changes);
  const all: BillingCharge[] = [];
  for (const { record } of emulated.contracts) {
    const add = (index: number, text: string) =>
      violations.push(`contract ${record.id}, order ${index}: ${text}`);
    for (const { cycleIndex, createdAt } of emulated.attemptsOfService(record)) {
      const atMs = Date.parse(createdAt);
      const isStopped = stops.some(({ fromMs, untilMs }) => fromMs + STOP_MS < atMs && atMs < untilMs);
      if (isStopped) add(cycleIndex, `charged at ${createdAt} while billing is stopped`);
    }
    const ref = { shopId: store().shopId, contractNumber: String(record.id) as ContractNumber };
    const own = await charges.listOfContract(ref);
    for (const charge of own) {
      const { cycleIndex, state, amount } = charge;
      const isBilled = record.billedCycles.includes(cycleIndex);
      if (state === 'CHARGED' && !isBilled) add(cycleIndex, 'CHARGED, and not billed');
      const order = findOrder(emulated, charge);
      const total = order === undefined ? '' : sumByCurrency([order]).join();
      if (amount !== undefined && total !== '' && showMoney(amount) !== total)
        add(cycleIndex, `amount ${showMoney(amount)} of an order of ${total}`);
    }
    all.push(...own);
    for (const { cycleIndex } of emulated.attemptsOfService(record))
      if (!own.some((charge) => charge.cycleIndex === cycleIndex))
        add(cycleIndex, 'charged without a record');
  }
  return [...violations, ...(await listWrongTotals({ emulated, base, store }, all))];
}

/** Compares the totals of each run with the platform's orders, unless a charge has changed since they were counted. */
async function listWrongTotals(
  { emulated, base, store }: Pick<Simulation, 'base' | 'emulated' | 'store'>,
  charges: readonly BillingCharge[],
): Promise<string[]> {
  const violations: string[] = [];
  for await (const run of createBillingRuns({ table: base, now: () => 0 }).list(store().shopId)) {
    const { date, countedAtMs = 0, totals = [] } = run;
    const own = charges.filter(({ runDate }) => runDate === date);
    if (own.some(({ updatedAtMs }) => updatedAtMs >= countedAtMs)) continue;
    const paid = own.filter(({ state, amount }) => state === 'CHARGED' && amount !== undefined);
    const expected = sumByCurrency(paid.flatMap((charge) => findOrder(emulated, charge) ?? [])).join();
    const observed = totals.map(showMoney).toSorted().join();
    if (observed !== expected) violations.push(`run of ${date}: totals ${observed} of orders of ${expected}`);
  }
  return violations;
}

function findOrder({ state }: Simulation['emulated'], { orderId }: BillingCharge): OrderRecord | undefined {
  return state.orders.get(Number(orderId?.split('/').at(-1)));
}

/** Returns the total in each currency, as the platform writes it. */
function sumByCurrency(orders: readonly OrderRecord[]): string[] {
  const totals = new Map<string, number>();
  for (const order of orders)
    totals.set(order.currencyCode, (totals.get(order.currencyCode) ?? 0) + sumOrderTotal(order));
  return [...totals].map(([currencyCode, minor]) => showMoney(toMoneyV2(minor, currencyCode))).toSorted();
}

const showMoney = ({ amount, currencyCode }: NonNullable<BillingCharge['amount']>) =>
  `${amount} ${currencyCode}`;

/**
 * Returns a text for each attempt of the service that may charge an order twice, or that is one too many. Another server of
 * the app that sends an attempt after the service has read the order is not seen, and a platform that accepts both pays both.
 */
export function listDoubleCharges(emulated: Simulation['emulated']): string[] {
  const violations: string[] = [];
  const keys = new Set<string>();
  for (const { record } of emulated.contracts) {
    const attempts = emulated.state.attempts.ofContract(record.id);
    for (const attempt of emulated.attemptsOfService(record)) {
      const { cycleIndex, idempotencyKey, createdAt } = attempt;
      const add = (text: string) => violations.push(`contract ${record.id}, order ${cycleIndex}: ${text}`);
      const before = attempts.filter((one) => one.cycleIndex === cycleIndex && one.id < attempt.id);
      const others = before.filter((one) => !isUnseen(one, attempt));
      for (const one of others) {
        const payment = `${one.idempotencyKey} of ${one.createdAt}`;
        if (isOpenAt(one, createdAt)) add(`charged at ${createdAt} while ${payment} is open`);
        else if (one.orderId !== null) add(`charged at ${createdAt} after ${payment} has paid`);
      }
      if (keys.has(idempotencyKey)) add(`the key ${idempotencyKey} is used twice`);
      keys.add(idempotencyKey);
      const atMs = Date.parse(createdAt);
      const month = before.filter((one) => Date.parse(one.createdAt) > atMs - TRIES_MS);
      if (month.length >= MAX_TRIES) add(`${month.length + 1} tries in a month`);
    }
  }
  return violations;
}

/** Counts the attempts of other servers that came between the reading of an order and the service's attempt. */
export function countUnseenAttempts({ state, contracts, attemptsOfService }: Simulation['emulated']): number {
  return contracts
    .flatMap(({ record }) => attemptsOfService(record))
    .filter((attempt) =>
      state.attempts
        .ofContract(attempt.contractId)
        .some(
          (one) => one.cycleIndex === attempt.cycleIndex && one.id < attempt.id && isUnseen(one, attempt),
        ),
    ).length;
}

function isUnseen(one: AttemptRecord, attempt: AttemptRecord): boolean {
  const agoMs = Date.parse(attempt.createdAt) - Date.parse(one.createdAt);
  return EXTERNAL_KEY.test(one.idempotencyKey) && agoMs <= READ_BEFORE_MS;
}

function isOpenAt({ completedAt }: AttemptRecord, atTime: string): boolean {
  return completedAt === null || completedAt > atTime;
}

function listStops(changes: Description['store']['changes']) {
  return changes.flatMap(({ kind, atMs }, at) => {
    if (kind !== 'stop') return [];
    const end = changes.slice(at + 1).find((later) => later.kind === 'resume');
    return [{ fromMs: atMs, untilMs: end?.atMs ?? Number.POSITIVE_INFINITY }];
  });
}
