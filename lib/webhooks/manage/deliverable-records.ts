/** Selects the stream records that an endpoint receives, and counts those ahead of it. */

import type { ShopId } from '../../domain/shop-id.ts';
import { readHead, readStream } from '../../storage/stream/read-stream.ts';
import type { StreamRecord } from '../../storage/stream/stream-record.ts';
import type { Table } from '../../storage/table.ts';
import { typeOfRecord, type WebhookEventType } from '../../timeline/event-type.ts';
import type { EndpointRecord } from '../endpoints.ts';

type Deps = { readonly table: Table; readonly now: () => number };
type EventFilter = Pick<EndpointRecord, 'types' | 'startsAt'>;
export type DeliverableRecord = { readonly record: StreamRecord; readonly type: WebhookEventType };

/** Returns the records that the endpoint receives, each with its type. */
export function deliverableRecords(
  { types, startsAt }: EventFilter,
  records: readonly StreamRecord[],
): DeliverableRecord[] {
  return records.flatMap((record) => {
    const type = record.number < startsAt ? undefined : typeOfRecord(record);
    return type === undefined || (types !== null && !types.includes(type)) ? [] : [{ record, type }];
  });
}

/** The number of records that are checked individually. */
const MAX_READ = 1000;

type Counted = {
  readonly fromNumber: number;
  /** Numbers that do not count. */
  readonly without?: ReadonlySet<number>;
};

/**
 * Counts the records from a number on that the endpoint receives, and returns the first. Exact for the store's next
 * thousand records; all later ones are counted.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function countDeliverable(
  deps: Deps,
  endpoint: EventFilter & { readonly shopId: ShopId },
  { fromNumber, without = new Set() }: Counted,
): Promise<{ readonly count: number; readonly first: StreamRecord | undefined }> {
  const end = await readHead(deps, endpoint.shopId);
  const span = { fromNumber, belowNumber: (end?.number ?? 0) + 1, limit: MAX_READ };
  const records = await readStream(deps, endpoint.shopId, span);
  const deliverable = deliverableRecords(endpoint, records).filter(
    ({ record }) => !without.has(record.number),
  );
  const last = records.at(-1)?.number ?? end?.number ?? 0;
  const behind = records.length < MAX_READ ? 0 : (end?.number ?? last) - last;
  const withoutBehind = [...without].filter((number) => number > last).length;
  return { count: deliverable.length + Math.max(0, behind - withoutBehind), first: deliverable[0]?.record };
}
