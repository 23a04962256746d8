/**
 * A store's normal load: changes come by chance, two of its endpoints answer in 200 ms or so, the third never does, and
 * neither do those of other stores. The schedule starts a run in each minute: it promises no second.
 */
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import {
  type DeliveryWorld,
  HOUR_MS,
  MINUTE_MS,
  type Receipt,
  type Receiver,
  START_MS,
} from './delivery-world.ts';

const STORE = 81000000001 as ShopId;
const OTHERS = [81000000002, 81000000003, 81000000004] as ShopId[];
/** What runs of the deployed worker last, at most. */
const RUN_MS = 240_000;
/** The store enables again what was disabled for being down. */
const ENABLE_MS = 12 * HOUR_MS;
const silent: Receiver = () => ({ afterMs: 10_000, answer: { failed: 'TIMEOUT' } });

type Load = {
  readonly perHour: number;
  readonly count: number;
  readonly random: () => number;
  /** Part of a minute from the first to the last second in which a run may begin. */
  readonly jitter: number;
};

/** Plays until each change had time to be told. */
export async function playNormalLoad(
  world: DeliveryWorld,
  { perHour, count, random, jitter }: Load,
): Promise<void> {
  const answers: Receiver = () => ({ afterMs: 100 + Math.round(200 * random()), answer: { status: 200 } });
  for (const id of ['one', 'two']) world.addEndpoint(STORE, id, answers);
  const down = ['down', ...OTHERS.map((shopId) => `down-${shopId}`)];
  for (const [index, shopId] of [STORE, ...OTHERS].entries())
    world.addEndpoint(shopId, down[index] ?? '', silent);
  const { time } = world;
  const state = { isOver: false };
  const change = async () => {
    for (let index = 0; index < count; index++) {
      const atMs = time.now() - (HOUR_MS / perHour) * Math.log(1 - random());
      await time.until(atMs);
      await world.place(STORE, `${Math.floor(random() * 100_000)}`);
      const other = OTHERS[index % OTHERS.length];
      if (other !== undefined) await world.place(other, `${index}`);
    }
    await time.until(time.now() + 5 * MINUTE_MS);
    state.isOver = true;
  };
  const enable = async () => {
    for (let version = 2; !state.isOver; version++) {
      await time.until(time.now() + ENABLE_MS);
      for (const id of down) await world.configure(id, { version });
    }
  };
  void enable();
  await Promise.all([
    change(),
    runEachMinute(
      world,
      () => jitter * random(),
      () => state.isOver,
    ),
  ]);
}

/** `phase`: when in its minute a run begins, from 0 to 1. */
async function runEachMinute(world: DeliveryWorld, phase: () => number, isOver: () => boolean) {
  const running: Promise<unknown>[] = [];
  for (let minute = 0; !isOver(); minute++) {
    await world.time.until(START_MS + (minute + phase()) * MINUTE_MS);
    running.push(world.run({ lastsMs: RUN_MS }));
    await world.time.until(START_MS + (minute + 1) * MINUTE_MS);
  }
  await Promise.allSettled(running);
}

/** From each change until each living endpoint has accepted it, in milliseconds, the shortest first. */
export function delaysOf(world: DeliveryWorld): number[] {
  const changedAt = new Map(world.streamOf(STORE).map(({ number, atMs }) => [number, atMs]));
  const living = world.receipts.filter(({ endpointId }) => endpointId === 'one' || endpointId === 'two');
  const delay = ({ number, answeredAtMs }: Receipt) => answeredAtMs - (changedAt.get(number) ?? 0);
  return living.map(delay).sort((one, other) => one - other);
}
