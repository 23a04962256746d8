/**
 * Whatever is changed with a store's key leaves a line in the log: root and ids, and never what a person wrote. The
 * timeline tells changes of contracts alone, and somebody has to know what a stolen key has done.
 */
import { parseGid } from '../../lib/domain/gid.ts';
import { isCertainlyNotDone } from '../../lib/errors/is-outcome-unknown.ts';
import type { AdminAnswer } from '../../lib/platform/admin-api/admin-answer.ts';
import type { Running } from '../plan/mutation-run.ts';
import type { RunContext } from '../plan/run-context.ts';

type StoreChangeOutcome = 'done' | 'refused' | 'unknown';

/** The answer of a mutation, and what became of its change. */
export type ChangeAnswer = AdminAnswer & { readonly outcome: StoreChangeOutcome };

/** A line holds so many ids; more come in further lines, so that nobody hides one behind others. */
const IDS_A_LINE = 500;

/** Runs the change, and tells what became of it, also where it throws: then it may have been made. */
export async function storeChangeRecorder(
  context: RunContext,
  one: Running,
  change: () => Promise<ChangeAnswer>,
): Promise<ChangeAnswer> {
  let outcome: StoreChangeOutcome = 'unknown';
  try {
    const answer = await change();
    outcome = answer.outcome;
    return answer;
  } catch (error) {
    if (isCertainlyNotDone(error) && error.status < 500) outcome = 'refused';
    throw error;
  } finally {
    logStoreChange(context, one, outcome);
  }
}

/** Of a change with a store's key; a customer's own is in the timeline. */
export function logStoreChange(
  { actor, logger, requestId }: RunContext,
  { mutation: { root }, evaluation }: Running,
  outcome: StoreChangeOutcome,
): void {
  if (actor.kind !== 'store') return;
  const { shopId, keyId, actingCustomerId } = actor;
  const ids = evaluation.ids.map(withoutText);
  const fields = inputNames([...evaluation.values.values()]);
  for (let from = 0; from === 0 || from < ids.length; from += IDS_A_LINE) {
    logger.info('store_change', {
      shopId,
      keyId,
      ...(actingCustomerId !== undefined && { customerId: actingCustomerId }),
      requestId,
      root: root.name,
      outcome,
      // One text: the log's queries know 200 fields of a line, and each item of a list is one.
      ids: ids.slice(from, from + IDS_A_LINE).join(' '),
      ...(fields.length > 0 && { fields: fields.join(' ') }),
    });
  }
}

/** What no id of the platform's has could be anything, also what a person wrote. */
function withoutText(id: string): string {
  const gid = parseGid(id);
  const isPlain = gid !== undefined && /^\w{1,64}$/.test(gid.type) && /^[\w?=&-]{1,200}$/.test(gid.tail);
  return isPlain ? id : 'none';
}

/** The names of the input fields that were given, without their values: they tell a new e-mail from a new tag. */
function inputNames(values: readonly unknown[]): string[] {
  const inputs = values.flat().filter((one) => typeof one === 'object' && one !== null);
  return [...new Set(inputs.flatMap((one) => Object.keys(one as object)))].sort();
}
