/** Lists a store's events with the ids and bodies that its endpoints receive, also if the store has no endpoint. */
import type { ShopId } from '../../domain/shop-id.ts';
import { findStreamNumberSince } from '../../storage/stream/read-stream.ts';
import type { Table } from '../../storage/table.ts';
import { readWebhookPayloads } from '../deliver/read-stream-as-webhooks.ts';
import type { WebhookPayload } from '../to-webhook-payload.ts';
import { type PageSpan, readStreamPage, type StreamPage } from './read-stream-page.ts';

type Deps = {
  readonly table: Pick<Table, 'query' | 'batchGet'>;
  readonly now: () => number;
  readonly gidNamespace: string;
};

export type EventsRequest = PageSpan & {
  /** The types of the events to list; undefined for all types. */
  readonly types: readonly string[] | undefined;
  /** The kind of the actor, as bodies have it; undefined for all. */
  readonly actor: string | undefined;
  /** Only events that were appended to the stream at this time or later, epoch milliseconds. */
  readonly fromMs: number | undefined;
  /** Only events that were appended to the stream before this time, epoch milliseconds. */
  readonly untilMs: number | undefined;
};

/** An event as it is sent to endpoints. */
type ListedEvent = { readonly number: number; readonly id: string; readonly payload: WebhookPayload };

/**
 * Lists a page of the events of the last 30 days.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listEvents(
  deps: Deps,
  shopId: ShopId,
  { types, actor, fromMs, untilMs, ...page }: EventsRequest,
): Promise<StreamPage<ListedEvent>> {
  const streamNumberAt = (atMs: number) => findStreamNumberSince(deps, shopId, atMs);
  const afterNumber = fromMs === undefined ? -1 : (await streamNumberAt(fromMs)) - 1;
  const untilNumber = untilMs === undefined ? Infinity : await streamNumberAt(untilMs);
  const belowNumber = Math.min(page.below ?? Infinity, untilNumber);
  const pageRange = {
    ...page,
    above: Math.max(page.above ?? -1, afterNumber),
    below: belowNumber === Infinity ? undefined : belowNumber,
  };
  return readStreamPage({ ...deps, shopId }, pageRange, async (records) =>
    (await readWebhookPayloads(deps, records)).flatMap(({ record: { number, id }, payload }) => {
      if (payload === undefined || (types && !types.includes(payload.type))) return [];
      return actor === undefined || payload.data.actor?.kind === actor ? [{ number, id, payload }] : [];
    }),
  );
}
