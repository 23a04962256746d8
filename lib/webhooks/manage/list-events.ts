/** Lists the events of a store as its endpoints receive them: the same ids and bodies, whether there is an endpoint or not. */
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
  /** All types when undefined. */
  readonly types: readonly string[] | undefined;
  /** The actor's kind, as in the body. */
  readonly actor: string | undefined;
  /** The time of the append: at or after `fromMs` and before `untilMs`, epoch milliseconds. */
  readonly fromMs: number | undefined;
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
  const numberAt = (atMs: number) => findStreamNumberSince(deps, shopId, atMs);
  const afterNumber = fromMs === undefined ? -1 : (await numberAt(fromMs)) - 1;
  const untilNumber = untilMs === undefined ? Infinity : await numberAt(untilMs);
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
