/** The limits of webhooks: what the platform tells, the nightly pass, and what merchants' endpoints are given. */
import { readEnvironmentConfig } from '../../definition/config.ts';
import { measuredToCome } from '../costs/measured.ts';
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
  const { webhookIn } = measuredToCome;
  return [
    {
      ...{ name: `throttle of ${name}`, unit: 'requests/s', peak: told.value, minute: told.minute },
      ...{ limit: config.throttling[name].ratePerSecond, source: OWN, toDo },
    },
    ...(webhookIn === undefined
      ? []
      : [
          {
            ...{ name: `instances of ${name}`, unit: 'at once', minute: told.minute },
            ...{
              peak: secondOf((told.value * busyMs(webhookIn)) / 1000),
              limit: instances,
              source: OWN,
              toDo,
            },
          },
        ]),
    ...nightlyLimit(simulated),
    ...deliveryLimit(simulated),
  ];
}

/** The store whose pass takes longest: by its points, of which the pass takes a part. */
function nightlyLimit({ month, stores }: SimulatedMonth): Limit[] {
  const { nightlyContract } = measuredToCome;
  if (nightlyContract === undefined) return [];
  const hours = stores.map(({ store }) => {
    const points = store.customers * nightlyContract.points;
    const waiting = points / (store.pointsPerSecond * month.nightlyShare);
    return Math.max(waiting, (store.customers * busyMs(nightlyContract)) / 1000) / 3600;
  });
  return [
    {
      ...{ name: 'the nightly pass of a store', unit: 'hours', peak: Math.max(...hours), minute: undefined },
      ...{ limit: month.nightlyHours, source: 'lib/webhooks' },
      toDo: 'The pass goes on in the next night where this one ended; a larger share of the points ends it sooner.',
    },
  ];
}

/** The busiest server's events at one endpoint: what comes above its limit waits, in order. */
function deliveryLimit({ month }: SimulatedMonth): Limit[] {
  if (measuredToCome.delivery === undefined) return [];
  const charges = chargesPerSecond(month, month.serverAtOnce);
  return [
    {
      ...{ name: 'events of a store that charges, to one endpoint', unit: 'events/s', minute: undefined },
      ...{ peak: charges, limit: month.deliverPerSecond, source: 'lib/webhooks/deliver' },
      toDo: 'Nothing is lost: events wait in the stream for 30 days.',
    },
  ];
}
