/** The delivery worker's state of an endpoint. The endpoint's configuration and its backlogs have items of their own. */
import type { ShopId } from '../../domain/shop-id.ts';
import { type ItemKey, type Table, versionCondition } from '../../storage/table.ts';

/** The state of an endpoint's delivery. All times are epoch milliseconds. */
export type EndpointDeliveryState = {
  readonly shopId: ShopId;
  readonly endpointId: string;
  /** 0 if the state was never written. */
  version: number;
  readonly processedNumbers: ProcessedNumbers;
  lastAcceptedAtMs?: number | undefined;
  /** When the endpoint first refused an event since the last accepted event. */
  failingSinceMs?: number | undefined;
  /** When the service resumed after hours of inactivity: earlier refusals do not count. */
  resumedAtMs?: number | undefined;
  /** When the endpoint, after refusing many contracts' events, accepted one again: earlier refusals do not count. */
  recoveredAtMs?: number | undefined;
  /** When the store changed the endpoint, or enabled it again: earlier `Retry-After` times do not count. */
  changedAtMs?: number | undefined;
  /** When an endpoint that is down last received a probe outside the schedule. */
  probedAtMs?: number | undefined;
  /** Until when no event is sent, because the overloaded endpoint requested a delay. */
  pausedUntilMs?: number | undefined;
  /** False when no contract is parked, so no read is necessary. */
  mayHaveParked: boolean;
  /** The endpoint's version in the last run. */
  endpointVersion?: number | undefined;
  /** Set when failures disabled the endpoint. Only in force while the endpoint has the `endpointVersion` in it. */
  disabled?: DisabledState | undefined;
  /** The id of the last replay request that was applied. */
  replayId?: string | undefined;
  /** The first stream number of this replay, until its events are removed from the backlogs. */
  replayingFrom?: number | undefined;
  /** The ids of the resend requests that were applied. */
  resendIds: readonly string[];
};

export type DisabledState = {
  readonly endpointVersion: number;
  /** GONE: the endpoint returned 410. FAILING: it accepted nothing for 24 hours. */
  readonly reason: 'GONE' | 'FAILING';
  /** When the endpoint was disabled, epoch milliseconds. */
  readonly atMs: number;
  /** Whether this was reported in the store's timeline and to the operators. */
  readonly isTold: boolean;
};

export type EndpointRef = { readonly shopId: ShopId; readonly id: string };

/** Returns the partition of the worker's state of a store's endpoints. */
export function endpointDeliveryPartition(shopId: ShopId): string {
  return `DELIVERY#${shopId}`;
}

/**
 * Removes the delivery state of a deleted endpoint. A running worker detects that when it writes the state.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function removeEndpointDeliveryState(
  table: Pick<Table, 'delete'>,
  endpoint: EndpointRef,
): Promise<void> {
  await table.delete(endpointDeliveryStateKey(endpoint));
}

/**
 * Reads the state, or the initial state of a new endpoint.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readEndpointDeliveryState(
  table: Pick<Table, 'get'>,
  endpoint: EndpointRef & { readonly startsAt: number },
): Promise<EndpointDeliveryState> {
  const { shopId, id: endpointId, startsAt } = endpoint;
  const stateItem = await table.get(endpointDeliveryStateKey(endpoint));
  const {
    pk: _pk,
    sk: _sk,
    cursor = startsAt,
    above = '',
    ...storedFields
  } = stateItem ?? { pk: '', sk: '' };
  const processedNumbers = decodeProcessedNumbers(Number(cursor), String(above));
  return {
    version: 0,
    mayHaveParked: false,
    resendIds: [],
    ...storedFields,
    shopId,
    endpointId,
    processedNumbers,
  };
}

/**
 * Writes the state as the next version. `refused`: another worker has written it since it was read.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function writeEndpointDeliveryState(
  table: Pick<Table, 'put'>,
  deliveryState: EndpointDeliveryState,
): Promise<'done' | 'refused'> {
  const { processedNumbers, version, ...storedFields } = deliveryState;
  const positionFields = {
    cursor: processedNumbers.cursor,
    above: encodeNumbersAboveCursor(processedNumbers),
    version: version + 1,
  };
  const key = endpointDeliveryStateKey({ shopId: deliveryState.shopId, id: deliveryState.endpointId });
  const outcome = await table.put({ ...key, ...storedFields, ...positionFields }, versionCondition(version));
  if (outcome === 'done') deliveryState.version = version + 1;
  return outcome;
}

function endpointDeliveryStateKey({ shopId, id }: EndpointRef): ItemKey {
  return { pk: endpointDeliveryPartition(shopId), sk: id };
}

/**
 * The stream numbers that an endpoint has processed: accepted, filtered out, or moved to a backlog. `cursor`: the
 * lowest unprocessed number. `above`: processed numbers beyond it, because contracts do not wait for each other.
 */
export type ProcessedNumbers = { cursor: number; readonly above: Set<number> };

/** No event further above the cursor is sent, because each write contains all processed numbers above the cursor. */
export const MAX_NUMBERS_ABOVE_CURSOR = 1000;

/** Marks one number as processed; the cursor moves over all processed numbers that follow. */
export function markNumberProcessed(processed: ProcessedNumbers, number: number): void {
  if (number < processed.cursor) return;
  processed.above.add(number);
  while (processed.above.delete(processed.cursor)) processed.cursor++;
}

/** Whether the event with this stream number is processed for the endpoint. */
export function isNumberProcessed({ cursor, above }: ProcessedNumbers, number: number): boolean {
  return number < cursor || above.has(number);
}

/** Marks all numbers from `number` on as unprocessed; the cursor never moves ahead. */
export function markNumbersUnprocessedFrom(processed: ProcessedNumbers, number: number): void {
  for (const one of processed.above) if (one >= number) processed.above.delete(one);
  if (number >= processed.cursor) return;
  processed.cursor = number;
  processed.above.clear();
}

/** Moves the cursor to `number`: unprocessed numbers below it are no longer in the stream. */
export function skipCursorToNumber(processed: ProcessedNumbers, number: number): void {
  for (const one of processed.above) if (one < number) processed.above.delete(one);
  processed.cursor = number - 1;
  markNumberProcessed(processed, number - 1);
}

/** Encodes the processed numbers above the cursor as base64 of one bit for each number from the cursor on. */
function encodeNumbersAboveCursor({ cursor, above }: ProcessedNumbers): string {
  if (above.size === 0) return '';
  const bits = Buffer.alloc(Math.floor((Math.max(...above) - cursor) / 8) + 1);
  for (const streamNumber of above) {
    const offset = streamNumber - cursor;
    bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7));
  }
  return bits.toString('base64');
}

function decodeProcessedNumbers(cursor: number, encodedBits: string): ProcessedNumbers {
  const above = new Set<number>();
  for (const [index, byte] of Buffer.from(encodedBits, 'base64').entries())
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) above.add(cursor + index * 8 + bit);
  return { cursor, above };
}
