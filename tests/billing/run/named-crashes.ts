/** Crash points that random stores seldom reach: for each, a small store whose service comes to it. */
import type { Answer, Line } from '../oracle/description.ts';
import { answers, at, describeExample, type Given } from '../oracle/examples/examples.ts';
import type { Draw } from '../oracle/random/draw.ts';
import { HOUR_MS } from '../oracle/zone-time.ts';
import { CALM, type RandomFaults } from './fault-profile.ts';

/** The day of the first order. */
const DAY = '2027-01-05';
const FROM_MS = at('2027-01-02T12:00Z');

/** `runHourMs`: the hour of the run that finds the first order, in UTC. */
type Script = (draw: Draw, runHourMs: number) => Given & { readonly webhooks?: 'lost' };

/** The platform's price stays that of the first step until the service sets the next one. */
const lineWithSteps: Line = {
  ...{ quantity: 1, currentPriceMinor: 800 },
  steps: [
    { afterCycle: 0, priceMinor: 800 },
    { afterCycle: 1, priceMinor: 900 },
  ],
};

const replaceExpiredCard: Script = (draw, runHourMs) => ({
  answers: answers('EXPIRED_CARD', 'PAYS'),
  events: [{ kind: 'card', atMs: runHourMs + draw.int(2, 60) * HOUR_MS, card: { answers: answers('PAYS') } }],
});

/** The customer confirms the payment, or the bank declines it, after so many hours. */
const confirmLater = (outcome: string, hours: number): readonly Answer[] => [
  { outcome, seconds: hours * 3600, isChallenge: true },
  ...answers('PAYS'),
];

/** By the name of the function and of its write or request (`crash-points.ts`). */
const SCRIPTS: Readonly<Record<string, Script>> = {
  // The price of an order is refused because a later order is edited by itself, and the service reads which one.
  'billing: subscriptionBillingCycles': (draw, runHourMs) => ({
    contract: { lines: [lineWithSteps] },
    events: [{ kind: 'edit', atMs: runHourMs - draw.int(1, 48) * HOUR_MS, index: 2, totalMinor: 700 }],
  }),
  'billing: subscriptionContractCancel': (draw) => ({
    answers: answers('DO_NOT_HONOR'),
    settings: { declined: { retryAfterDays: draw.pick([[], [3], [1, 2]]), finalAction: 'CANCEL' } },
  }),
  // The worker has nothing to do for a store that has not switched billing on yet, and does so minutes later.
  'billing: delete WAKE billing': (draw) => ({
    settings: { enabled: false },
    changes: [
      {
        ...{ kind: 'settings', atMs: FROM_MS + draw.int(61, 300) * 1000 },
        settings: { enabled: true, startsOn: DAY },
      },
    ],
  }),
  'store-events: currentAppInstallation': (draw, runHourMs) => ({
    changes: [
      {
        ...{ kind: 'zone', atMs: runHourMs - draw.int(30, 60) * HOUR_MS },
        timeZone: draw.pick(['Europe/Berlin', 'Europe/London', 'Africa/Cairo']),
      },
    ],
  }),
  // The night meets an attempt that waits for its customer at the bank.
  'store-events: put DUE charge': (draw) => ({
    answers: confirmLater(draw.pick(['PAYS', 'INSUFFICIENT_FUNDS']), draw.int(24, 40)),
  }),
  // The scheduled work has seen that the customer is to confirm, and sees that the bank declines.
  'scheduled-work: delete REMINDER': (draw) => ({
    ...{ answers: confirmLater('INSUFFICIENT_FUNDS', draw.int(1, 3)), webhooks: 'lost' },
  }),
  'webhook-deliveries: put LEDGER RETRYING': replaceExpiredCard,
  'webhook-deliveries: delete REMINDER': replaceExpiredCard,
  'webhook-deliveries: update WAKE billing': replaceExpiredCard,
  // The contract is read for its customer's change in the minute in which the service sets the price, and has to be read again.
  'webhook-deliveries: update WAKE store-events': (draw, runHourMs) => ({
    contract: { lines: [lineWithSteps] },
    events: [{ kind: 'address', atMs: runHourMs + draw.int(5, 50) * 1000 }],
  }),
};

export type CrashKind = 'after' | 'before';
export const NAMED_POINTS: readonly string[] = Object.keys(SCRIPTS);
/** The behaviours of the platform in which it prevents least. */
const PERMISSIVE = { openAttempts: 'several', paymentsPerOrder: 'several', keysRemembered: 'hour' } as const;

/** Draws a store of up to three contracts, and faults by which its service crashes when it first comes to the point. */
export function createNamedCrash(draw: Draw, point: string, kind: CrashKind) {
  const script = SCRIPTS[point];
  if (script === undefined) throw new Error(`${point} has no script.`);
  const hour = draw.int(3, 20);
  const { webhooks, settings, contract, ...given } = script(draw, at(`${DAY}T00:00Z`) + hour * HOUR_MS);
  const createdMs = at('2026-12-05T08:20Z') + draw.int(-300, 300) * 60_000;
  const { contracts, store, ...example } = describeExample({
    ...given,
    settings: { hour, startsOn: DAY, ...settings },
    contract: { createdMs, ...contract },
    until: '2027-01-11T12:00Z',
  });
  const changes = store.changes.map((change) => ({ ...change, atMs: Math.max(change.atMs, FROM_MS) }));
  const ids = draw.list(draw.int(1, 3), (index) => index + 1);
  const requestMs = draw.pick([10, 200]);
  let crashCount = 0;
  const faults: RandomFaults = {
    ...{ ...CALM, isFaulty: true, behaviour: PERMISSIVE },
    processFault: (functionName) => (step) => {
      if (crashCount > 0 || `${functionName}: ${step}` !== point) return undefined;
      crashCount += 1;
      return kind;
    },
    webhookDelays: () => (webhooks === 'lost' ? [] : [2_000]),
    requestMs: () => draw.int(0, requestMs),
  };
  const description = {
    ...{ ...example, fromMs: FROM_MS, store: { ...store, changes } },
    contracts: contracts.flatMap((one) => ids.map((id) => ({ ...one, id }))),
  };
  return { description, faults, countCrashes: () => crashCount };
}
