/**
 * Checks what became of the orders of a store whose switches were used: no order is paid twice, no attempt is made while
 * billing is off or stopped, and no order is forgotten that the service had the time to deal with.
 */
import { type BillingCharge, isOpenCharge } from '../../../lib/billing/records/charge-record.ts';
import type { ContractNumber } from '../../../lib/timeline/event-record.ts';
import { listCyclesBetween } from '../../../sandbox/platform/state/billing-cycles.ts';
import type { ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';
import type { ContractDescription } from '../oracle/description.ts';
import { DAY_MS, HOUR_MS } from '../oracle/zone-time.ts';
import { listDoubleCharges } from '../run/list-violations.ts';
import type { Simulation } from '../run/simulate.ts';
import type { ExpectedSwitches } from './expected-switches.ts';

/** A store has a run in each of its days, at an hour that may change, and faults may delay it. */
const TIME_TO_DEAL_MS = 50 * HOUR_MS;
/** A run finds orders of two weeks. */
const REACH_MS = 12 * DAY_MS;
/** An order that waits for another one, or for the platform, is read again after 15 minutes. */
const WAITS_MS = HOUR_MS;

type Findings = { readonly violations: string[]; readonly counts: Record<string, number> };

export async function checkSwitches(
  { emulated, service, store }: Simulation,
  expected: ExpectedSwitches,
  untilMs: number,
): Promise<Findings> {
  const violations = listDoubleCharges(emulated);
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const { charges, runs } = service.deps;
  const { shopId } = store();
  const daysOnHold = new Set<string>();
  for await (const { date, status } of runs.list(shopId)) if (status === 'ON_HOLD') daysOnHold.add(date);
  for (const { record, description } of emulated.contracts) {
    const own = await charges.listOfContract({ shopId, contractNumber: String(record.id) as ContractNumber });
    const attempts = emulated.state.attempts.ofContract(record.id);
    const add = (index: number, text: string) =>
      violations.push(`contract ${description.id}, order ${index}: ${text}`);
    for (const { cycleIndex, createdAt } of emulated.attemptsOfService(record)) {
      count('attempts of the service');
      const expectedMs = findExpectedMs(record, cycleIndex);
      const objection = expected.findObjection(Date.parse(createdAt), expectedMs);
      if (objection !== undefined) add(cycleIndex, `${objection} at ${createdAt}`);
    }
    const last = description.billedCount + 30;
    for (const { index, skipped, expectedMs } of listCyclesBetween(
      record,
      description.billedCount + 1,
      last,
    )) {
      const paid = attempts.filter(({ cycleIndex, orderId }) => cycleIndex === index && orderId !== null);
      if (paid.length > 1) add(index, `paid ${paid.length} times`);
      const sinceMs = findLastChangeMs(description, index);
      const deadlines = { sinceMs, untilMs, durationMs: TIME_TO_DEAL_MS, reachMs: REACH_MS };
      if (expectedMs >= untilMs || skipped || !expected.hadTimeFor(expectedMs, deadlines)) continue;
      count('orders due');
      const charge = own.find(({ cycleIndex }) => cycleIndex === index);
      const state = describeOrder(record, { index, charge, daysOnHold, untilMs });
      if (state === undefined) add(index, `forgotten: ${JSON.stringify(charge ?? 'no charge')}`);
      else count(state);
    }
  }
  return { violations, counts };
}

/** An order is the service's to deal with from when it was last restored or moved. */
function findLastChangeMs({ events }: ContractDescription, index: number): number {
  const changes = events.flatMap((event) =>
    (event.kind === 'unskip' || event.kind === 'move') && event.index === index ? [event.atMs] : [],
  );
  return Math.max(0, ...changes);
}

function findExpectedMs(record: ContractRecord, index: number): number {
  const [cycle] = listCyclesBetween(record, index, index);
  return cycle?.expectedMs ?? Number.POSITIVE_INFINITY;
}

type OrderAtEnd = {
  readonly index: number;
  readonly charge: BillingCharge | undefined;
  readonly daysOnHold: ReadonlySet<string>;
  readonly untilMs: number;
};

/** Returns what became of an order; undefined if nothing did, and nothing will. */
function describeOrder(
  { billedCycles, content }: ContractRecord,
  { index, charge, daysOnHold, untilMs }: OrderAtEnd,
): string | undefined {
  if (billedCycles.includes(index)) return charge === undefined ? 'paid to others' : 'CHARGED';
  if (content.status === 'CANCELLED' || content.status === 'EXPIRED') return 'contract ended';
  if (charge === undefined || charge.state === 'CHARGED') return undefined;
  const { state, reason, remindAtMs = 0, runDate } = charge;
  if (!isOpenCharge(charge)) return reason === undefined ? undefined : `${state} ${reason}`;
  if (state === 'DUE' && daysOnHold.has(runDate)) return 'on hold';
  // An attempt whose outcome the platform has not told yet.
  if (state === 'WAITING' && charge.attemptId !== undefined) return 'WAITING';
  return remindAtMs > untilMs - WAITS_MS ? `open: ${state}` : undefined;
}
