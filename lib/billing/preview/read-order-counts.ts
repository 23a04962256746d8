/**
 * Counts the orders that are paid before a coming order, by which the service chooses the steps of its prices. Read only
 * for contracts whose lines have steps, in stores where the service bills.
 */
import { awaitAll } from '../../domain/await-all.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { isoDayIn } from '../../domain/time-zone.ts';
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import { maxPartsPerDocument } from '../../platform/admin-api/query-points.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { parseContractRef } from '../../subscriptions/contract-ref.ts';
import {
  type CountOrdersBefore,
  countPaidOrders,
  cyclesUntilNowRange,
  ORIGIN_ORDER_SELECTION,
  UNKNOWN_ORDER_COUNTS,
} from '../../subscriptions/count-paid-orders.ts';
import type { SendToPlatform } from '../../subscriptions/operation.ts';
import { type BillingCharge, isOpenCharge } from '../records/charge-record.ts';
import { createBillingCharges } from '../records/charges.ts';
import { createBillingSettings } from '../records/settings.ts';
import { readBillingStatus } from '../settings/read-billing-status.ts';

type Deps = {
  readonly table: Table;
  readonly now: () => number;
  readonly store: StoreRecord;
  readonly sendToPlatform: SendToPlatform;
};

/** A contract by the platform's id. Its orders before `notBeforeMs` do not come: now, or the end of its pause. */
export type ContractToCount = { readonly id: string; readonly notBeforeMs: number };

/** A contract's past and coming orders, and the service's charges by the cycle's index. */
type OrderHistory = {
  readonly originOrder: { readonly id: string } | null;
  readonly cycles: readonly CountedCycle[];
  readonly charges: ReadonlyMap<number, BillingCharge>;
};
type CountedCycle = {
  readonly cycleIndex: number;
  readonly status: string;
  readonly skipped: boolean;
  readonly billingAttemptExpectedDate: string;
};

const DAY_MS = 86_400_000;
const HORIZON_MS = 365 * DAY_MS;
/** A run finds an order at most two days after its day. */
const MAX_UNFOUND_MS = 3 * DAY_MS;

/**
 * Reads what counts the orders of each contract, by contract id.
 * @returns an empty map when the service does not bill
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readOrderCounts(
  deps: Deps,
  contracts: readonly ContractToCount[],
): Promise<ReadonlyMap<string, CountOrdersBefore>> {
  if (contracts.length === 0) return new Map();
  const { store, table, now } = deps;
  const statusDeps = { settings: createBillingSettings({ table, now }), now };
  const { status, storedSettings } = await readBillingStatus(statusDeps, store);
  if (status === 'OFF') return new Map();
  const { startsOn = '' } = storedSettings;
  const histories = await readOrderHistories(deps, contracts);
  return new Map(
    contracts.map(({ id, notBeforeMs }, index) => {
      const history = histories[index];
      const countOrdersBefore: CountOrdersBefore = (order) => {
        const isServicePriced =
          isoDayIn(timeZoneOf(store), Date.parse(order.billingAttemptExpectedDate)) >= startsOn;
        if (!isServicePriced) return undefined;
        if (history === undefined) return UNKNOWN_ORDER_COUNTS;
        return countEarlierOrders(history, order.cycleIndex, { nowMs: now(), notBeforeMs });
      };
      return [id, countOrdersBefore];
    }),
  );
}

const CONTRACT_POINTS = 15;

/** Reads the orders of the contracts. An order history is undefined when the platform did not return it. */
async function readOrderHistories(
  deps: Deps,
  contracts: readonly ContractToCount[],
): Promise<(OrderHistory | undefined)[]> {
  const batches = splitIntoBatches(contracts, maxPartsPerDocument(CONTRACT_POINTS));
  const histories = await awaitAll(batches.map((batch) => readPlatformOrders(deps, batch)));
  const charges = createBillingCharges({ ...deps, enqueueStore: async () => undefined });
  const chargesByContract = await awaitAll(
    contracts.map(({ id }) => {
      const ref = parseContractRef(deps.store.shopId, id);
      return ref === undefined ? [] : charges.listOfContract(ref);
    }),
  );
  return histories.flat().map((history, index) => {
    const chargesOfContract = chargesByContract[index] ?? [];
    return history && { ...history, charges: new Map(chargesOfContract.map((one) => [one.cycleIndex, one])) };
  });
}

