/** Claims on keys, for changes that no entry tells: they claim, tell and release by themselves. */

import { type ClaimingRun, claimKey, tellRepeats } from '../storage/claim-key.ts';
import type { DueItems } from '../storage/due-items.ts';
import type { Repeat, ToldAnswer } from '../storage/repeat-claim.ts';
import type { Table } from '../storage/table.ts';
import { type FirstRequest, findFirst } from './find-first.ts';

export type RepeatClaims = {
  /** What became of the first request under the key. TEMPORARILY_UNAVAILABLE. */
  findFirst(repeat: Repeat): Promise<FirstRequest>;
  /** Claims the key without an intent; false: another request has it. TEMPORARILY_UNAVAILABLE. */
  claim(repeat: Repeat, run: Pick<ClaimingRun, 'mayRunAgain' | 'told'>): Promise<boolean>;
  /** Keeps what repeats are told, under this request's own claim; a refusal that is too long gives it up. TEMPORARILY_UNAVAILABLE. */
  tell(repeat: Repeat, told: Partial<ToldAnswer>): Promise<void>;
  /** Gives up this request's own claim: nothing was changed. TEMPORARILY_UNAVAILABLE. */
  release(repeat: Repeat): Promise<void>;
};

type Deps = {
  readonly table: Table;
  readonly dueItems: DueItems;
  readonly now: () => number;
  readonly newId: () => string;
};

/** Claims over the table. */
export function createRepeatClaims(deps: Deps): RepeatClaims {
  const { table, newId } = deps;
  return {
    findFirst: (repeat) => findFirst(deps, repeat),
    claim: (repeat, run) => claimKey(deps, repeat, { ...run, runId: newId() }),
    async tell(repeat, told) {
      const { place, replaces: id = '' } = repeat;
      const isKept = await tellRepeats(table, { repeat: place, id, isOnlyTeller: true }, told);
      if (!isKept) await release(table, repeat);
    },
    release: (repeat) => release(table, repeat),
  };
}

async function release(table: Table, { place, replaces }: Repeat): Promise<void> {
  await table.delete(place, { condition: 'runId = :mine', values: { ':mine': replaces ?? '' } });
}
