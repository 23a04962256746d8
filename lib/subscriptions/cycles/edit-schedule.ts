/** Changes one order: skips it, restores it, or moves it. The contract is answered through the changed cycle. */
import type { AnswerSelection } from '../answer-selection.ts';
import type { OperationDeps } from '../operation.ts';
import {
  type OperationError,
  type OperationOutcome,
  type PlatformUserError,
  refusedWith,
} from '../operation-error.ts';
import type { RecordedOutcome } from '../recorded-change.ts';
import { type ChangeAnswer, sendChange, USER_ERRORS } from '../send-change.ts';
import { settleLostAnswer } from '../settle-lost-answer.ts';
import type { BillingCycle } from './billing-cycle.ts';
import { CYCLE_INPUT, CYCLE_VARIABLES, type CycleRef, cycleVariables, readCycle } from './read-cycle.ts';
import { editReason } from './send-edits.ts';

export type CycleEdit = {
  readonly cycle: CycleRef;
  readonly selection: AnswerSelection;
  readonly input: { readonly skip: boolean } | { readonly billingDate: string };
  /** Whether a cycle that is read after a lost answer shows the edit. */
  readonly isDone: (cycle: BillingCycle) => boolean;
  /** A refusal of the platform in the client's words; its field is the client's own already. */
  readonly toOwnError: (error: OperationError) => OperationError;
};

const OWN = [...CYCLE_VARIABLES, '$_svcInput: SubscriptionBillingCycleScheduleEditInput!'];

/** The changed objects in the client's selection, or userErrors. One platform request, two if its answer is lost. */
export function editSchedule(deps: OperationDeps, edit: CycleEdit): Promise<RecordedOutcome> {
  return settleLostAnswer(
    () => send(deps, edit),
    async () => {
      const { cycle, answered, errors } = await readCycle(deps, edit.cycle, edit.selection);
      const isDone = cycle !== undefined && edit.isDone(cycle);
      return isDone ? { answered, userErrors: [], errors } : undefined;
    },
  );
}

async function send(
  deps: OperationDeps,
  { cycle, selection, input, toOwnError }: CycleEdit,
): Promise<OperationOutcome> {
  const places = selection.places.map(({ key, field, selection: text }) =>
    field === 'contract' ? `${key}: billingCycle { sourceContract ${text} }` : `${key}: billingCycle ${text}`,
  );
  const edited = await sendChange(deps, {
    selection,
    own: OWN,
    name: 'edit',
    mutation: `subscriptionBillingCycleScheduleEdit(${CYCLE_INPUT}, input: $_svcInput)`,
    payload: `${places.join(' ')} ${USER_ERRORS}`,
    variables: { ...cycleVariables(cycle), _svcInput: { reason: editReason(deps), ...input } },
  });
  const { userErrors } = edited;
  if (userErrors.length > 0) return refusedWith(userErrors.map(withOwnField).map(toOwnError));
  return { ...withoutCycle(selection, edited), userErrors: [] };
}

/** The answer without the way from the cycle to its contract. */
function withoutCycle(
  { places }: AnswerSelection,
  { answered, errors }: ChangeAnswer,
): Pick<OperationOutcome, 'answered' | 'errors'> {
  const throughCycle = new Set(places.filter(({ field }) => field === 'contract').map(({ key }) => key));
  const found = places.map(({ key }) => {
    const value = answered[key] as { readonly sourceContract?: unknown } | null | undefined;
    return [key, (throughCycle.has(key) ? value?.sourceContract : value) ?? null];
  });
  const shortened = errors.map((error) => {
    const [key, ...rest] = error.path ?? [];
    const isThroughCycle = key !== undefined && throughCycle.has(String(key));
    return { ...error, path: key === undefined ? [] : [key, ...(isThroughCycle ? rest.slice(1) : rest)] };
  });
  return { answered: Object.fromEntries(found), errors: shortened };
}

/** By the platform's arguments, the client's. */
const OWN_FIELDS: Readonly<Record<string, string>> = {
  contractId: 'contractId',
  selector: 'billingCycleIndex',
  skip: 'skip',
  billingDate: 'billingDate',
};

function withOwnField({ field, message, code }: PlatformUserError): OperationError {
  const own = field?.map((name) => OWN_FIELDS[name]).find((name) => name !== undefined);
  return { field: own === undefined ? null : [own], message, code: code ?? 'INVALID' };
}
