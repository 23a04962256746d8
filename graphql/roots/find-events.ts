/** The entries of timelines that `node`, `nodes` and `event` name, found here once their contracts are proved. */
import type { EventRecord } from '../../lib/timeline/event-record.ts';
import type { EventName } from '../../lib/timeline/timeline.ts';
import type { RunContext } from '../run/run-context.ts';
import type { RunningRoot } from '../run/start-root.ts';

/** As many as the timeline takes at a time. */
const PAGE = 100;

/** Adds the entries to the roots' outcomes. While a customer is acting, an absent one is refused as a foreign one. */
export async function findEvents(context: RunContext, running: readonly RunningRoot[]): Promise<void> {
  const names = running.flatMap(({ outcome }) => {
    if (outcome?.kind !== 'objects') return [];
    const shown = [...outcome.ids.events].filter(([position]) => !outcome.refused.has(position));
    return shown.flatMap(([, name]) => name ?? []);
  });
  const found = await readAll(context, names);
  for (const one of running) {
    if (one.outcome?.kind !== 'objects') continue;
    const { ids } = one.outcome;
    const refused = new Map(one.outcome.refused);
    const events = new Map<number, EventRecord>();
    for (const [position, name] of ids.events) {
      const record = refused.has(position) ? undefined : found.get(name?.number ?? '');
      if (record !== undefined) events.set(position, record);
      else if (context.identity.actingCustomerId !== undefined) refused.set(position, 'forbidden');
    }
    one.outcome = { kind: 'objects', ids, refused, events };
  }
}

/** By their numbers, each read once. */
async function readAll(
  { timeline, store }: RunContext,
  names: readonly EventName[],
): Promise<ReadonlyMap<string, EventRecord>> {
  const wanted = [...new Map(names.map((name) => [name.number as string, name])).values()];
  const found = new Map<string, EventRecord>();
  for (let from = 0; from < wanted.length; from += PAGE) {
    const records = await timeline.findEvents(store.shopId, wanted.slice(from, from + PAGE));
    for (const record of records) if (record !== undefined) found.set(record.number, record);
  }
  return found;
}
