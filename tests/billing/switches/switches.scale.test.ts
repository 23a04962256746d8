/** Billing is switched on and off, stopped, restored and uninstalled at any moment: no order is charged twice or forgotten. */
import { expect, test } from '@jest/globals';
import { fullSize, isFullSize, propertyRuns } from '../../full-size.ts';
import { createDraw } from '../oracle/random/draw.ts';
import { createStorm, type RandomFaults } from '../run/fault-profile.ts';
import { simulate } from '../run/simulate.ts';
import { checkSwitches } from './check-switches.ts';
import { drawStore } from './draw-store.ts';
import { arrangeSwitches } from './use-switches.ts';

const { seed: firstSeed } = propertyRuns(1);
const SEQUENCES = fullSize(1_000);
const TIMEOUT_MS = 7_200_000;
/** The behaviours of the platform in which it prevents least. */
const PERMISSIVE = { openAttempts: 'several', paymentsPerOrder: 'several', keysRemembered: 'hour' } as const;

type Counts = Record<string, number>;

async function runSequence(seed: number): Promise<{ violations: string[]; counts: Counts }> {
  const draw = createDraw(seed);
  const description = drawStore(draw);
  const isPermissive = seed % 2 === 0;
  const faults: RandomFaults = {
    ...createStorm(seed, isPermissive ? PERMISSIVE : {}),
    requestMs: () => draw.int(0, draw.pick([500, 2_000, 4_000])),
  };
  let switches: ReturnType<typeof arrangeSwitches> | undefined;
  const simulation = await simulate(description, faults, (world) => {
    switches = arrangeSwitches(world, { draw, description, isPermissive });
  });
  if (switches === undefined) throw new Error('Nothing was arranged.');
  const findings = await checkSwitches(simulation, switches.expected, description.untilMs);
  return {
    violations: [...switches.faults, ...findings.violations],
    counts: { ...switches.counts, ...findings.counts },
  };
}

test(
  'charges no order twice, forgets none, and makes no attempt while it is off or stopped',
  async () => {
    const violations: string[] = [];
    const counts: Counts = {};
    for (let run = 0; run < SEQUENCES; run += 1) {
      const seed = firstSeed + run;
      const sequence = await runSequence(seed);
      violations.push(...sequence.violations.map((text) => `seed ${seed}: ${text}`));
      for (const [name, count] of Object.entries(sequence.counts)) counts[name] = (counts[name] ?? 0) + count;
    }
    if (isFullSize) console.info(JSON.stringify({ sequences: SEQUENCES, ...counts }, null, 1));
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ 'orders due': expect.any(Number), restore: expect.any(Number) });
  },
  TIMEOUT_MS,
);
