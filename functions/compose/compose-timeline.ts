/** The timeline is loaded with the first change, or the first entry that is asked for: most requests have neither. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { loadOnce } from '../../lib/domain/load-once.ts';
import { settleAll } from '../../lib/domain/settle-all.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import type { Timeline, TimelineDeps } from '../../lib/timeline/timeline.ts';

/** Many containers at once may place in one store's stream. */
const BACK_OFF_MS = { first: 10, most: 320 };

/** The real timeline of one container. */
export function composeTimeline(deps: Omit<TimelineDeps, 'newId' | 'placeInStream'>): Timeline {
  const load = loadOnce(async () => {
    const [{ createTimeline }, { createPlacing }, { createWakeMarks }] = await settleAll([
      import('../../lib/timeline/timeline.ts'),
      import('../../lib/storage/stream/place-in-stream.ts'),
      import('../../lib/storage/wakes/wake-marks.ts'),
    ]);
    const { wake } = createWakeMarks({ ...deps, newId: randomUUID });
    const wakeDelivery = (shopId: ShopId) => wake('webhook-deliveries', shopId);
    const placeInStream = createPlacing({ ...deps, wake: wakeDelivery, backOff });
    return createTimeline({ ...deps, placeInStream, newId: randomUUID });
  });
  return {
    begin: (author) => async (intent) => (await load()).begin(author)(intent),
    readEvents: async (request) => (await load()).readEvents(request),
    findEvents: async (...names) => (await load()).findEvents(...names),
    repeats: {
      findFirst: async (repeat) => (await load()).repeats.findFirst(repeat),
      claim: async (...one) => (await load()).repeats.claim(...one),
      tell: async (...one) => (await load()).repeats.tell(...one),
      release: async (repeat) => (await load()).repeats.release(repeat),
    },
    placeInStream: async (placing) => (await load()).placeInStream(placing),
  };
}

async function backOff(tries: number): Promise<void> {
  await wait(Math.random() * Math.min(BACK_OFF_MS.first * 2 ** tries, BACK_OFF_MS.most));
}
