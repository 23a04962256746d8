/** What must hold whatever breaks: no order is paid twice or forgotten, and no charge is made while billing is stopped. */
import { createBillingCharges } from '../../../lib/billing/records/charges.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { sumOrderTotal } from '../../../sandbox/platform/admin/resolvers/billing/order-totals.ts';
import type { AttemptRecord } from '../../../sandbox/platform/state/contract-records.ts';
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
      const { cycleIndex, state, amount, orderId } = charge;
      const isBilled = record.billedCycles.includes(cycleIndex);
      if (state === 'CHARGED' && !isBilled) add(cycleIndex, 'CHARGED, and not billed');
      const order = emulated.state.orders.get(Number(orderId?.split('/').at(-1)));
      if (amount !== undefined && order !== undefined) {
        const minor = Math.round(Number(amount.amount) * 100);
        if (minor !== sumOrderTotal(order))
          add(cycleIndex, `amount ${minor} of an order of ${sumOrderTotal(order)}`);
      }
    }
    for (const { cycleIndex } of emulated.attemptsOfService(record))
      if (!own.some((charge) => charge.cycleIndex === cycleIndex))
        add(cycleIndex, 'charged without a record');
  }
  return violations;
}

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
