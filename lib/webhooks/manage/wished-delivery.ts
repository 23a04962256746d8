/**
 * What the worker knows of an endpoint, as its store sees it: a replay that was asked for counts from then on, though the
 * worker takes it up at its next look.
 */
import type { Table } from '../../storage/table.ts';
import { type Backlog, listBacklogs } from '../deliver/backlog.ts';
import { type DeliveryHead, readHead } from '../deliver/delivery-head.ts';
import { rewind } from '../deliver/passed-numbers.ts';
import type { EndpointRecord } from '../endpoints.ts';

type Read = Pick<Table, 'get' | 'query'>;
type Wished = Pick<EndpointRecord, 'id' | 'shopId' | 'startsAt' | 'replay'>;

/** The head: nothing is passed that comes again by the replay. TEMPORARILY_UNAVAILABLE. */
export async function readWishedHead(table: Read, endpoint: Wished): Promise<DeliveryHead> {
  const { shopId, id: endpointId, startsAt, replay } = endpoint;
  const head = await readHead(table, { shopId, endpointId, startsAt });
  if (isOpen(endpoint, head) && replay !== undefined) rewind(head.passed, replay.fromNumber);
  return head;
}

/** The backlogs of one place, without what comes again by the replay. TEMPORARILY_UNAVAILABLE. */
export async function listWishedBacklogs(
  table: Read,
  endpoint: Wished,
  { head, place }: { readonly head: DeliveryHead; readonly place: 'RETRYING' | 'PARKED' },
): Promise<Backlog[]> {
  const { shopId, id: endpointId, replay } = endpoint;
  const asked = isOpen(endpoint, head) ? replay?.fromNumber : undefined;
  const from = Math.min(asked ?? Infinity, head.replayingFrom ?? Infinity);
  const all = await listBacklogs(table, { shopId, endpointId, place });
  return all.flatMap((backlog) => {
    const numbers = backlog.numbers.filter((number) => number < from);
    return numbers.length === 0 ? [] : [{ ...backlog, numbers }];
  });
}

function isOpen({ replay }: Wished, { replayId }: DeliveryHead): boolean {
  return replay !== undefined && replay.id !== replayId;
}
