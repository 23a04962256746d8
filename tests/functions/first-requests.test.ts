/** Concurrent first requests read or write the same item once. */
import { describe, expect, test } from '@jest/globals';
import { createPreparedDocuments, prepareDocument } from '../../graphql/compile/prepare-document.ts';
import { COMPILE_REGISTRIES } from '../../graphql/endpoint/registries.ts';
import type { CustomerId } from '../../lib/domain/customer-id.ts';
import type { ShopId } from '../../lib/domain/shop-id.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { createReadTombstoneKey } from '../../lib/storage/privacy/tombstone-key.ts';
import { createVersionReader } from '../../lib/storage/versioned-secret.ts';
import { scheduleMissingTimeZoneRead } from '../../lib/stores/lifecycle/schedule-missing-time-zone-read.ts';
import { exchangeOf, runStep } from '../lib/http/run-step.ts';
import { createMemoryTable } from '../memory-table.ts';

const REQUESTS = 64;
const shopId = 81234567001 as ShopId;
const together = <T>(work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: REQUESTS }, (_, at) => work(at)));

/** Secrets whose reads fail while `isDown`, and are counted. */
function countedSecrets() {
  const state = { reads: 0, isDown: false };
  const read = async () => {
    state.reads++;
    await new Promise(setImmediate);
    if (state.isDown) throw new ServiceError('TEMPORARILY_UNAVAILABLE');
    return { versionId: '1', json: { key: 'secret' } };
  };
  return { state, secrets: { read } as never };
}

describe('64 concurrent first requests of a container', () => {
  test('64 concurrent requests read the version of a secret once', async () => {
    const { state, secrets } = countedSecrets();
    const readVersion = createVersionReader({ secrets, secretsPrefix: 'test' });
    state.isDown = true;
    const failed = await Promise.allSettled(
      Array.from({ length: 2 }, () => readVersion(shopId, 'webhooks', 'v1')),
    );
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    state.isDown = false;
    await together(() => readVersion(shopId, 'webhooks', 'v1'));
    await together(() => readVersion(shopId, 'webhooks', 'v2'));
    expect(state.reads).toBe(3);
  });

  test('64 concurrent requests read the key of the tombstones once', async () => {
    const { state, secrets } = countedSecrets();
    const tombstoneKey = createReadTombstoneKey({ secrets, secretsPrefix: 'test' });
    state.isDown = true;
    await expect(tombstoneKey()).rejects.toMatchObject({ code: 'TEMPORARILY_UNAVAILABLE' });
    state.isDown = false;
    expect(new Set(await together(() => tombstoneKey()))).toEqual(new Set(['secret']));
    expect(state.reads).toBe(2);
  });

  test('64 concurrent requests schedule the read of the time zone once', async () => {
    const table = createMemoryTable();
    const writes: number[] = [];
    let count = 0;
    const put: typeof table.put = (...write) => {
      count++;
      return table.put(...write);
    };
    const step = scheduleMissingTimeZoneRead({ table: { ...table, put }, now: () => 1_800_000_000_000 });
    const ask = (of: ShopId) => runStep(step as never, exchangeOf({ actor: { store: { shopId: of } } }));
    await ask(shopId);
    writes.push(count);
    await together(() => ask((shopId + 1) as ShopId));
    writes.push(count - (writes[0] ?? 0));
    expect(writes[1]).toBe(writes[0]);
  });

  test('compile a document once, also one that is rejected', async () => {
    const documents = createPreparedDocuments();
    let loads = 0;
    const loadMutations: typeof COMPILE_REGISTRIES.loadMutations = () => {
      loads++;
      return COMPILE_REGISTRIES.loadMutations();
    };
    const counted = { ...COMPILE_REGISTRIES, loadMutations };
    const query = (field: string) =>
      `mutation { subscriptionContractPause(subscriptionContractId: "gid://platform/SubscriptionContract/1") @idempotent(key: "0b8f7c1e-5d0b-4a39-9a8e-2f0d4f1c2b3a") { contract { ${field} } } }`;
    const prepare = (field: string) => (at: number) => {
      const sender = { kind: 'customer', shopId, customerId: (7_001_001 + at) as CustomerId } as const;
      const request = { surface: 'customer', isActing: true, query: query(field), sender } as const;
      return prepareDocument(documents, { ...request, operationName: undefined }, counted);
    };
    const prepared = await together(prepare('id'));
    expect(new Set(prepared).size).toBe(1);
    const loadsOfOne = loads;
    expect(new Set(await together(prepare('unknown'))).size).toBe(1);
    expect(loads).toBeLessThanOrEqual(2 * loadsOfOne);
  });
});
