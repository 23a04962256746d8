/**
 * Random histories of a contract's orders, through the service's mutations, against a plain list of days: orders come
 * within 48 hours of the list, no date that was promised changes by itself, and a revert restores what was before.
 * Without the scheduled work, an order after the last date that was promised comes later, by less than an interval.
 */
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isFullSize, propertyRuns } from '../../full-size.ts';
import { type History, histories } from './history-commands.ts';
import { createHistory } from './order-history.ts';

const RUNS = propertyRuns(1_000);
const counts: Record<string, number> = {};

async function runHistory({ setup, commands }: History, isWorking: boolean): Promise<void> {
  const history = createHistory(setup);
  for (const command of commands)
    await history.run(command.name === 'wait' && !isWorking ? { ...command, isWorking } : command);
  for (const [name, count] of Object.entries(history.counts)) counts[name] = (counts[name] ?? 0) + count;
  const entries = await history.world.entries();
  expect(entries.filter(({ outcome }) => outcome !== 'DONE')).toEqual([]);
}

test.each([
  ['with the scheduled work', true],
  ['without the scheduled work, which gives further orders their dates', false],
])(`${RUNS.numRuns} histories follow the list %s`, async (_name, isWorking) => {
  await fc.assert(
    fc.asyncProperty(histories, (history) => runHistory(history, isWorking)),
    RUNS,
  );
});

afterAll(() => {
  if (isFullSize) console.info(counts);
});
