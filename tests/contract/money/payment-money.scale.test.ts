/**
 * Checks the money per delivery before and after any change, by each actor: never a free delivery, never a double
 * payment.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '../../full-size.ts';
import { runScenario, type Tally } from './payment-checks.ts';
import { type Scenario, stories } from './payment-world.ts';

const RUNS = propertyRuns(1_000);

test(`${RUNS.numRuns} random stores: each change costs what the oracle says, shows it before, and is charged`, async () => {
  const tally: Tally = {};
  await fc.assert(
    fc.asyncProperty(stories, (scenario) => runScenario(scenario, tally)),
    RUNS,
  );
  // Enough changes must succeed instead of being rejected. A few runs are too few for this check.
  const happened = [
    'interval changed',
    'plan changed',
    'added',
    'swapped',
    'charged',
    'interval refused',
    'plan refused',
  ];
  const rare = happened.filter((what) => (tally[what] ?? 0) * 10 < RUNS.numRuns);
  if (RUNS.numRuns >= 100) expect(rare).toEqual([]);
});

test('a line without a plan lists no option whose price a change does not take', async () => {
  const weekly = { name: 'A', billing: ['WEEK', 1] as const, delivery: ['WEEK', 1] as const };
  const wednesdays = [{ type: 'WEEKDAY', day: 3 }] as const;
  await runScenario(
    {
      currency: 'USD',
      catalogue: [100, 100, 100, 100, 100, 100],
      groups: [
        { productIds: [8_109_001, 8_109_003], plans: [{ ...weekly, prices: [], anchors: wednesdays }] },
        { productIds: [8_109_003], plans: [{ ...weekly, prices: [['PRICE', 1, null]], anchors: [] }] },
      ],
      own: 1,
      lines: [{ variant: 0, quantity: 1, baseMinor: 100, kind: 'no plan' }],
      cyclesOver: 0,
      skippedEvery: 2,
      hasOrigin: false,
      commands: [{ kind: 'lines', as: 'customer', variant: 4, isAdded: false }],
    } as unknown as Scenario,
    {},
  );
});
