/** The only sign-in of the requested customer, as a table item. */
import type { Table } from '../../../lib/storage/table.ts';
import { NOW_MS } from './harness.ts';

/** A `query` of the table; `deviceOf` names the device by the partition. */
export function oneSession(deviceOf: (pk: string) => string): Table['query'] {
  return async ({ values }) => {
    const pk = String(values?.[':pk']);
    const item = {
      pk,
      sk: 'SESSION#one',
      customerId: Number(pk.replace(/.*#/, '')),
      sessionId: 'one',
      status: 'active',
      generation: 2,
      mintedAtMs: NOW_MS,
      createdAtMs: NOW_MS,
      idleExpiresAtMs: NOW_MS + 1,
      absoluteExpiresAtMs: NOW_MS + 1,
      deviceLabel: deviceOf(pk),
    };
    return { items: [item], nextKey: undefined };
  };
}
