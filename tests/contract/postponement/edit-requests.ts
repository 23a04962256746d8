/** The requests of a history that change at most one order, and the refusals that they may get. */
import type { BillingCycle } from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import type { Named } from './history-commands.ts';
import type { createHistoryWorld, Payload } from './history-world.ts';

const TOO_FAR = ['UPCOMING_CYCLE_LIMIT_EXCEEDED', 'DATE_TOO_FAR'];
export const REFUSED_DATES = [
  ...TOO_FAR,
  ...['DATE_IN_PAST', 'OUT_OF_BOUNDS', 'BILLING_DATE_SET_ON_SKIPPED', 'ORDER_IS_POSTPONED'],
];
const NO_ORDER = ['CONTRACT_NOT_ACTIVE', 'NO_UPCOMING_ORDER'];
export const REFUSED_NOW = [...NO_ORDER, 'OUT_OF_BOUNDS', 'INCOMPLETE_BILLING_ATTEMPTS'];
export const REFUSED_INTERVALS = [...REFUSED_DATES, 'ORDER_TOO_CLOSE', 'INCOMPLETE_BILLING_ATTEMPTS'];
const REFUSED_RESTORES = [...TOO_FAR, 'DATE_IN_PAST', 'ORDER_IS_POSTPONED'];

type EditCommand = Named<'skip'> | Named<'restore'> | Named<'move'> | Named<'pause'> | Named<'resume'>;

type EditRequest = {
  readonly send: () => Promise<Payload>;
  /** The cycles that may change. */
  readonly allowed: readonly number[];
  readonly refusals: readonly string[];
};

/** @returns undefined when there is no such order */
export function editRequest(
  world: ReturnType<typeof createHistoryWorld>,
  command: EditCommand,
): EditRequest | undefined {
  const { running, ahead } = world;
  const of = (send: EditRequest['send'], cycle?: BillingCycle, refusals: readonly string[] = []) => ({
    ...{ send, refusals, allowed: cycle === undefined ? [] : [cycle.index] },
  });
  if (command.name === 'pause') {
    const until = command.days === 0 ? undefined : formatIsoInstant(world.now() + command.days * DAY_MS);
    return of(() => world.pause(until));
  }
  if (command.name === 'resume') return of(() => world.resume(undefined));
  const isRestore = command.name === 'restore';
  const cycle = (isRestore ? running().filter(({ skipped }) => skipped) : ahead())[command.order];
  if (cycle === undefined) return undefined;
  if (command.name === 'move') {
    return of(() => world.move(cycle.index, world.instantIn(cycle, command.at)), cycle, REFUSED_DATES);
  }
  const refusals = isRestore ? REFUSED_RESTORES : REFUSED_DATES;
  return of(() => world.skip(cycle.index, !isRestore), cycle, refusals);
}
