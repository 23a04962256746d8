/**
 * A store's normal load: changes come by chance, two of its endpoints answer in 200 ms or so, the third never does, and
 * neither do those of other stores. The schedule starts a run in each minute: it promises no second. As deployed, a run first
 * places what was entered before it began, and then serves the stores.
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
/** The maximum duration of the deployed worker's runs. */
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

type Change = { readonly shopId: ShopId; readonly contract: string; readonly atMs: number };

/**
 * Simulates the load until each change could be delivered. Returns the time of each event's change, by the event's
 * number.
 */
export async function simulateNormalLoad(
  world: DeliveryWorld,
  { perHour, count, random, jitter }: Load,
): Promise<ReadonlyMap<number, number>> {
  const answers: Receiver = () => ({ afterMs: 100 + Math.round(200 * random()), answer: { status: 200 } });
  for (const id of ['one', 'two']) world.addEndpoint(STORE, id, answers);
  const down = ['down', ...OTHERS.map((shopId) => `down-${shopId}`)];
  for (const [index, shopId] of [STORE, ...OTHERS].entries())
    world.addEndpoint(shopId, down[index] ?? '', silent);
  const { time } = world;
  const state = { isOver: false };
  const entered: Change[] = [];
  const change = async () => {
    for (let index = 0; index < count; index++) {
      await time.until(time.now() - (HOUR_MS / perHour) * Math.log(1 - random()));
      entered.push({ shopId: STORE, contract: `${Math.floor(random() * 100_000)}`, atMs: time.now() });
      entered.push({ shopId: OTHERS[index % 3] ?? STORE, contract: `${index}`, atMs: time.now() });
    }
    await time.until(time.now() + 5 * MINUTE_MS);
    state.isOver = true;
  };
  const changedAt = new Map<number, number>();
  const place = async () => {
    for (const { shopId, contract, atMs } of entered.splice(0)) {
      const number = await world.place(shopId, contract);
      if (shopId === STORE) changedAt.set(number, atMs);
    }
  };
  const enable = async () => {
    for (let version = 2; !state.isOver; version++) {
      await time.until(time.now() + ENABLE_MS);
      for (const id of down) await world.configure(id, { version });
    }
  };
  const runs = async () => {
    const running: Promise<unknown>[] = [];
    for (let minute = 0; !state.isOver; minute++) {
      await time.until(START_MS + (minute + jitter * random()) * MINUTE_MS);
      await place();
      running.push(world.run({ lastsMs: RUN_MS }));
      await time.until(START_MS + (minute + 1) * MINUTE_MS);
    }
    await Promise.allSettled(running);
  };
  void enable();
  await Promise.all([change(), runs()]);
  return changedAt;
}

/** From each change until each living endpoint has accepted it, in milliseconds, the shortest first. */
export function delaysOf({ receipts }: DeliveryWorld, changedAt: ReadonlyMap<number, number>): number[] {
  const living = receipts.filter(({ endpointId }) => endpointId === 'one' || endpointId === 'two');
  const delay = ({ number, answeredAtMs }: Receipt) => answeredAtMs - (changedAt.get(number) ?? 0);
  return living.map(delay).sort((one, other) => one - other);
}
