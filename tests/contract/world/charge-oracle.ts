/**
 * The allowed charges, derived only from the platform's records and the callers' requests: never two attempts for one
 * order, unless the first was declined, and a caller sent another key, the contract has another card, or a minute has
 * passed.
 */
import type { AttemptRecord, ContractRecord } from '../../../sandbox/platform/state/contract-records.ts';

type Seen = { readonly attempt: AttemptRecord; readonly cardId: string | null };
type Platform = {
  readonly attempts: () => Iterable<AttemptRecord>;
  readonly contract: (id: number) => ContractRecord;
};

/** Whole seconds at the platform. */
const MINUTE_MS = 59_000;

export function createChargeOracle({ attempts, contract }: Platform) {
  const before = new Set([...attempts()].map(({ id }) => id));
  const seen = new Map<number, Seen>();
  const broken: string[] = [];

  function checkAttempt(attempt: AttemptRecord, givenKeys: ReadonlySet<string>): void {
    const cardId = contract(attempt.contractId).content.paymentMethodId;
    const earlier = [...seen.values()].filter(
      ({ attempt: { contractId, cycleIndex } }) =>
        contractId === attempt.contractId && cycleIndex === attempt.cycleIndex,
    );
    seen.set(attempt.id, { attempt, cardId });
    const last = earlier.at(-1);
    const name = `${attempt.contractId}/${attempt.cycleIndex} ${attempt.idempotencyKey}`;
    if (earlier.some((one) => one.attempt.completedAt === null)) broken.push(`${name}: beside another`);
    if (earlier.some((one) => one.attempt.orderId !== null)) broken.push(`${name}: paid already`);
    if (earlier.some((one) => one.attempt.idempotencyKey === attempt.idempotencyKey))
      broken.push(`${name}: again`);
    if (last === undefined || givenKeys.has(attempt.idempotencyKey) || last.cardId !== cardId) return;
    const agoMs = Date.parse(attempt.createdAt) - Date.parse(last.attempt.completedAt ?? attempt.createdAt);
    if (agoMs < MINUTE_MS) broken.push(`${name}: ${agoMs} ms after a decline`);
  }

  return {
    broken,
    /** Called after every request; `givenKeys`: those that callers gave. */
    watch(givenKeys: ReadonlySet<string>): void {
      for (const attempt of attempts()) {
        if (!before.has(attempt.id) && !seen.has(attempt.id)) checkAttempt(attempt, givenKeys);
      }
    },
    /** Returns the expected timeline entries of a contract's charges, by the ids of the attempts. */
    toRecord: (contractId: number): string[] =>
      [...seen.values()]
        .filter(({ attempt }) => attempt.contractId === contractId)
        .map(({ attempt }) => `${attempt.id} ${actionOf(attempt)}`)
        .sort(),
  };
}

function actionOf({ completedAt, errorCode }: AttemptRecord): string {
  if (completedAt === null) return 'billing_cycle_action_required';
  return errorCode === null ? 'billing_cycle_charged' : 'billing_cycle_declined';
}
