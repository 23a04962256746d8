/**
 * Which of the service's changes is told by which entry. A request may have found any value that was there while it ran: what
 * others made of it until it overwrote that, nobody can know. Of several that ask for the same at once one has the entry.
 */
import type { Made, Request, ToldStep } from './held-told.ts';

export type Matching = {
  /** Of one fact, from one night to the next. */
  readonly history: readonly Made[];
  readonly told: readonly ToldStep[];
  /** All of the service's. */
  readonly requests: readonly Request[];
  /** Told without values. */
  readonly isMute: boolean;
};

export function matched({ history, told, requests, isMute }: Matching) {
  const left = told.filter(({ doer }) => doer.kind !== 'UNKNOWN');
  /** Changes of others that a change of the service's own may have overwritten unseen. */
  const hidden = new Set<Made>();
  /** What others made, and a request that asked for the same has told. */
  const joined = new Map<Made, Request>();
  const known = new Set<Made>();
  const states = [history[0]?.before, ...history.map(({ after }) => after)];

  /** Takes the entry out, and hides what the change overwrote; undefined: none tells it. */
  function take(made: Made, { from }: Request, isWhose: (step: ToldStep) => boolean): ToldStep | undefined {
    const place = history.indexOf(made);
    const first = history.filter(({ at }) => at < from).length;
    const isOf = (step: ToldStep) =>
      isMute || (step.after === made.after && states.slice(first, place + 1).includes(step.before));
    const own = left.filter((step) => isWhose(step) && isOf(step));
    const step = own.find(({ before }) => before === made.before) ?? own[0];
    if (step === undefined) return undefined;
    left.splice(left.indexOf(step), 1);
    if (step.outcome === 'DONE') known.add(made);
    const found = states.findIndex((state, index) => index >= first && (isMute || state === step.before));
    for (const one of history.slice(found, place)) if (one.doer === undefined) hidden.add(one);
    return step;
  }

  function mayHaveFound(made: Made, value: string): boolean {
    const from = made.during?.from ?? Infinity;
    return history.slice(0, history.indexOf(made)).some(({ at, before }) => at >= from && before === value);
  }

  const own = history.filter(({ doer }) => doer !== undefined);
  const untold = own.filter(
    (made) => made.during === undefined || !take(made, made.during, (step) => isBy(step, made)),
  );
  const requestsOf = (step: ToldStep, { at }: Made) =>
    requests.filter(
      ({ doer, from, to, fromMs, toMs }) =>
        isSame(doer, step.doer) && from <= at && at < to && fromMs <= step.atMs && step.atMs <= toMs,
    );
  /** By a request beside it, which asked for the same. */
  const isBeside = (made: Made) => {
    for (const step of left) {
      const [other] = requestsOf(step, made);
      if (other && step.outcome === 'DONE' && take(made, other, (one) => one === step)) return other;
    }
    return undefined;
  };
  const alone = untold.filter((made) => isBeside(made) === undefined);
  /** What a request may have found as it was to be is told as made by others: to the request nothing changed. */
  const unnoticed = new Set(alone.filter((made) => mayHaveFound(made, made.after)));
  for (const made of history.filter(({ doer }) => doer === undefined)) {
    const other = isBeside(made);
    if (other) joined.set(made, other);
  }
  return {
    missing: alone.filter((made) => !unnoticed.has(made)),
    unnoticed,
    uncertain: own.filter((made) => made.isUncertain && !known.has(made)),
    left,
    hidden,
    joined,
  };
}

function isBy({ doer, outcome }: ToldStep, made: Made): boolean {
  return made.doer !== undefined && isSame(doer, made.doer) && (outcome === 'DONE' || made.isUncertain);
}

const isSame = (one: Request['doer'], other: Request['doer']) =>
  one.kind === other.kind && one.label === other.label;
