/**
 * The next cycles of several contracts take one request for all of them, and more only where a document would be too
 * dear or all cycles that were read are skipped. A root for each contract, since the platform has no list of them.
 */
import { batchesOf } from '../../lib/domain/batches-of.ts';
import type { ServiceError } from '../../lib/errors/service-error.ts';
import type { PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import { unanswered } from '../../lib/platform/admin-api/missing-access.ts';
import { connectionPoints, partsOfDocument } from '../../lib/platform/admin-api/query-points.ts';
import { firstToCharge, type NextCycle } from '../../lib/subscriptions/cycles/next-order.ts';
import type { RunContext } from '../plan/run-context.ts';
import { HORIZON_DAYS } from '../run/send-upstream.ts';
import { type CyclePage, FIRST_CYCLES, nextCyclesRoot } from './next-cycles-root.ts';

/** The sizes of the pages after the first; the last one stands for all that follow. */
const LATER_PAGES = [50, 250];

/** A contract, by the platform's id, and what is read of it so far. */
export type Reading = { readonly id: string; readonly page: CyclePage | undefined };

/** The cycles by the contract's id. Undefined: nothing is charged within a year; ServiceError: it cannot be read. */
export type NextCycles = ReadonlyMap<string, NextCycle | undefined | ServiceError>;

/** The cycle that is charged next, of each contract. ServiceError: the platform cannot be asked. */
export async function readNextCycles(context: RunContext, readings: readonly Reading[]): Promise<NextCycles> {
  const found = new Map<string, NextCycle | undefined | ServiceError>();
  const range = rangeFrom(context.now());
  let open = retainFound(found, readings);
  const fresh = open.filter(({ page }) => page === undefined);
  const pages = await readPages(context, fresh, { ...range, size: FIRST_CYCLES }, found);
  open = retainFound(found, [...open.filter(({ page }) => page !== undefined), ...pages]);
  for (let round = 0; open.length > 0; round++) {
    const size = LATER_PAGES[Math.min(round, LATER_PAGES.length - 1)] ?? FIRST_CYCLES;
    open = retainFound(found, await readPages(context, open, { ...range, size }, found));
  }
  return found;
}

const DAY_MS = 86_400_000;

function rangeFrom(nowMs: number) {
  return {
    from: new Date(nowMs).toISOString(),
    to: new Date(nowMs + HORIZON_DAYS * DAY_MS).toISOString(),
  };
}

type Found = Map<string, NextCycle | undefined | ServiceError>;

/** Keeps what is found; returns the contracts of which more has to be read. */
function retainFound(found: Found, readings: readonly Reading[]): Reading[] {
  return readings.filter(({ id, page }) => {
    if (page === undefined) return true;
    const cycle = firstToCharge(page.nodes);
    if (cycle === undefined && page.pageInfo.hasNextPage) return true;
    found.set(id, cycle);
    return false;
  });
}

type PageRequest = { readonly from: string; readonly to: string; readonly size: number };

async function readPages(
  context: RunContext,
  readings: readonly Reading[],
  request: PageRequest,
  found: Found,
): Promise<Reading[]> {
  const batchSize = contractsOfDocument(request.size);
  const read: Reading[] = [];
  for (const some of batchesOf(readings, batchSize)) {
    read.push(...(await readDocument(context, some, request, found)));
  }
  return read;
}

/**
 * Reads one document. Its roots are non-null, so one contract that cannot be read takes the answer along: the others
 * are asked for again.
 */
async function readDocument(
  context: RunContext,
  readings: readonly Reading[],
  request: PageRequest,
  found: Found,
): Promise<Reading[]> {
  if (readings.length === 0) return [];
  const { data, errors } = await context.send(toOperation(context, readings, request));
  if (data !== null) {
    return readings.map(({ id }, index) => ({ id, page: data[`c${index}`] as CyclePage }));
  }
  const failed = new Set(errors.map(({ path }) => String(path?.[0])));
  const left = readings.filter((_, index) => !failed.has(`c${index}`));
  if (left.length === readings.length) throw unreadable(errors);
  for (const one of readings) if (!left.includes(one)) found.set(one.id, unreadable(errors));
  return readDocument(context, left, request, found);
}

function unreadable(errors: readonly PlatformError[]): ServiceError {
  return unanswered('the cycles of a contract cannot be read', errors);
}

function toOperation(context: RunContext, readings: readonly Reading[], { from, to, size }: PageRequest) {
  const { store, deadlineAtMs } = context;
  const range = { from: '$from', to: '$to' };
  const roots = readings.map((_, index) => {
    const { args, selection } = nextCyclesRoot(range, `first: ${size}, after: $after${index}`);
    return `c${index}: subscriptionBillingCycles(contractId: $id${index}, ${args}) ${selection}`;
  });
  const declared = readings.map((_, index) => `$id${index}: ID!, $after${index}: String`);
  const values = readings.flatMap(({ id, page }, index) => [
    [`id${index}`, id],
    [`after${index}`, page?.pageInfo.endCursor ?? null],
  ]);
  return {
    store,
    document: `query NextOrders($from: DateTime!, $to: DateTime!, ${declared.join(', ')}) { ${roots.join(' ')} }`,
    variables: { from, to, ...Object.fromEntries(values) },
    mutates: false,
    deadlineAtMs,
    costKey: `next orders ${readings.length} ${size}`,
  };
}

/** The points of an edited contract with its lines and discounts, and of the cycle that it stands on. */
const CYCLE_POINTS = 14;

/** The number of contracts that share a document. */
function contractsOfDocument(size: number): number {
  return partsOfDocument(connectionPoints(CYCLE_POINTS, size));
}
