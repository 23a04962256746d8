/** Plays steps one after the other, each with the operator's consent; what it changed is put back before the next. */

import { failureWords } from '../../../lib/stores/checks/failure-words.ts';
import { WouldWrite } from '../dry-run.ts';
import { createLab, type LabParts, type LabRequest } from './lab.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Finding, Step } from './step.ts';
import { Unmeasurable } from './unmeasurable.ts';

/** The operator has ended the run. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** `isBroken`: because the run was ended. */
type Unplayed = {
  readonly verdict: 'skipped' | 'would change';
  readonly words: string;
  readonly isBroken?: boolean;
};

/** What came of a step. `skipped`: nobody agreed to it, or the run was ended before. */
export type Played = {
  readonly step: Step;
  readonly outcome: Finding | Unplayed;
  /** Changed and put back. */
  readonly putBack: readonly string[];
  /** Changed, and still so. */
  readonly left: readonly string[];
  /** The changes of it that should have been put back. */
  readonly failed: readonly string[];
};

export type PlayRequest = Omit<LabRequest, 'ledger'> & {
  readonly steps: readonly Step[];
  readonly parts: LabParts;
  /** Says whether the step may be played; asks a person, or looks what was agreed to. */
  readonly agree: (step: Step, warning: string | undefined) => Promise<boolean>;
  /** Takes what there is to report up to now, after each change and each step. */
  readonly save: (played: readonly Played[]) => void;
};

export async function playSteps(request: PlayRequest): Promise<readonly Played[]> {
  const { steps, save } = request;
  const played: Played[] = [];
  for (const step of steps) {
    const ledger = createLedger(() => save([...played, toPlayed(step, UNDER_WAY, ledger)]));
    const outcome = await playStep(request, step, ledger);
    played.push(toPlayed(step, outcome, ledger));
    save(played);
  }
  return played;
}

const UNDER_WAY = {
  verdict: 'not measured',
  words: 'It was under way when this was written.',
  observed: [],
} as const;

const ENDED: Unplayed = { verdict: 'skipped', words: 'The run was ended before.', isBroken: true };

async function playStep(request: PlayRequest, step: Step, ledger: Ledger): Promise<Played['outcome']> {
  const { signal, parts, agree } = request;
  if (signal.aborted) return ENDED;
  const lab = createLab(parts, { ...request, ledger });
  const obstacle = step.obstacle?.(lab);
  if (obstacle !== undefined) return { verdict: 'not measured', words: obstacle, observed: [] };
  if (!(await agree(step, step.warning?.(lab))))
    return signal.aborted ? ENDED : { verdict: 'skipped', words: 'Nobody agreed to it.' };
  try {
    return await step.measure(lab);
  } catch (error) {
    return toOutcome(step, error);
  } finally {
    await ledger.putBack();
  }
}

function toOutcome(step: Step, error: unknown): Played['outcome'] {
  if (error instanceof WouldWrite)
    return { verdict: 'would change', words: `${step.changes?.what} ${step.changes?.undone}` };
  const observed = error instanceof Unmeasurable ? error.observed : [];
  const words =
    error instanceof Interrupted ? 'The run was ended while it was under way.' : failureWords(error);
  const isBroken = !(error instanceof Unmeasurable);
  return { verdict: 'not measured', words, observed, isBroken };
}

function toPlayed(step: Step, outcome: Played['outcome'], ledger: Ledger): Played {
  return { step, outcome, putBack: ledger.wasPutBack(), left: ledger.open(), failed: ledger.failed() };
}
