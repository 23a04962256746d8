/** The timeline is loaded with the first change, or the first entry that is asked for: most requests have neither. */
import { randomUUID } from 'node:crypto';
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { Timeline, TimelineDeps } from '../../lib/timeline/timeline.ts';

/** The real timeline of one container. */
export function composeTimeline(deps: Omit<TimelineDeps, 'newId'>): Timeline {
  const load = loadOnce(async () => {
    const { createTimeline } = await import('../../lib/timeline/timeline.ts');
    return createTimeline({ ...deps, newId: randomUUID });
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
  };
}
