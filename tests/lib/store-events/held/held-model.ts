/**
 * What the timeline has to tell and endpoints have to be told, from what was done at the platform by whom alone: it knows
 * nothing of marks, snapshots and cursors. It returns what is wrong, in sentences.
 */

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
/** All was looked at, and nothing was under way. */
export type Night = 'night';

export type Told = {
  readonly id: string;
  readonly contract: number;
  readonly number: string;
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

/** What is wrong with what is told of these fields. */
export function wronglyTold(
  history: readonly (Made | Night)[],
  told: readonly Told[],
  facts: readonly Fact[],
) {
  return facts.flatMap((fact) => wrongOf(fact, historyOf(history, fact), stepsOf(told, fact)));
}

type Fact = { readonly contract: number; readonly field: string };

function historyOf(history: readonly (Made | Night)[], { contract, field }: Fact) {
  return history.filter((one) => one === 'night' || (one.contract === contract && one.field === field));
}

/** A change that changes nothing is none. */
function stepsOf(told: readonly Told[], { contract, field }: Fact): ToldStep[] {
  return told
    .filter((entry) => entry.contract === contract)
    .flatMap(({ changes, actor, outcome }) =>
      changes
        .filter((one) => one.field === field && one.before !== one.after)
        .map(({ before, after }) => ({ doer: actor, outcome, before: before ?? '', after: after ?? '' })),
    );
}

function wrongOf(fact: Fact, history: readonly (Made | Night)[], told: readonly ToldStep[]): string[] {
  const name = `${fact.contract} ${fact.field}`;
  const own = told.filter(({ doer }) => doer.kind !== 'UNKNOWN');
  const foreign = told.filter(({ doer }) => doer.kind === 'UNKNOWN');
  const wrong: string[] = [];
  const cleared: (Made | Night)[] = [];
  let isDoubtful = false;
  for (const [index, made] of history.entries()) {
    cleared.push(made);
    if (made === 'night' || made.doer === undefined) continue;
    const at = own.findIndex((step) => isOf(step, made));
    const [step] = at >= 0 ? own.splice(at, 1) : [];
    const isKnown = step?.outcome === 'DONE';
    // Nobody can know what was undone before anybody looked.
    if (!isKnown && made.isUncertain && isOverwritten(history.slice(index + 1))) isDoubtful = true;
    else if (step === undefined) wrong.push(`${name}: nobody tells ${textOf(made)} by ${made.doer.kind}`);
  }
  // Its process died: nobody knows whether it was made, or whether others made the same.
  isDoubtful ||= own.some(({ outcome }) => outcome === 'UNKNOWN');
  const invented = own.filter(({ outcome }) => outcome === 'DONE');
  wrong.push(...invented.map((step) => `${name}: nobody made ${textOf(step)} by ${step.doer.kind}`));
  const runs = runsOf(cleared);
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
  const { kind, label } = step.doer;
  const isDoer = kind === made.doer?.kind && label === made.doer?.label;
  return isSame && isDoer && (step.outcome === 'DONE' || made.isUncertain);
}

/** Whether somebody else changed it next. */
function isOverwritten([next]: readonly (Made | Night)[]): boolean {
  return next !== undefined && next !== 'night';
}

/** What others made of it between changes of the service's own and nights: each run's values, the one before it first. */
function runsOf(history: readonly (Made | Night)[]): string[][] {
  const runs: string[][] = [];
  let run: string[] | undefined;
  for (const one of history) {
    if (one === 'night' || one.doer !== undefined) run = undefined;
    else if (run === undefined) {
      run = [one.before, one.after];
      runs.push(run);
    } else run.push(one.after);
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

/** What an endpoint accepted, in order. */
export type Receipt = {
  readonly id: string;
  readonly contract: string | null;
  readonly changes: Told['changes'];
};

/**
 * Each entry at least once, as it is; those of a contract first in the order in which they happened. What others did has an
 * order of its own: it is found later, by a worker that may die before it has told all.
 */
export function wronglySent(name: string, receipts: readonly Receipt[], told: readonly Told[]): string[] {
  const first = new Map<string, number>();
  for (const [index, { id }] of receipts.entries()) if (!first.has(id)) first.set(id, index);
  const missing = told.filter(({ id }) => !first.has(id)).map(({ id }) => `${name} never got ${id}`);
  const orders = Map.groupBy(told, ({ contract, actor }) => `${contract} ${actor.kind === 'UNKNOWN'}`);
  const disordered = [...orders.values()].flatMap((entries) =>
    entries.flatMap((entry, index) => {
      const next = entries[index + 1];
      const [at, nextAt] = [first.get(entry.id) ?? 0, first.get(next?.id ?? '') ?? Infinity];
      return nextAt < at ? [`${name} got ${next?.id} before ${entry.id}, of ${entry.contract}`] : [];
    }),
  );
  const entries = new Map(told.map((entry) => [entry.id, entry]));
  const garbled = receipts
    .filter((one) => entries.has(one.id) && contentOf(one) !== contentOf(entries.get(one.id)))
    .map(({ id }) => `${name} got ${id} with other changes`);
  return [...missing, ...disordered, ...garbled];
}

/** Whose contract, and from what to what; of what people wrote only that it changed. */
function contentOf(
  one: (Pick<Told, 'changes'> & { readonly contract: number | string | null }) | undefined,
): string {
  const changes = one?.changes.map(({ field, before, after }) =>
    field === 'note' ? [field] : [field, before, after],
  );
  return JSON.stringify([String(one?.contract).split('/').at(-1), changes]);
}
