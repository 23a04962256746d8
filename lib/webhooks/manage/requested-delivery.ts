/**
 * The worker's state of an endpoint in the store's view: a replay request counts immediately, although the worker
 * applies it at its next run.
 */
import type { Table } from '../../storage/table.ts';
import { type Backlog, listBacklogs } from '../deliver/backlog.ts';
import { type DeliveryHead, readHead } from '../deliver/delivery-head.ts';
import { rewind } from '../deliver/passed-numbers.ts';
import type { EndpointRecord } from '../endpoints.ts';

type Read = Pick<Table, 'get' | 'query'>;
type RequestedReplay = Pick<EndpointRecord, 'id' | 'shopId' | 'startsAt' | 'replay'>;

/**
 * Reads the head: no event of the requested replay counts as processed.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readRequestedHead(table: Read, endpoint: RequestedReplay): Promise<DeliveryHead> {
  const { shopId, id: endpointId, startsAt, replay } = endpoint;
  const head = await readHead(table, { shopId, endpointId, startsAt });
  if (isOpen(endpoint, head) && replay !== undefined) rewind(head.passed, replay.fromNumber);
  return head;
}

/**
 * Lists the backlogs with one kind of key, without the events of the requested replay.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function listRequestedBacklogs(
  table: Read,
  endpoint: RequestedReplay,
  { head, place }: { readonly head: DeliveryHead; readonly place: 'RETRYING' | 'PARKED' },
): Promise<Backlog[]> {
  const { shopId, id: endpointId, replay } = endpoint;
  const requestedNumber = isOpen(endpoint, head) ? replay?.fromNumber : undefined;
  const from = Math.min(requestedNumber ?? Infinity, head.replayingFrom ?? Infinity);
  const all = await listBacklogs(table, { shopId, endpointId, place });
  return all.flatMap((backlog) => {
    const numbers = backlog.numbers.filter((number) => number < from);
    return numbers.length === 0 ? [] : [{ ...backlog, numbers }];
  });
}

function isOpen({ replay }: RequestedReplay, { replayId }: DeliveryHead): boolean {
  return replay !== undefined && replay.id !== replayId;
}
