/**
 * What the timeline has to tell and endpoints have to be told, from what was done at the platform by whom alone: it knows
 * nothing of marks, snapshots and cursors. It returns what is wrong, in sentences.
 */

import { MUTE, textOf as toldText } from './held-facts.ts';

/** Who did something, as the timeline names it. */
export type Doer = { readonly kind: string; readonly label?: string };

/** The platform's own state went from one value to another. */
export type Made = {
  readonly contract: number;
  readonly field: string;
  readonly before: string;
  readonly after: string;
  /** Undefined: not through the service. */
  readonly doer: Doer | undefined;
  /** The process of the service died, and perhaps does not know what it did. */
  readonly isUncertain: boolean;
};
/** All was looked at, and nothing was under way: what was not told by then never is. */
export type Night = { readonly nightAtMs: number };

export type Told = {
  readonly id: string;
  readonly contract: number;
  readonly number: string;
  readonly action: string;
  readonly createdAtMs: number;
  readonly outcome: string;
  readonly actor: Doer;
  readonly changes: readonly {
    readonly field: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
};
type ToldStep = {
  readonly doer: Doer;
  readonly outcome: string;
  readonly before: string;
  readonly after: string;
};

/** What is wrong with what is told of these fields, from one night to the next. */
export function wronglyTold(
  history: readonly (Made | Night)[],
  told: readonly Told[],
  facts: readonly Fact[],
) {
  return daysOf(history).flatMap(({ made, sinceMs, untilMs }) => {
    const entries = told.filter(({ createdAtMs }) => createdAtMs > sinceMs && createdAtMs <= untilMs);
    return facts.flatMap((fact) => {
      const own = made.filter(({ contract, field }) => contract === fact.contract && field === fact.field);
      const steps = stepsOf(entries, fact);
      if (MUTE.has(fact.field)) {
        const isOther = made.some(
          (one) => one.contract === fact.contract && one.field === 'customerPaymentMethod',
        );
        return wrongOfMute(own, { fact, told: steps, isUnsure: isOther && fact.field === 'instrument' });
      }
      // A night confirms what it finds unchanged: what was perhaps made counts until then.
      const isUnsure = entries.some((entry) => entry.contract === fact.contract && leavesOpen(entry, fact));
      return wrongOf(isUnsure ? own.map(doubtful) : own, { fact, told: steps, isUnsure });
    });
  });
}

type Fact = { readonly contract: number; readonly field: string };
type Day = { readonly made: readonly Made[]; readonly sinceMs: number; readonly untilMs: number };

/** A history ends with a night. */
function daysOf(history: readonly (Made | Night)[]): Day[] {
  const days: Day[] = [];
  let made: Made[] = [];
  let sinceMs = -Infinity;
  for (const one of history) {
    if (!('nightAtMs' in one)) made.push(one);
    else {
      days.push({ made, sinceMs, untilMs: one.nightAtMs });
      made = [];
      sinceMs = one.nightAtMs;
    }
  }
  return days;
}

/** A change that changes nothing is none. */
function stepsOf(told: readonly Told[], { contract, field }: Fact): ToldStep[] {
  return told
    .filter((entry) => entry.contract === contract)
    .flatMap(({ changes, actor, outcome, action }) =>
      changes
        .map((one) => (action === 'payment_method_replaced' ? { ...one, field: 'instrument' } : one))
        .filter((one) => one.field === field && (MUTE.has(field) || one.before !== one.after))
        .map(({ before, after }) => ({
          ...{ doer: actor, outcome },
          ...{ before: toldText(field, before), after: toldText(field, after) },
        })),
    );
}

/** What is told without values can only be counted. */
function wrongOfMute(history: readonly Made[], { fact, told, isUnsure }: Telling): string[] {
  const name = `${fact.contract} ${fact.field}`;
  const own = told.filter(({ doer }) => doer.kind !== 'UNKNOWN');
  const foreign = told.filter(({ doer }) => doer.kind === 'UNKNOWN').length;
  const mine = history.filter(({ doer }) => doer !== undefined);
  const wrong = mine.flatMap((made) => {
    const at = own.findIndex((step) => isBy(step, made));
    if (at < 0 && !made.isUncertain) return [`${name}: nobody tells a change by ${made.doer?.kind}`];
    if (at >= 0) own.splice(at, 1);
    return [];
  });
  const isDoubtful =
    mine.some(({ isUncertain }) => isUncertain) || told.some((one) => one.outcome === 'UNKNOWN');
  const invented = own.filter(({ outcome }) => outcome === 'DONE');
  wrong.push(...invented.map(({ doer }) => `${name}: nobody made a change by ${doer.kind}`));
  const runs = runsOf(history);
  // Without values, nobody can tell what a change of the service's own has found.
  const least =
    mine.length > 0 || isUnsure ? 0 : runs.filter(([start, ...values]) => values.at(-1) !== start).length;
  const most = runs.reduce((sum, [, ...values]) => sum + values.length, 0);
  if (!isDoubtful && (foreign < least || foreign > most))
    wrong.push(`${name}: elsewhere it went ${runs.map((run) => run.join(' → '))}, told ${foreign} times`);
  return wrong;
}

/** What was perhaps made, and brings this along without naming it: the price of a delivery, the id of a new thing. */
function leavesOpen({ outcome, changes }: Told, { field }: Fact): boolean {
  if (outcome !== 'UNKNOWN') return false;
  const mute = changes.filter(({ before, after }) => before === after).map((one) => one.field);
  return mute.some(
    (one) => field.startsWith(`${one}.`) || (one === 'deliveryMethod' && field === 'deliveryPrice'),
  );
}

const doubtful = (made: Made) => ({ ...made, isUncertain: true });

type Telling = { readonly fact: Fact; readonly told: readonly ToldStep[]; readonly isUnsure: boolean };

function wrongOf(history: readonly Made[], { fact, told, isUnsure }: Telling): string[] {
  const name = `${fact.contract} ${fact.field}`;
  const own = told.filter(({ doer }) => doer.kind !== 'UNKNOWN');
  const foreign = told.filter(({ doer }) => doer.kind === 'UNKNOWN');
  const wrong: string[] = [];
  let isDoubtful = isUnsure;
  for (const [index, made] of history.entries()) {
    if (made.doer === undefined) continue;
    const at = own.findIndex((step) => isOf(step, made));
    const [step] = at >= 0 ? own.splice(at, 1) : [];
    const isKnown = step?.outcome === 'DONE';
    // Nobody can know what was undone before anybody looked.
    if (!isKnown && made.isUncertain && (isUnsure || isOverwritten(history.slice(index + 1))))
      isDoubtful = true;
    else if (step === undefined) wrong.push(`${name}: nobody tells ${textOf(made)} by ${made.doer.kind}`);
  }
  // Its process died: nobody knows whether it was made, or whether others made the same.
  isDoubtful ||= own.some(({ outcome }) => outcome === 'UNKNOWN');
  const invented = own.filter(({ outcome }) => outcome === 'DONE');
  wrong.push(...invented.map((step) => `${name}: nobody made ${textOf(step)} by ${step.doer.kind}`));
  const runs = runsOf(history);
  if (!isDoubtful && !explains(runs, foreign)) {
    const made = runs.map((run) => run.join(' → ')).join(' | ');
    wrong.push(
      `${name}: elsewhere it went ${made}, and told is ${foreign.map(textOf).join(', ') || 'nothing'}`,
    );
  }
  return wrong;
}

function isOf(step: ToldStep, made: Made): boolean {
  const isSame = step.before === made.before && step.after === made.after;
  return isSame && isBy(step, made);
}

function isBy({ doer, outcome }: ToldStep, made: Made): boolean {
  const isDoer = doer.kind === made.doer?.kind && doer.label === made.doer?.label;
  return isDoer && (outcome === 'DONE' || made.isUncertain);
}

/** Whether somebody changed it next. */
function isOverwritten([next]: readonly Made[]): boolean {
  return next !== undefined;
}

/** What others made of it between changes of the service's own: each run's values, the one before it first. */
function runsOf(history: readonly Made[]): string[][] {
  const runs: string[][] = [];
  let run: string[] | undefined;
  for (const { doer, before, after } of history) {
    if (doer !== undefined) run = undefined;
    else if (run === undefined) {
      run = [before, after];
      runs.push(run);
    } else run.push(after);
  }
  return runs;
}

/** Whether each run is told from its start to its end, by way of some of its values, and nothing else is told. */
function explains([run, ...later]: readonly (readonly string[])[], told: readonly ToldStep[]): boolean {
  if (run === undefined) return told.length === 0;
  const [start = '', ...values] = run;
  return lengthsOf(start, values, told).some((length) => explains(later, told.slice(length)));
}

/** How many of the next steps may have told of these values. */
function lengthsOf(start: string, values: readonly string[], told: readonly ToldStep[]): number[] {
  const lengths = values.at(-1) === start || values.length === 0 ? [0] : [];
  const [next, ...others] = told;
  if (next === undefined || next.before !== start) return lengths;
  const more = values.flatMap((value, index) =>
    value === next.after ? lengthsOf(value, values.slice(index + 1), others).map((length) => length + 1) : [],
  );
  return [...new Set([...lengths, ...more])];
}

const textOf = ({ before, after }: Pick<ToldStep, 'before' | 'after'>) => `${before} → ${after}`;
