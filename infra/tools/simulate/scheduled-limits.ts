/** What a run of the scheduled work has to do, kind by kind, beside the part of the run that the kind has for it. */
import { RUN_MS } from '../../../functions/scheduled-work/run-due-work.ts';
import { SETTLE_AFTER_MS } from '../../../lib/timeline/open-intent.ts';
import { everyMinutes } from '../../definition/timetable.ts';
import { measured } from '../costs/measured.ts';
import { busyMs } from '../costs/request-costs.ts';
import type { Month } from '../load/assumptions.ts';
import type { Limit } from './limit.ts';
import type { SimulatedMonth } from './simulate-month.ts';

const EVERY_MINUTES = everyMinutes['scheduled-work'];
const RUN_SECONDS = RUN_MS / 1000;
const WAIT_MINUTES = SETTLE_AFTER_MS / 60_000;
const SOURCE = 'functions/scheduled-work/run-due-work.ts';

type Run = {
  /** Seconds that each kind would need for all that is due. */
  readonly tell: number;
  readonly resume: number;
  readonly renew: number;
  /** Minutes from a charge to its entry, at most. */
  readonly toldAfterMinutes: number;
};
type Need = Pick<Run, 'tell' | 'resume' | 'renew'>;

/** What a kind has of a run: its equal part, and what the others leave of theirs. */
function partOf({ kindsOfWork }: Month, need: Need, kind: keyof Need): number {
  const equal = RUN_SECONDS / kindsOfWork;
  const others = (['tell', 'resume', 'renew'] as const).filter((other) => other !== kind);
  return RUN_SECONDS - others.reduce((sum, other) => sum + Math.min(need[other], equal), 0);
}

/** Runs of the month, each with what is due at it; charges that a run does not come to are left to the next. */
function runsOf({ month, minutes }: SimulatedMonth): Run[] {
  const every = EVERY_MINUTES;
  const { length } = minutes.charges;
  const perCharge = tellSeconds(month.scheduledStores);
  const runs: Run[] = [];
  let waiting = 0;
  let runsBehind = 0;
  for (let minute = 0; minute < length; minute += every) {
    // Those of the youngest minutes are for the next run.
    waiting += sumOf(minutes.charges, minute - every - WAIT_MINUTES, minute - WAIT_MINUTES);
    const need = {
      tell: waiting * perCharge,
      resume: (sumOf(minutes.resumes, minute - every, minute) * month.resumeSeconds) / month.scheduledStores,
      // At worst all grants are due in one run.
      renew: (month.stores * month.renewSeconds) / month.scheduledStores,
    };
    const done = Math.min(need.tell, partOf(month, need, 'tell'));
    runsBehind = done < need.tell ? runsBehind + 1 : 0;
    waiting = Math.max(0, waiting - done / perCharge);
    runs.push({ ...need, toldAfterMinutes: WAIT_MINUTES + every * (1 + runsBehind) + done / 60 });
  }
  return runs;
}

/** Charges told in each second of a minute, while a run tells them as fast as it can. */
export function tellingPerSecond(simulated: SimulatedMonth): Float64Array {
  const { month, minutes } = simulated;
  const perMinute = new Float64Array(minutes.charges.length);
  for (const [index, need] of runsOf(simulated).entries()) {
    const from = index * EVERY_MINUTES;
    for (let minute = 0; minute < Math.min(need.tell, partOf(month, need, 'tell')) / 60; minute++)
      perMinute[from + minute] = 1 / tellSeconds(month.scheduledStores);
  }
  return perMinute;
}

/** One charge: its processor time, and its part of what is waited for while some stores are read at once. */
function tellSeconds(storesAtOnce: number): number {
  const { toldCharge } = measured;
  const waiting = busyMs({ ...toldCharge, cpuMs: 0 }) / storesAtOnce;
  return (busyMs({ ...toldCharge, platformRequests: 0 }) + waiting) / 1000;
}

/** The rows of the scheduled work. */
export function scheduledLimits(simulated: SimulatedMonth): Limit[] {
  const { month } = simulated;
  const runs = runsOf(simulated);
  const row = (
    name: string,
    toDo: string,
    read: (run: Run) => readonly [peak: number, limit: number],
  ): Limit => {
    const shares = runs.map((run) => read(run));
    const at = shares.reduce((worst, [peak, limit], index) => {
      const [most = 0, of = 1] = shares[worst] ?? [];
      return peak / limit > most / of ? index : worst;
    }, 0);
    const [peak = 0, limit = 1] = shares[at] ?? [];
    return { name, unit: 's', peak, limit, minute: at * EVERY_MINUTES, source: SOURCE, toDo };
  };
  const later =
    'Nothing is lost, the next run goes on. A run uses one processor: to do more, several have to share the stores.';
  const of = (kind: keyof Need) => (run: Run) => [run[kind], partOf(month, run, kind)] as const;
  return [
    row('telling charges, of a run', later, of('tell')),
    row('ending pauses, of a run', later, of('resume')),
    row('renewing grants, of a run', 'Renew more at once in the scheduled work.', of('renew')),
    row('a whole run of the scheduled work', later, ({ tell, resume, renew }) => [
      tell + resume + renew,
      RUN_SECONDS,
    ]),
    {
      ...row('from a charge to its entry', later, ({ toldAfterMinutes }) => [
        toldAfterMinutes,
        month.promisedMinutes,
      ]),
      unit: 'minutes',
      isDelay: true,
      withoutLoad: `${EVERY_MINUTES + WAIT_MINUTES} minutes of that are there without any load: ${WAIT_MINUTES} in which the bank answers, and ${EVERY_MINUTES} between two runs.`,
      source: 'docs/objectives.md',
    },
  ];
}

function sumOf(counts: Float64Array, from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at++) total += counts[(at + counts.length) % counts.length] ?? 0;
  return total;
}
