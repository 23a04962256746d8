/**
 * Resolves `orderDate` of a billing cycle: the day that an app shows, also while the order is skipped. Null when the
 * cycle's order comes in another cycle.
 */
import { timeZoneOf } from '../../lib/storage/stores.ts';
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import { findCycleWithoutOrder } from '../../lib/subscriptions/order-dates/postponed-orders.ts';
import {
  createPostponementRepository,
  orderDateOfCycle,
} from '../../lib/subscriptions/order-dates/postponements.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { ServiceTask } from '../plan/walk.ts';

/** Returns each cycle's date. One table read for 100 contracts. */
export async function resolveOrderDates(
  { store, table, now }: RunContext,
  tasks: readonly ServiceTask[],
): Promise<(string | null)[]> {
  const contractRefOf = ({ parent }: ServiceTask) =>
    parseContractRef(store.shopId, String((parent._svcSource as { readonly id: string }).id));
  const refs = new Map(
    tasks.flatMap((task) => {
      const ref = contractRefOf(task);
      return ref === undefined ? [] : [[ref.contractNumber, ref] as const];
    }),
  );
  const postponements = await createPostponementRepository({ table, now }).readMany([...refs.values()]);
  const recordByContract = new Map([...refs.keys()].map((number, index) => [number, postponements[index]]));
  const context = { timeZone: timeZoneOf(store), nowMs: now() };
  return tasks.map((task) => {
    const { parent } = task;
    const ref = contractRefOf(task);
    const cycle = {
      cycleIndex: Number(parent._svcIndex),
      cycleStartAt: String(parent._svcStart),
      cycleEndAt: String(parent._svcEnd),
      billingAttemptExpectedDate: String(parent._svcDue),
      skipped: parent._svcSkipped === true,
      edited: parent._svcEdited === true,
    };
    const postponement = ref && recordByContract.get(ref.contractNumber);
    if (cycle.skipped && postponement !== undefined && findCycleWithoutOrder(postponement, cycle.cycleIndex))
      return null;
    return orderDateOfCycle(cycle, { ...context, dates: postponement?.dates });
  });
}
