/** `operator drill`: plays the restore, and tells what each step took and whether all held. */
import { failureWords } from '../../../lib/stores/checks/failure-words.ts';
import type { Outcome } from '../outcome.ts';
import { tableLines } from '../show-table.ts';
import type { Check } from './check.ts';
import { playDrill, type Step } from './play-drill.ts';

type Played = {
  readonly step: string;
  readonly ms: number;
  readonly checks: readonly Check[];
  readonly problem?: string;
};
type Watch = {
  readonly now: () => number;
  readonly columns: number;
  readonly progress: (words: string) => void;
};

/** Bad if anything did not hold, or a step broke off: the steps after it are not played. */
export async function runDrill({ now, columns, progress }: Watch, play = playDrill): Promise<Outcome> {
  const played: Played[] = [];
  const step: Step = async (name, work) => {
    progress(name);
    const checks: Check[] = [];
    const startedAtMs = now();
    const done = (more: object = {}) =>
      void played.push({ step: name, ms: Math.round(now() - startedAtMs), checks, ...more });
    try {
      const value = await work((what, holds) => void checks.push({ what, holds }));
      done();
      return value;
    } catch (error) {
      done({ problem: failureWords(error) });
      throw new StepFailed();
    }
  };
  await play(step).catch((error: unknown) => {
    if (!(error instanceof StepFailed)) throw error;
  });
  return toOutcome(played, columns);
}

class StepFailed extends Error {}

function toOutcome(played: readonly Played[], columns: number): Outcome {
  const totalMs = played.reduce((sum, { ms }) => sum + ms, 0);
  const ok = played.every(
    ({ checks, problem }) => problem === undefined && checks.every(({ holds }) => holds),
  );
  const rows = [...played, { step: 'together', ms: totalMs }].map(({ step, ms }) => ({
    step,
    time: `${ms} ms`,
  }));
  const checked = played.flatMap(({ checks, problem }) => [
    ...checks.map(({ what, holds }) => `  ${holds ? 'held' : 'NOT HELD'}: ${what}`),
    ...(problem === undefined ? [] : [`  BROKE OFF: ${problem}`]),
  ]);
  const verdict = ok ? 'All held.' : 'Not all held: a restore would lose or bring back what it must not.';
  return {
    json: { ok, ms: totalMs, steps: played },
    lines: [...tableLines(rows, columns), '', ...checked, '', verdict],
    isBad: !ok,
  };
}
