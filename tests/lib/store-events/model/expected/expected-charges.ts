/** The expected events of billing attempts, by any actor: each outcome once, and in that order for each endpoint. */
import type { AttemptRecord } from '../../../../../sandbox/platform/state/contract-records.ts';
import type { Receipt, RecordedActor, RecordedEvent } from './recorded-event.ts';

/** An attempt as the platform has it in the end. */
export type Charge = {
  readonly attempt: AttemptRecord;
  /** Undefined for an attempt that was not made through the service. */
  readonly actor: RecordedActor | undefined;
  readonly isUncertain: boolean;
};

/** Returns the outcome of an attempt, as in the topics of its webhooks. */
function stateOf({ completedAt, isChallenged, orderId }: AttemptRecord) {
  if (completedAt === null) return isChallenged === true ? 'challenged' : 'pending';
  return orderId === null ? 'failure' : 'success';
}

const RECORDED_AS = { challenged: 'action_required', failure: 'declined', success: 'charged' } as const;
const OF_CHARGE = /^billing_cycle_(?:charged|declined|action_required)$/;

const isOfCharge = ({ action }: RecordedEvent) => OF_CHARGE.test(action);

/** Returns the faults of the charges' timeline entries. */
export function wronglyCharged(charges: readonly Charge[], recorded: readonly RecordedEvent[]): string[] {
  const entries = recorded.filter(isOfCharge);
  const ids = new Set(charges.map(({ attempt }) => String(attempt.id)));
  const invented = entries.filter((entry) => entry.outcome === 'DONE' && !ids.has(attemptOf(entry) ?? ''));
  return [
    ...charges.flatMap((charge) => wrongOfCharge(charge, entries)),
    ...invented.map(({ id, action }) => `${id} tells ${action} of an attempt that nobody made`),
  ];
}

function attemptOf({ changes }: RecordedEvent): string | null | undefined {
  return changes.find(({ field }) => field.endsWith('.billingAttempts'))?.after;
}

function wrongOfCharge({ attempt, actor, isUncertain }: Charge, entries: readonly RecordedEvent[]): string[] {
  const state = stateOf(attempt);
  const name = `attempt ${attempt.id} of ${attempt.contractId} (${actor?.kind ?? 'elsewhere'}, ${state})`;
  const own = entries.filter((entry) => attemptOf(entry) === String(attempt.id));
  if (own.length > 1) return [`${name} is told ${own.length} times`];
  const [entry] = own;
  const isExpected = state !== 'pending';
  if (entry === undefined) return isExpected ? [`${name} is not told`] : [];
  const isWhose = entry.actor.kind === actor?.kind && entry.actor.label === actor?.label;
  const isNobodys = entry.actor.kind === 'UNKNOWN' && (actor === undefined || isUncertain);
  return [
    ...(isWhose || isNobodys ? [] : [`${name} is told as ${entry.actor.kind}'s`]),
    ...(entry.contract === attempt.contractId ? [] : [`${name} is told of ${entry.contract}`]),
    ...(!isExpected || entry.action === `billing_cycle_${RECORDED_AS[state]}`
      ? []
      : [`${name} is told as ${entry.action}`]),
  ];
}

/** Returns the faults of an endpoint's charge events. */
export function wronglySentCharges(
  name: string,
  receipts: readonly Receipt[],
  recorded: readonly RecordedEvent[],
): string[] {
  return recorded.filter(isOfCharge).flatMap((entry) => {
    const attempt = attemptOf(entry);
    if (entry.outcome !== 'DONE' || attempt == null) return [];
    const own = receipts.filter((one) => one.attempt === attempt);
    const types = own.map(({ type }) => type);
    const type = entry.action.replace('billing_cycle_', 'order.');
    const ids = new Set(own.map(({ id, type: each }) => `${id} ${each}`)).size;
    const request = types.indexOf('order.action_required');
    return [
      ...(types.includes(type) ? [] : [`${name} never got ${type} of attempt ${attempt}`]),
      ...(ids > new Set(types).size ? [`${name} got attempt ${attempt} under several ids`] : []),
      ...(request > types.indexOf(type) ? [`${name} got ${type} of ${attempt} before it was asked for`] : []),
    ];
  });
}

/** Returns the contracts whose creation is not recorded exactly once, with its actor. */
export function wronglyMade(
  made: ReadonlyMap<number, { readonly actor: RecordedActor | undefined; readonly isUncertain: boolean }>,
  recorded: readonly RecordedEvent[],
): string[] {
  const entries = recorded.filter(({ action }) => action === 'subscription_created');
  const invented = entries.filter(({ contract }) => !made.has(contract));
  const wrong = [...made].flatMap(([contract, { actor, isUncertain }]) => {
    const own = entries.filter((entry) => entry.contract === contract);
    const kinds = own.map(({ actor }) => actor.kind).join(', ');
    const isRight = own.length === 1 && (kinds === (actor?.kind ?? 'UNKNOWN') || isUncertain);
    return isRight
      ? []
      : [`contract ${contract} of ${actor?.kind ?? 'elsewhere'} is told as made by ${kinds || 'nobody'}`];
  });
  return [...wrong, ...invented.map(({ contract }) => `contract ${contract} is told as made`)];
}
