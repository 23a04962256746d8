/** Records a disabled endpoint in the store's timeline, and raises an alarm for the operators. */
import type { Logger } from '../../observability/logger.ts';
import type { Table } from '../../storage/table.ts';
import { formatEventNumber, writeEntry } from '../../timeline/event-record.ts';
import type { Disabled } from './delivery-head.ts';
import type { ServedEndpoint } from './endpoint-run.ts';

type Deps = { readonly table: Pick<Table, 'get' | 'put'>; readonly logger: Pick<Logger, 'error'> };

/**
 * Records it once, even if it is called twice: the entry has the time of the disabling.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function reportDisabledEndpoint(
  deps: Deps,
  { shopId, id: endpointId }: ServedEndpoint,
  { reason, atMs: createdAtMs }: Disabled,
): Promise<void> {
  const facts = { shopId, endpointId, reason };
  deps.logger.error('webhook_endpoint.disabled', { ...facts, alarm: 'webhook_endpoint_disabled' });
  const id = `webhook-deliveries/${endpointId}`;
  await writeEntry(deps, {
    ...{ id, shopId, contract: undefined, action: 'webhook_endpoint_disabled', createdAtMs, outcome: 'DONE' },
    ...{ actor: { kind: 'SERVICE' }, requestId: id, changes: [], details: { endpointId, reason } },
    number: formatEventNumber({ createdAtMs, sequence: 0, contract: undefined }),
  });
}
