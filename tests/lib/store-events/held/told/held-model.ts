/**
 * What the timeline has to tell and endpoints have to be told, from what was done at the platform by whom alone: it knows
 * nothing of marks, snapshots and cursors. It returns what is wrong, in sentences.
 */

import { explains, runsOf, textOf } from './held-courses.ts';
import { MUTE, textOf as toldText } from './held-facts.ts';
import { type Matching, matched } from './held-matching.ts';
import type { Made, Night, Request, Told, ToldStep } from './held-told.ts';

/** What is wrong with what is told of these fields, from one night to the next. */
export function wronglyTold(
  history: readonly (Made | Night)[],
  told: readonly Told[],
  { facts, requests }: { readonly facts: readonly Fact[]; readonly requests: readonly Request[] },
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
        const isUnsure = isOther && fact.field === 'instrument';
        return wrongOfMute(own, { fact, told: steps, requests, isUnsure });
      }
      // A night confirms what it finds unchanged: what was perhaps made counts until then.
      const isUnsure = entries.some((entry) => entry.contract === fact.contract && leavesOpen(entry, fact));
      return wrongOf(isUnsure ? own.map(doubtful) : own, { fact, told: steps, requests, isUnsure });
    });
  });
}

/** What people wrote, or what may name them: of somebody who was erased it is not kept. */
const PERSONAL = /^(?:note|customAttributes|customerPaymentMethod|discounts\..+)$/;

/** What is wrong with what is told of the service's own changes, whoever else has changed something. */
export function wronglyToldOwn(
  history: readonly Made[],
  told: readonly Told[],
  { facts, requests }: { readonly facts: readonly Fact[]; readonly requests: readonly Request[] },
): string[] {
  return facts.flatMap((fact) => {
    if (MUTE.has(fact.field) || PERSONAL.test(fact.field)) return [];
    const own = history.filter(({ contract, field }) => contract === fact.contract && field === fact.field);
    const steps = stepsOf(told, fact);
    const { missing, left } = matched({ history: own, told: steps, requests, isMute: false });
    const name = `${fact.contract} ${fact.field}, of somebody who was erased`;
    const untold = missing.filter(({ isUncertain }) => !isUncertain);
    const invented = left.filter(({ outcome }) => outcome === 'DONE');
    return [
      ...untold.map((made) => `${name}: nobody tells ${textOf(made)} by ${made.doer?.kind}`),
      ...invented.map((step) => `${name}: nobody made ${textOf(step)} by ${step.doer.kind}`),
    ];
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
    .flatMap(({ changes, actor, outcome, action, createdAtMs }) =>
      changes
        .map((one) => (action === 'payment_method_replaced' ? { ...one, field: 'instrument' } : one))
        .filter((one) => one.field === field && (MUTE.has(field) || one.before !== one.after))
        .map(({ before, after }) => ({
          ...{ doer: actor, outcome, atMs: createdAtMs },
          ...{ before: toldText(field, before), after: toldText(field, after) },
        })),
    );
}

/** What is told without values can only be counted. */
function wrongOfMute(history: readonly Made[], { fact, told, requests, isUnsure }: Telling): string[] {
  const name = `${fact.contract} ${fact.field}`;
  const foreign = told.filter(({ doer }) => doer.kind === 'UNKNOWN').length;
  const { missing, left, ...seen } = matched({ history, told, requests, isMute: true });
  const mine = history.filter(({ doer }) => doer !== undefined);
  const wrong = missing
    .filter((made) => !made.isUncertain)
    .map(({ doer }) => `${name}: nobody tells a change by ${doer?.kind}`);
  const invented = left.filter(({ outcome }) => outcome === 'DONE');
  wrong.push(...invented.map(({ doer }) => `${name}: nobody made a change by ${doer.kind}`));
  const isDoubtful =
    mine.some(({ isUncertain }) => isUncertain) || told.some((one) => one.outcome === 'UNKNOWN');
  const runs = runsOf(history, seen);
  // Without values, nobody can tell what a change of the service's own has found.
  const isFound = mine.length > 0 || seen.joined.size > 0 || isUnsure;
  const least = isFound
    ? 0
    : runs.filter(({ starts, values }) => !starts.includes(values.at(-1) ?? '')).length;
  // A method that is replaced is told of the contracts that use it when that is looked at.
  const most = isUnsure ? Infinity : runs.reduce((sum, { values }) => sum + values.length, 0);
  if (!isDoubtful && (foreign < least || foreign > most))
    wrong.push(`${name}: elsewhere it went ${shown(runs)}, told ${foreign} times`);
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

type Telling = Pick<Matching, 'told' | 'requests'> & { readonly fact: Fact; readonly isUnsure: boolean };

function wrongOf(history: readonly Made[], { fact, told, requests, isUnsure }: Telling): string[] {
  const name = `${fact.contract} ${fact.field}`;
  const foreign = told.filter(({ doer }) => doer.kind === 'UNKNOWN');
  const { missing, uncertain, left, ...seen } = matched({ history, told, requests, isMute: false });
  // Nobody can know what was undone before anybody looked.
  const doubtful = uncertain.filter((made) => isUnsure || made !== history.at(-1));
  // Its process died: nobody knows whether it was made, or whether others made the same.
  const isDoubtful = isUnsure || doubtful.length > 0 || left.some(({ outcome }) => outcome === 'UNKNOWN');
  const wrong = missing
    .filter((made) => !doubtful.includes(made))
    .map((made) => `${name}: nobody tells ${textOf(made)} by ${made.doer?.kind}`);
  const invented = left.filter(({ outcome }) => outcome === 'DONE');
  wrong.push(...invented.map((step) => `${name}: nobody made ${textOf(step)} by ${step.doer.kind}`));
  const runs = runsOf(history, seen);
  if (!isDoubtful && !explains(runs, foreign)) {
    const what = foreign.map(textOf).join(', ') || 'nothing';
    wrong.push(`${name}: elsewhere it went ${shown(runs)}, and told is ${what}`);
  }
  return wrong;
}

const shown = (runs: ReturnType<typeof runsOf>) =>
  runs.map(({ starts, values }) => `${starts.join('|')} → ${values.join(' → ')}`).join(', ') || 'nowhere';
