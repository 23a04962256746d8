/**
 * Open privacy requests: erasures in progress, and requests for a customer's data. An erasure stores only the
 * customer's hash; a data request stores the customer's number until it is closed.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../table.ts';
import type { HashedPerson, PersonHash } from './tombstones.ts';

/** The number of removed or changed items by item type. */
export type FamilyCounts = Readonly<Record<string, number>>;

export type ErasureRecord = HashedPerson & {
  readonly kind: 'erasure';
  readonly erasedAtMs: number;
  readonly askedBy: 'platform' | 'operator' | 'restore';
  /** The known numbers of the customer's contracts; deleted after the table was swept. */
  readonly contracts: readonly string[];
  readonly removed: FamilyCounts;
  readonly changed: FamilyCounts;
  /**
   * When the table will be searched for remaining data, epoch milliseconds; absent in records of earlier versions.
   */
  readonly sweepAtMs?: number;
  /** When the search for remaining data ended; absent before that. */
  readonly sweptAtMs?: number;
  /** DynamoDB's TTL, epoch seconds. */
  readonly expiresAt: number;
};

/** `store redact`: the platform asks the service to erase a store that has removed the app; an operator purges it. */
export type DataRequestRecord = {
  readonly kind: 'data request' | 'store redact';
  readonly shopId: ShopId;
  /** The platform's number of the request, or one that the service created. */
  readonly id: string;
  /** Absent when the customer was erased since, or the request is about the store. */
  readonly customerId?: CustomerId;
  readonly askedBy: 'platform' | 'operator';
  readonly receivedAtMs: number;
  /** The end of the legal 30 days. */
  readonly dueAtMs: number;
};
type RequestRef = Pick<DataRequestRecord, 'shopId' | 'id'>;

type ComplianceRecord = ErasureRecord | DataRequestRecord;

export type ComplianceRequests = {
  findErasure(person: HashedPerson): Promise<ErasureRecord | undefined>;
  /** Writes an erasure; replaces an earlier one of the same customer. */
  putErasure(record: ErasureRecord): Promise<void>;
  /** Writes the progress of an erasure, unless the customer was erased again since. */
  keepErasure(record: ErasureRecord): Promise<void>;
  findDataRequest(shopId: ShopId, id: string): Promise<DataRequestRecord | undefined>;
  /** Writes a request. Refused when it exists. */
  putDataRequest(record: DataRequestRecord): Promise<'done' | 'refused'>;
  /**
   * Removes an answered request. For 400 days a record remains that a request was closed, without data of the
   * customer.
   */
  closeDataRequest(
    request: Pick<DataRequestRecord, 'shopId' | 'id' | 'kind'>,
    closedAtMs: number,
  ): Promise<void>;
  /**
   * Finds when a request with this id was closed, epoch milliseconds.
   * @returns undefined when none was closed
   */
  findClosed(request: RequestRef): Promise<number | undefined>;
  /** Lists a store's open requests and erasures in progress. */
  listOf(shopId: ShopId): Promise<ComplianceRecord[]>;
};

function partition(shopId: ShopId): string {
  return `COMPLIANCE#${shopId}`;
}

function erasureKey(shopId: ShopId, hash: PersonHash): ItemKey {
  return { pk: partition(shopId), sk: `ERASURE#${hash}` };
}

/** Returns the key of an open data request. */
export function dataRequestKey({ shopId, id }: RequestRef): ItemKey {
  return { pk: partition(shopId), sk: `DATA_REQUEST#${id}` };
}

function closedKey({ shopId, id }: RequestRef): ItemKey {
  return { pk: partition(shopId), sk: `CLOSED#${id}` };
}

/** As long as the operators' audit trail shows who closed it. */
const CLOSED_SECONDS = 400 * 86_400;

/** Creates the requests over the table. Failures are TEMPORARILY_UNAVAILABLE. */
export function createComplianceRequests({ table }: { readonly table: Table }): ComplianceRequests {
  const find = async <Record extends ComplianceRecord>(key: ItemKey) => {
    const item = await table.get(key);
    return item && (toRecord(item) as Record);
  };
  return {
    findErasure: ({ shopId, hash }) => find<ErasureRecord>(erasureKey(shopId, hash)),
    async putErasure(record) {
      await table.put({ ...erasureKey(record.shopId, record.hash), ...record });
    },
    async keepErasure(record) {
      const { shopId, hash, erasedAtMs } = record;
      const same = { condition: 'erasedAtMs = :at', values: { ':at': erasedAtMs } };
      await table.put({ ...erasureKey(shopId, hash), ...record }, same);
    },
    findDataRequest: (shopId, id) => find<DataRequestRecord>(dataRequestKey({ shopId, id })),
    putDataRequest: (record) =>
      table.put({ ...dataRequestKey(record), ...record }, { condition: 'attribute_not_exists(pk)' }),
    async closeDataRequest({ shopId, id, kind }, closedAtMs) {
      const expiresAt = Math.ceil(closedAtMs / 1000) + CLOSED_SECONDS;
      const closed = { ...closedKey({ shopId, id }), shopId, closedAtMs, expiresAt };
      // No data of an erased store may remain, and a store may remove the app twice.
      if (kind === 'data request') await table.put(closed);
      await table.delete(dataRequestKey({ shopId, id }));
    },
    findClosed: async (request) => (await table.get(closedKey(request)))?.closedAtMs as number | undefined,
    async listOf(shopId) {
      const records: ComplianceRecord[] = [];
      let startKey: Item | undefined;
      do {
        const page = await table.query({
          // Starts after the closed requests.
          keyCondition: 'pk = :pk AND sk > :closed',
          values: { ':pk': partition(shopId), ':closed': 'CLOSED#~' },
          consistent: true,
          ...(startKey && { startKey }),
        });
        records.push(...page.items.map(toRecord));
        startKey = page.nextKey;
      } while (startKey !== undefined);
      return records;
    },
  };
}

function toRecord({ pk: _pk, sk: _sk, ...record }: Item): ComplianceRecord {
  return record as unknown as ComplianceRecord;
}
