/** A store's run with the functions as deployed: instances start each minute, and webhooks report the attempts. */
import { createInbox } from '../../../lib/storage/inbox/inbox.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { settleDueAttempts } from '../../../sandbox/platform/admin/endpoint/settle-due-attempts.ts';
import { createSpeedWorld, type SpeedWorld, type StoreOfDay } from './speed-world.ts';
import { visit } from './visitors.ts';

const MINUTE_MS = 60_000;
const WEBHOOK_INTERVAL_MS = 5_000;

/** Runs until each order has an attempt, or the minutes are over. Without billing the customers are alone with their store. */
export async function simulateDay(
  day: StoreOfDay & { readonly isBilled: boolean; readonly minutes: number },
) {
  const world = await createSpeedWorld(day);
  const { clock, wait, state, startMs, startInstance } = world;
  const endAtMs = startMs + day.minutes * MINUTE_MS;
  const isOver = () => clock.nowMs >= endAtMs || (day.isBilled && state.attempts.size >= day.orderCount);

  async function runEachMinute(run: () => Promise<void>): Promise<void> {
    const running: Promise<void>[] = [];
    for (; !isOver(); await wait(MINUTE_MS)) running.push(run());
    await Promise.all(running);
  }

  if (day.isBilled) await world.switchBillingOn();
  await createWorkQueue(world).enqueue('billing', world.shopId);
  const work = Promise.all([
    visit(world, isOver),
    reportAttempts(world, isOver),
    runEachMinute(() => startInstance('billing').runBilling()),
    runEachMinute(() => startInstance('store-events').runStoreEvents({ withReconciliation: false })),
    runEachMinute(() => startInstance('webhook-deliveries').appendEvents()),
  ]);
  await world.runUntil(work);
  const [visits] = await work;
  const attempts = [...state.attempts.values()];
  const lastAttemptMs = Math.max(...attempts.map(({ createdAt }) => Date.parse(createdAt)));
  return { visits, attempts, minutesUntilLastAttempt: (lastAttemptMs - startMs) / MINUTE_MS };
}

/** The platform reports attempts that have ended, and `platform-webhooks` puts them into the inbox. */
async function reportAttempts(world: SpeedWorld, isOver: () => boolean): Promise<void> {
  const { clock, wait, state, shopId } = world;
  const [inbox, workQueue] = [createInbox(world), createWorkQueue(world)];
  const reported = new Set<number>();
  for (; !isOver(); await wait(WEBHOOK_INTERVAL_MS)) {
    settleDueAttempts(state, clock.nowMs, { mails: [], origin: '' });
    const touched = [...state.attempts.takeTouched().values()];
    const ended = touched.filter(({ id, completedAt }) => completedAt !== null && !reported.has(id));
    for (const { id } of ended) {
      reported.add(id);
      await inbox.put(shopId, { topicGroup: 'attempts', object: String(id) });
    }
    if (ended.length > 0) await workQueue.enqueue('store-events', shopId);
  }
}
