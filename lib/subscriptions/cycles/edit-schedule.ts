/** Changes one order: skips it, restores it, or moves it. The contract is answered through the changed cycle. */
import { ServiceError } from '../../errors/service-error.ts';
import type { PlatformError } from '../../platform/admin-api/admin-answer.ts';
import { type AnswerSelection, documentWith } from '../answer-selection.ts';
import type { PlatformUserError } from '../draft/draft-refusal.ts';
import type { OperationDeps } from '../operation.ts';
import { type OperationError, type OperationOutcome, refusedWith } from '../operation-error.ts';
import type { RecordedOutcome } from '../recorded-change.ts';
import { settleLostAnswer } from '../settle-lost-answer.ts';
import type { BillingCycle } from './billing-cycle.ts';
import { CYCLE_INPUT, CYCLE_VARIABLES, type CycleRef, cycleVariables, readCycle } from './read-cycle.ts';

export type ScheduleEdit = {
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
export function editSchedule(deps: OperationDeps, edit: ScheduleEdit): Promise<RecordedOutcome> {
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
  { ask, actingCustomerId }: OperationDeps,
  { cycle, selection, input, toOwnError }: ScheduleEdit,
): Promise<OperationOutcome> {
  const places = selection.places.map(({ key, field, selection: text }) =>
    field === 'contract' ? `${key}: billingCycle { sourceContract ${text} }` : `${key}: billingCycle ${text}`,
  );
  const payload = `${places.join(' ')} _svcErrors: userErrors { field message code }`;
  const reason = actingCustomerId === undefined ? 'MERCHANT_INITIATED' : 'BUYER_INITIATED';
  const { data, errors } = await ask({
    document: documentWith(selection, {
      head: 'mutation',
      own: OWN,
      body: `edit: subscriptionBillingCycleScheduleEdit(${CYCLE_INPUT}, input: $_svcInput) { ${payload} }`,
    }),
    variables: { ...selection.variables, ...cycleVariables(cycle), _svcInput: { reason, ...input } },
    mutates: true,
  });
  const edited = data?.edit as Readonly<Record<string, unknown>> | null | undefined;
  if (!edited) throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'no payload' });
  const userErrors = (edited._svcErrors ?? []) as readonly PlatformUserError[];
  if (userErrors.length > 0) return refusedWith(userErrors.map(withOwnField).map(toOwnError));
  return { ...answerOf(selection, edited, errors), userErrors: [] };
}

/** What stands at the places, without the way from the cycle to its contract. */
function answerOf(
  { places }: AnswerSelection,
  edited: Readonly<Record<string, unknown>>,
  errors: readonly PlatformError[],
): Pick<OperationOutcome, 'answered' | 'errors'> {
  const throughCycle = new Set(places.filter(({ field }) => field === 'contract').map(({ key }) => key));
  const answered = places.map(({ key }) => {
    const found = edited[key] as { readonly sourceContract?: unknown } | null | undefined;
    return [key, (throughCycle.has(key) ? found?.sourceContract : found) ?? null];
  });
  const below = errors.map((error) => {
    const [key, ...rest] = error.path?.slice(1) ?? [];
    const isThroughCycle = key !== undefined && throughCycle.has(String(key));
    return { ...error, path: key === undefined ? [] : [key, ...(isThroughCycle ? rest.slice(1) : rest)] };
  });
  return { answered: Object.fromEntries(answered), errors: below };
}

/** Arguments of the platform's → the client's. */
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
