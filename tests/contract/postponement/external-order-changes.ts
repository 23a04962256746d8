/** Reads a contract as after the platform's webhooks, and lists the changes of its orders that the timeline calls external. */
import { observeContracts } from '../../../lib/store-events/contracts/observe-contracts.ts';
import { NO_TOMBSTONES } from '../world/observe.ts';
import { sendImmediately } from '../world/reading-of.ts';
import type { createPostponementWorld } from './postponement-world.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

export async function externalOrderChanges(
  world: Pick<
    ReturnType<typeof createPostponementWorld>,
    'process' | 'place' | 'entries' | 'now' | 'ref' | 'client' | 'platform' | 'store'
  >,
): Promise<string[]> {
  await world.place();
  const { deps } = world.process(undefined, 'store-events');
  const parts = { ...deps, logger, tombstones: NO_TOMBSTONES, sendWithinBudget: sendImmediately(world) };
  const run = { store: world.store, endAtMs: world.now() + 60_000, baselineAtMs: undefined };
  await observeContracts(parts, run, [world.ref.contractNumber]);
  await world.place();
  const external = (await world.entries()).filter(({ actor }) => actor.kind === 'UNKNOWN');
  return external.flatMap(({ changes }) =>
    changes
      .filter(({ field }) => field.startsWith('billingCycles'))
      .map(({ field, before, after }) => `${field}: ${before} to ${after}`),
  );
}