async function readPlatformOrders(
  { now, sendToPlatform }: Deps,
  contracts: readonly ContractToCount[],
): Promise<(Omit<OrderHistory, 'charges'> | undefined)[]> {
  const rootFields = contracts.map(
    (_, index) => `contract${index}: subscriptionContract(id: $id${index}) { ${ORIGIN_ORDER_SELECTION} }
      cycles${index}: subscriptionBillingCycles(contractId: $id${index}, billingCyclesDateRangeSelector: $dates, first: 250) {
        nodes { cycleIndex status skipped billingAttemptExpectedDate } }`,
  );
  const response = await ignoreServiceError(() =>
    sendToPlatform({
      document: `query OrderCounts($dates: SubscriptionBillingCyclesDateRangeSelector!, ${contracts.map((_, index) => `$id${index}: ID!`).join(', ')}) { ${rootFields.join(' ')} }`,
      variables: {
        dates: cyclesUntilNowRange(now() + HORIZON_MS),
        ...Object.fromEntries(contracts.map(({ id }, index) => [`id${index}`, id])),
      },
      mutates: false,
    }),
  );
  return contracts.map((_, index) => {
    const contract = response?.data?.[`contract${index}`] as
      | Pick<OrderHistory, 'originOrder'>
      | null
      | undefined;
    const cycles = response?.data?.[`cycles${index}`] as
      | { readonly nodes: readonly CountedCycle[] }
      | null
      | undefined;
    return contract && cycles ? { ...contract, cycles: cycles.nodes } : undefined;
  });
}

type TimeBounds = { readonly nowMs: number; readonly notBeforeMs: number };

/** Counts the orders before the cycle. Coming orders count as paid; open payments count for `max` only. */
function countEarlierOrders(
  { originOrder, cycles, charges }: OrderHistory,
  cycleIndex: number,
  bounds: TimeBounds,
) {
  const earlierCycles = cycles.filter((cycle) => cycle.cycleIndex < cycleIndex);
  const paidCount = countPaidOrders({ originOrder, cycles: { nodes: earlierCycles } });
  const prospects = earlierCycles.map((cycle) =>
    classifyUnpaidOrder(cycle, charges.get(cycle.cycleIndex), bounds),
  );
  const min = paidCount + prospects.filter((prospect) => prospect === 'comes').length;
  return { min, max: min + prospects.filter((prospect) => prospect === 'open').length };
}

/** Returns whether an order that is not billed will be paid: it `comes`, its payment is `open`, or it is not charged. */
function classifyUnpaidOrder(
  { status, skipped, billingAttemptExpectedDate }: CountedCycle,
  charge: BillingCharge | undefined,
  { nowMs, notBeforeMs }: TimeBounds,
): 'comes' | 'open' | 'none' {
  if (status === 'BILLED' || skipped) return 'none';
  const dueMs = Date.parse(billingAttemptExpectedDate);
  if (charge?.state === 'CHARGED') return 'comes';
  if (dueMs >= nowMs) {
    if (dueMs < notBeforeMs) return 'none';
    const isUntried = charge === undefined || charge.state === 'DUE' || charge.state === 'SKIPPED';
    return isUntried ? 'comes' : 'open';
  }
  const mayBeFound = charge === undefined && dueMs > nowMs - MAX_UNFOUND_MS;
  return mayBeFound || (charge !== undefined && isOpenCharge(charge)) ? 'open' : 'none';
}
