/** Records a disabled endpoint in the store's timeline, and raises an alarm for the operators. */
import type { Logger } from '../../observability/logger.ts';
import type { Table } from '../../storage/table.ts';
import type { EventAction } from '../../timeline/actions.ts';
import { formatEventNumber, MAX_SEQUENCE } from '../../timeline/event-number.ts';
import { type EventRecord, toEventItem } from '../../timeline/event-record.ts';
import type { Disabled } from './delivery-head.ts';
import type { ServedEndpoint } from './endpoint-run.ts';

type Deps = { readonly table: Pick<Table, 'put'>; readonly logger: Pick<Logger, 'error'> };

const ACTION: EventAction = 'webhook_endpoint_disabled';

/**
 * Records it once, even if it is called twice: the entry has the time of the disabling.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function reportDisabledEndpoint(
  { table, logger }: Deps,
  { shopId, id: endpointId }: ServedEndpoint,
  { reason, atMs }: Disabled,
): Promise<void> {
  const requestId = `webhook-deliveries/${endpointId}`;
  const facts = {
    ...{ shopId, contract: undefined, action: ACTION, createdAtMs: atMs, outcome: 'DONE' as const },
    ...{ actor: { kind: 'SERVICE' as const }, requestId, changes: [], details: { endpointId, reason } },
  };
  logger.error('webhook_endpoint.disabled', {
    ...{ shopId, endpointId, reason },
    alarm: 'webhook_endpoint_disabled',
  });
  // Another entry of the same millisecond may have the number.
  for (let sequence = 0; sequence <= MAX_SEQUENCE; sequence++) {
    const number = formatEventNumber({ createdAtMs: atMs, sequence, contract: undefined });
    const entry: EventRecord = { ...facts, number };
    const condition = 'attribute_not_exists(pk) OR requestId = :requestId';
    const outcome = await table.put(toEventItem(entry), { condition, values: { ':requestId': requestId } });
    if (outcome === 'done') return;
  }
}
