/**
 * The app is removed and installed again, its webhooks arrive late, twice or during an installation, and the table is
 * restored in between: in the end the store matches the platform.
 */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import { createInbox } from '../../../../lib/storage/inbox/inbox.ts';
import { createScheduledTaskRepository } from '../../../../lib/storage/scheduled-tasks.ts';
import { createSessionRepository } from '../../../../lib/storage/sessions/sessions.ts';
import type { Item } from '../../../../lib/storage/table.ts';
import { processInbox } from '../../../../lib/store-events/inbox/process-inbox.ts';
import { verifyUninstall } from '../../../../lib/store-events/store/verify-uninstall.ts';
import { installStore } from '../../../../lib/stores/lifecycle/install-store.ts';
import { completeRestore } from '../../../../lib/stores/restore/complete-restore.ts';
import { parseLoggedChanges } from '../../../../lib/stores/restore/logged-change.ts';
import { propertyRuns } from '../../../full-size.ts';
import { createWorld, storeFacts, type World } from '../../stores/world/world.ts';

const MINUTE_MS = 60_000;
const BACKUP_AGE_MS = 120 * MINUTE_MS;

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('remove' as const, 'install' as const, 'restore' as const) }),
    // A webhook of an uninstall arrives; at the nth call of the table the app is installed again.
    fc.record({ kind: fc.constant('told' as const), installsAt: fc.option(fc.nat(8), { nil: undefined }) }),
  ),
  { minLength: 1, maxLength: 10 },
);

test('a store is installed in the end if the platform has the app, whatever was told of it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.constantFrom(1, 40, 130)), async (script, minutes) => {
      const fixture = await createFixture();
      for (const step of script) {
        fixture.later((minutes.next().value ?? 1) * MINUTE_MS);
        if (step.kind === 'told') await fixture.processQueue(step.installsAt);
        else await fixture[step.kind]();
      }
      await fixture.processQueue();
      expect((await fixture.store())?.status).toBe(fixture.isThere() ? 'installed' : 'uninstalled');
    }),
    propertyRuns(3_000),
  );
});

test('a store that is installed again at any moment of a judgement stays installed', async () => {
  for (let call = 0; call < 10; call++) {
    const fixture = await createFixture();
    await fixture.remove();
    fixture.later(MINUTE_MS);
    await fixture.processQueue(call);
    if (!fixture.isThere()) await fixture.install();
    expect([call, (await fixture.store())?.status]).toEqual([call, 'installed']);
  }
});

/** One store, with backups of its table before each step. */
async function createFixture() {
  const world = await createWorld();
  const ref = await world.installed();
  const { shopId } = ref;
  const table = world.container().table;
  const store = () => world.container().stores.find(shopId);
  const backups = [{ atMs: 0, items: await everything(world) }];
  const log: string[] = [];
  const noteLine = (message: string) =>
    void log.push(JSON.stringify({ message, timestamp: new Date(world.now()).toISOString(), shopId }));
  let isThere = true;
  /** The grant that the platform knows. */
  let granted = (await store())?.platformVersionId;
  let installs = 1;

  async function install() {
    const accessToken = `shpat_${++installs}`;
    const grant = { accessToken, scopes: ['read_customers'] };
    const installed = await installStore(world.container(), { ...storeFacts(ref), grant });
    isThere = true;
    granted = installed.platformVersionId;
    noteLine('store.installed');
  }

  /** A worker acts on a webhook until nothing waits. */
  async function processQueue(installsAt?: number) {
    const { faults, ...parts } = world.container();
    faults.pause = async ({ count }) => {
      if (count === installsAt) await install();
    };
    const inbox = createInbox(parts);
    await inbox.put(shopId, { topicGroup: 'app', object: `${shopId}` });
    const deps = {
      ...parts,
      inbox,
      platformGidNamespace: 'shopify',
      scheduledTasks: createScheduledTaskRepository(parts),
      logger: { ...parts.logger, info: noteLine },
      sendWithinBudget: async ({
        store: { platformVersionId },
      }: {
        store: { platformVersionId?: unknown };
      }) => {
        if (!isThere || platformVersionId !== granted) throw new ServiceError('STORE_DISCONNECTED');
        return { data: {}, errors: undefined } as never;
      },
    };
    const app = {
      itemsPerCall: 50,
      includesUninstalledStores: true,
      process: async (run: Parameters<typeof verifyUninstall>[1], all: readonly never[]) => {
        await verifyUninstall(deps, run);
        return all;
      },
    };
    const turn = { shopId, endAtMs: world.now() + 600 * MINUTE_MS, signal: new AbortController().signal };
    for (let times = 0; times < 5; times++) {
      const retryAtMs = await processInbox({ ...deps, processorByTopicGroup: { app: app as never } }, turn);
      if (retryAtMs === undefined) return;
      world.advance(MINUTE_MS);
    }
    throw new Error('the worker comes to no end');
  }

  return {
    store,
    processQueue,
    install,
    isThere: () => isThere,
    later(ms: number) {
      world.advance(ms);
    },
    async remove() {
      backups.push({ atMs: world.now(), items: await everything(world) });
      isThere = false;
    },
    /** To two hours ago, and completed; what is to be installed is. */
    async restore() {
      backups.push({ atMs: world.now(), items: await everything(world) });
      const backup = backups.findLast(({ atMs }) => atMs <= world.now() - BACKUP_AGE_MS);
      if (backup === undefined) return;
      for (const { pk, sk } of await everything(world)) await table.delete({ pk, sk });
      for (const item of backup.items) await table.put(item);
      const deps = world.container();
      const { toInstall } = await completeRestore(
        {
          ...deps,
          scan: world.scan,
          sessions: createSessionRepository(deps),
          eraseAgain: async () => 0,
          replayBilling: async () => 0,
        },
        parseLoggedChanges(log.join('\n'), backup.atMs),
      );
      if (toInstall.length > 0 && isThere) await install();
    },
  };
}

async function everything({ scan }: World): Promise<readonly Item[]> {
  return (await scan({ filter: 'attribute_exists(pk)' })).items;
}
