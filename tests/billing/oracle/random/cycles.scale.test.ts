/** The oracle's cycles are those of the emulated platform, which computes them in another way. */
import { expect, test } from '@jest/globals';
import {
  createScheduleSegment,
  findCycleByIndex,
} from '../../../../sandbox/platform/state/billing-cycles.ts';
import { formatIsoInstant } from '../../../../sandbox/platform/state/instant.ts';
import { createSeededState } from '../../../../sandbox/platform/state/seed/seed.ts';
import { createDefaultBehaviour } from '../../../../sandbox/platform/state/unpublished-behaviour.ts';
import { propertyRuns } from '../../../full-size.ts';
import { listCycles } from '../cycles.ts';
import { generateDescription } from './generate-description.ts';

const { numRuns, seed: firstSeed } = propertyRuns(5_000);

test('the cycles of contracts that are drawn at random are those of the emulated platform', () => {
  const [store] = createSeededState({
    nowMs: Date.parse('2026-11-21T08:00:00Z'),
    contracts: 0,
  }).stores.values();
  const template = store?.contracts.get(9101001);
  if (template === undefined) throw new Error('The seed has no contract.');
  for (let run = 0; run < numRuns; run += 1) {
    const options = { seed: firstSeed + run, contractCount: 8, days: 5, isQuiet: true };
    for (const { policy, createdMs, id } of generateDescription(options).contracts) {
      const { hasEmptyCycle = false, ...frequency } = policy;
      const anchors = frequency.anchors.map((anchor) => ({ ...anchor, cutoffDay: null }));
      const behaviour = { severalAnchors: hasEmptyCycle ? 'emptyCycle' : 'alternate' } as const;
      const segment = createScheduleSegment(
        { unpublished: { ...createDefaultBehaviour(), ...behaviour } },
        { fromIndex: 1, startAt: formatIsoInstant(createdMs), policy: { ...frequency, anchors } },
      );
      const contract = { ...template, schedule: [segment], cycleEdits: {}, billedCycles: [] };
      const cycles = listCycles(policy, createdMs, createdMs + 3 * 366 * 86_400_000).slice(0, 40);
      const found = cycles.map(({ index }) => findCycleByIndex(contract, index));
      expect([options.seed, id, found.map((cycle) => [cycle?.startMs, cycle?.endMs])]).toEqual([
        ...[options.seed, id, cycles.map(({ startMs, endMs }) => [startMs, endMs])],
      ]);
    }
  }
});
