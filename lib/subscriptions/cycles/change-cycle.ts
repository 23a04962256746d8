/**
 * What every change of one order does. Two platform requests: proof and state together, then the edit; or then a
 * read, if the order is already as it should be.
 */
import type { ChangeIntent } from '../../timeline/begin-change.ts';
import { checkOwner, refuseContract } from '../contract-facts.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import { type OperationError, type OperationOutcome, refusedWith } from '../operation-error.ts';
import { recordedChange } from '../recorded-change.ts';
import type { BillingCycle } from './billing-cycle.ts';
import { type CycleEdit, editSchedule } from './edit-schedule.ts';
import { readCycle } from './read-cycle.ts';
import { refuseCycle } from './refuse-cycle.ts';

export type CycleChange = Pick<CycleEdit, 'input' | 'isDone'> & {
  /** Why it is not made, for an order that is there and not billed. */
  readonly refuse: (cycle: BillingCycle) => OperationError | undefined;
  readonly intent: (cycle: BillingCycle) => Omit<ChangeIntent, 'contractId'>;
  /** A refusal of the platform in the client's words; its field is the client's own already. */
  readonly toOwnError: (error: OperationError, cycle: BillingCycle) => OperationError;
};

/**
 * The changed objects in the client's selection, or userErrors: INVALID (no such contract), CONTRACT_TERMINATED,
 * CYCLE_NOT_FOUND, CYCLE_ALREADY_BILLED, and the change's own. FORBIDDEN if the contract is not the acting
 * customer's, absent included.
 */
export async function changeCycle(
  deps: OperationDeps,
  { args, selection }: OperationRequest,
  change: CycleChange,
): Promise<OperationOutcome> {
  const ref = { contractId: String(args.contractId), billingCycleIndex: Number(args.billingCycleIndex) };
  const { contract, cycle } = await readCycle(deps, ref);
  checkOwner(deps, contract);
  const refusal =
    refuseContract(contract, 'contractId') ?? refuseCycle(cycle) ?? (cycle && change.refuse(cycle));
  if (refusal !== undefined) return refusedWith([refusal]);
  if (contract === undefined || cycle === undefined) throw new Error('neither found nor refused');
  if (change.isDone(cycle)) {
    const isAsked = selection.places.length > 0;
    const { answered, errors } = isAsked
      ? await readCycle(deps, ref, selection)
      : { answered: {}, errors: [] };
    return { answered, userErrors: [], errors };
  }
  const { input, isDone } = change;
  const toOwnError = (error: OperationError) => change.toOwnError(error, cycle);
  return recordedChange(deps, { ...change.intent(cycle), contractId: contract.id }, () =>
    editSchedule(deps, { cycle: ref, selection, input, isDone, toOwnError }),
  );
}
