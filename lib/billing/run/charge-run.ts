/** The second step of a run: charges its orders, in the order of their contracts. It continues at the run's cursor. */
import { awaitAll } from '../../domain/await-all.ts';
import { splitIntoBatches } from '../../domain/split-into-batches.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { MUTATION_POINTS } from '../../platform/admin-api/query-points.ts';
import type { ReservePoints } from '../../platform/admin-api/send-within-budget.ts';
import type { BillingCharge } from '../records/charge-record.ts';
import type { BillingRun } from '../records/run-record.ts';
import { type BillingRuns, lineSortKey } from '../records/runs.ts';
import type { BillingTurn } from '../settle/billing-operation.ts';
import { type ChargeOrdersDeps, chargeOrders, ORDERS_PER_BATCH } from './charge-orders.ts';
import { groupIntoBatches, listRunCharges } from './count-run.ts';
import { isRefusedByAccount } from './decide-hold.ts';
import type { OrderTask } from './evaluate-orders.ts';
import { POINTS_PER_ORDER } from './read-orders.ts';
import { type SettleRunDeps, settleRun } from './settle-run.ts';

type ReservingDeps = ChargeOrdersDeps & { readonly reservePoints: ReservePoints };
export type ChargeRunDeps = ReservingDeps & SettleRunDeps & { readonly runs: BillingRuns };

/** The run's cursor is written after so many orders. */
const ORDERS_PER_CURSOR = 60;

/**
 * Charges the run's orders until `turn.endAtMs`, or until the merchant's account has refused ten in a row.
 * @returns the run; its status is SETTLING when all orders were evaluated
 * @throws the errors of the Admin API client, TEMPORARILY_UNAVAILABLE
 */
export async function chargeRun(
  deps: ChargeRunDeps,
  turn: BillingTurn,
  runAtStart: BillingRun,
): Promise<BillingRun> {
  let run = runAtStart;
  const afterLineKey = run.cursor?.after as string | undefined;
  const linesWithCharge = listRunCharges(deps, run, afterLineKey);
  for await (const lineBatch of groupIntoBatches(linesWithCharge, ORDERS_PER_CURSOR)) {
    const orderTasks = lineBatch.flatMap(({ charge }) =>
      isToCharge(charge, run) ? [{ charge, isEnding: false }] : [],
    );
    if (deps.now() >= turn.endAtMs) return run;
    if ((await chargeInRounds(deps, turn, orderTasks)) === 'interrupted') return run;
    const lastLine = lineBatch.at(-1);
    const cursor = { after: lastLine === undefined ? '' : lineSortKey(lastLine.line) };
    const writtenRun = await deps.runs.replace(run, { ...run, cursor });
    if (writtenRun === 'refused') return run;
    run = await settleRun(deps, turn, { run: writtenRun, mayCharge: true });
    if (isRefusedByAccount(run)) return run;
  }
  const { cursor: _cursor, ...runWithoutCursor } = run;
  const settlingRun = await deps.runs.replace(run, { ...runWithoutCursor, status: 'SETTLING' });
  return settlingRun === 'refused' ? run : settlingRun;
}

/**
 * Whether the run has to charge the order. An order with a reminder is charged when the reminder is due. After a crash, the
 * state may be WAITING although no attempt was sent.
 */
function isToCharge(charge: BillingCharge | undefined, { date }: BillingRun): charge is BillingCharge {
  if (charge?.runDate !== date || charge.remindAtMs !== undefined) return false;
  return charge.state === 'DUE' || (charge.state === 'WAITING' && charge.attemptId === undefined);
}

/**
 * Charges orders in rounds. A round has at most one order of each contract: the first of them in `tasks`.
 * @throws the first error, after all batches of the round have ended; THROTTLED when the store's points do not suffice before
 * `turn.endAtMs`
 */
export async function chargeInRounds(
  deps: ReservingDeps,
  turn: BillingTurn,
  tasks: readonly OrderTask[],
): Promise<'done' | 'interrupted'> {
  for (let remainingTasks = tasks; remainingTasks.length > 0; ) {
    const tasksOfRound = remainingTasks.filter(
      (task, index) => remainingTasks.findIndex((one) => isOfSameContract(one, task)) === index,
    );
    const taskBatches = splitIntoBatches(tasksOfRound, ORDERS_PER_BATCH);
    for (let nextBatchIndex = 0; nextBatchIndex < taskBatches.length; ) {
      const concurrentBatches = taskBatches.slice(
        nextBatchIndex,
        nextBatchIndex + deps.batchLimits.limitOf(turn.store.shopId),
      );
      nextBatchIndex += concurrentBatches.length;
      const batchOutcomes = await awaitAll(
        concurrentBatches.map((orders) => chargeWithReservedPoints(deps, turn, orders)),
      );
      if (batchOutcomes.some((outcome) => outcome !== 'done')) return 'interrupted';
    }
    remainingTasks = remainingTasks.filter((task) => !tasksOfRound.includes(task));
  }
  return 'done';
}

/** Reserves the points before it charges orders: claims expire soon, so no claimed order may wait for points. */
async function chargeWithReservedPoints(
  deps: ReservingDeps,
  turn: BillingTurn,
  tasks: readonly OrderTask[],
): ReturnType<typeof chargeOrders> {
  const { store, endAtMs } = turn;
  const neededPoints = {
    workItemCount: tasks.length,
    expectedCostPerItem: POINTS_PER_ORDER + MUTATION_POINTS,
  };
  const reservation = await deps.reservePoints({ store, endAtMs, ...neededPoints });
  // `runBilling` waits a second then, so that the queue does not start the store again at once.
  if (reservation === undefined) throw new ServiceError('THROTTLED');
  try {
    return await chargeOrders({ ...deps, sendWithinBudget: reservation.sendWithinBudget }, turn, tasks);
  } finally {
    reservation.end();
  }
}

function isOfSameContract({ charge }: OrderTask, { charge: otherCharge }: OrderTask): boolean {
  return charge.contractNumber === otherCharge.contractNumber;
}
