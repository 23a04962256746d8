/** The limits of webhooks: what the platform tells, the nightly pass, and what merchants' endpoints are given. */
import { readEnvironmentConfig } from '../../definition/config.ts';
import { functionDefinitions } from '../../definition/function-definitions.ts';
import { assumedOfRequests, measured } from '../costs/measured.ts';
import { busyMs } from '../costs/request-costs.ts';
import type { Limit } from './limit.ts';
import type { SimulatedMonth } from './simulate-month.ts';
import { chargesPerSecond } from './simulate-servers.ts';

const OWN = 'infra/definition/config.ts, prod';

/** `mostSecond`: the second in which the most is asked for; `secondOf`: a second of a minute's mean, with what chance adds. */
type Tools = {
  readonly mostSecond: (read: (second: number, minute: number) => number) => {
    minute: number;
    value: number;
  };
  readonly secondOf: (mean: number) => number;
};

/** Rows of what is not measured yet are absent. */
export function webhookLimits(simulated: SimulatedMonth, { mostSecond, secondOf }: Tools): Limit[] {
  const { month, minutes, servers } = simulated;
  const { config } = readEnvironmentConfig('prod');
  const charges = chargesPerSecond(month, month.serverAtOnce);
  const told = mostSecond((second, minute) => {
    const ofCharges = (servers.charging[second] ?? 0) * charges * month.webhooksPerCharge;
    return ofCharges + secondOf(((minutes.changes[minute] ?? 0) / 60) * month.webhooksPerChange);
  });
  const name = 'platform-webhooks';
  const toDo = `Raise reservedConcurrency and throttling of ${name}; the platform sends again what was refused, for four hours.`;
  const instances = config.reservedConcurrency[name] ?? config.accountConcurrency;
  return [
    {
      ...{ name: `throttle of ${name}`, unit: 'requests/s', peak: told.value, minute: told.minute },
      ...{ limit: config.throttling[name].ratePerSecond, source: OWN, toDo },
    },
    {
      ...{ name: `instances of ${name}`, unit: 'at once', minute: told.minute },
      ...{ peak: secondOf((told.value * busyMs(measured.webhookIn)) / 1000), limit: instances },
      ...{ source: OWN, toDo },
    },
    nightlyLimit(simulated),
    marksLimit(simulated),
    placingLimit(simulated),
    deliveryLimit(simulated),
  ];
}

const RAISE = 'Raise memoryMb in infra/definition/function-definitions.ts up to a whole processor';

/** The longest of all passes, as the worker shares its instances among stores. */
function nightlyLimit({ month, workers }: SimulatedMonth): Limit {
  const [longest] = workers.nights.toSorted((one, other) => other.hours - one.hours);
  return {
    ...{ name: `the longest nightly pass (store no. ${longest?.store.rank})`, unit: 'hours' },
    ...{ peak: longest?.hours ?? 0, limit: month.nightlyHours, minute: longest?.minute },
    source: 'from 2 to 6 o’clock at the store',
    toDo: `The pass goes on by day. ${RAISE} of store-events, then its reservedConcurrency.`,
  };
}

function marksLimit({ month, workers }: SimulatedMonth): Limit {
  return {
    ...{ name: 'from a webhook of the platform to its look', unit: 'minutes', isDelay: true },
    ...{ peak: workers.marks.minutes, limit: month.promisedMinutes, minute: workers.marks.atMinute },
    source: 'docs/objectives.md',
    toDo: `Nothing is lost: marks wait. ${RAISE} of store-events, then its reservedConcurrency.`,
  };
}

/** One run at a time places what all stores have entered. */
function placingLimit({ workers: { entered, mostPlaced } }: SimulatedMonth): Limit {
  const minute = mostAt(entered);
  return {
    ...{ name: 'entries that a run places', unit: 'a minute', peak: entered[minute] ?? 0, minute },
    ...{ limit: mostPlaced, source: 'functions/compose/webhooks/run-common-work.ts' },
    toDo: `Nothing is lost: the next run goes on. ${RAISE} of webhook-deliveries.`,
  };
}

function mostAt(counts: Float64Array): number {
  return counts.reduce((most, value, at) => (value > (counts[most] ?? 0) ? at : most), 0);
}

/** What all instances together deliver at most, by their processors. */
function deliveryLimit({ workers }: SimulatedMonth): Limit {
  const name = 'webhook-deliveries';
  const { config } = readEnvironmentConfig('prod');
  const instances = config.reservedConcurrency[name] ?? config.accountConcurrency;
  const speed = Math.min(1, functionDefinitions[name].memoryMb / assumedOfRequests.mbOfProcessor);
  const minute = mostAt(workers.delivered);
  return {
    ...{ name: "webhooks to merchants' endpoints", unit: 'webhooks/s', minute },
    ...{ peak: (workers.delivered[minute] ?? 0) / 60 },
    ...{ limit: (1000 * instances * speed) / measured.delivery.cpuMs, source: OWN },
    toDo: `Nothing is lost: events wait in the stream for 30 days. ${RAISE} of ${name}, then its reservedConcurrency.`,
  };
}
