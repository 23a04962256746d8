/**
 * Stores privacy requests: erasures in progress, and requests for a customer's data. An erasure contains only the
 * customer's hash; a data request contains the customer's number until it is closed.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../table.ts';
import type { CustomerHash, HashedCustomer } from './tombstones.ts';

/** The number of deleted or changed items by kind of item. */
export type CountsByKind = Readonly<Record<string, number>>;

export type ErasureRecord = HashedCustomer & {
  readonly kind: 'erasure';
  readonly erasedAtMs: number;
  readonly askedBy: 'platform' | 'operator' | 'restore';
  /** The numbers of the customer's contracts that are known so far. Empty after the sweep. */
  readonly contracts: readonly string[];
  readonly removed: CountsByKind;
  readonly changed: CountsByKind;
  /** When the sweep of the table is due, epoch milliseconds. Absent in records of earlier versions. */
  readonly sweepAtMs?: number;
  /** When the sweep ended, epoch milliseconds. Absent before. */
  readonly sweptAtMs?: number;
  /** When the table deletes the item: DynamoDB TTL, epoch seconds. */
  readonly expiresAt: number;
};

/**
 * A request for a customer's data, or (`store redact`) the platform's request to erase a store that has removed the
 * app. An operator handles both.
 */
export type DataRequestRecord = {
  readonly kind: 'data request' | 'store redact';
  readonly shopId: ShopId;
  /** The platform's number of the request, or an id that the service created. */
  readonly id: string;
  /** Absent when the customer was erased since, or the request is about the store. */
  readonly customerId?: CustomerId;
  readonly askedBy: 'platform' | 'operator';
  readonly receivedAtMs: number;
  /** The end of the 30 days that the law allows, epoch milliseconds. */
  readonly dueAtMs: number;
};
type DataRequestRef = Pick<DataRequestRecord, 'shopId' | 'id'>;

type ComplianceRecord = ErasureRecord | DataRequestRecord;

export type ComplianceRequests = {
  findErasure(person: HashedCustomer): Promise<ErasureRecord | undefined>;
  /** Writes an erasure. Replaces an earlier one of the same customer. */
  putErasure(record: ErasureRecord): Promise<void>;
  /** Writes the progress of an erasure. Does nothing if the customer was erased again since. */
  updateErasure(record: ErasureRecord): Promise<void>;
  findDataRequest(shopId: ShopId, id: string): Promise<DataRequestRecord | undefined>;
  /** Writes a new request. Returns `refused` when it exists. */
  putDataRequest(record: DataRequestRecord): Promise<'done' | 'refused'>;
  /** Deletes a request that was answered. For 400 days a record without personal data shows when it was closed. */
  closeDataRequest(
    request: Pick<DataRequestRecord, 'shopId' | 'id' | 'kind'>,
    closedAtMs: number,
  ): Promise<void>;
  /**
   * Returns when the request was closed, epoch milliseconds.
   * @returns undefined when it was not closed
   */
  findClosedAtMs(request: DataRequestRef): Promise<number | undefined>;
  /** Returns a store's open requests and erasures. */
  listOf(shopId: ShopId): Promise<ComplianceRecord[]>;
};

function compliancePartition(shopId: ShopId): string {
  return `COMPLIANCE#${shopId}`;
}

function erasureKey(shopId: ShopId, hash: CustomerHash): ItemKey {
  return { pk: compliancePartition(shopId), sk: `ERASURE#${hash}` };
}

/** Returns the table key of an open data request. */
export function dataRequestKey({ shopId, id }: DataRequestRef): ItemKey {
  return { pk: compliancePartition(shopId), sk: `DATA_REQUEST#${id}` };
}

function closedComplianceRequestKey({ shopId, id }: DataRequestRef): ItemKey {
  return { pk: compliancePartition(shopId), sk: `CLOSED#${id}` };
}

/** How long the record of a closed request is stored: as long as the operators' audit log. */
const CLOSED_REQUEST_TTL_SECONDS = 400 * 86_400;

/** Creates the access to the requests. The methods throw TEMPORARILY_UNAVAILABLE when the table cannot be used. */
export function createComplianceRequestRepository({ table }: { readonly table: Table }): ComplianceRequests {
  const findRecord = async <Record extends ComplianceRecord>(key: ItemKey) => {
    const item = await table.get(key);
    return item && (toComplianceRecord(item) as Record);
  };
  return {
    findErasure: ({ shopId, hash }) => findRecord<ErasureRecord>(erasureKey(shopId, hash)),
    async putErasure(record) {
      await table.put({ ...erasureKey(record.shopId, record.hash), ...record });
    },
    async updateErasure(record) {
      const { shopId, hash, erasedAtMs } = record;
      const sameErasureCondition = { condition: 'erasedAtMs = :at', values: { ':at': erasedAtMs } };
      await table.put({ ...erasureKey(shopId, hash), ...record }, sameErasureCondition);
    },
    findDataRequest: (shopId, id) => findRecord<DataRequestRecord>(dataRequestKey({ shopId, id })),
    putDataRequest: (record) =>
      table.put({ ...dataRequestKey(record), ...record }, { condition: 'attribute_not_exists(pk)' }),
    async closeDataRequest({ shopId, id, kind }, closedAtMs) {
      const expiresAtSeconds = Math.ceil(closedAtMs / 1000) + CLOSED_REQUEST_TTL_SECONDS;
      const closedItem = {
        ...closedComplianceRequestKey({ shopId, id }),
        shopId,
        closedAtMs,
        expiresAt: expiresAtSeconds,
      };
      // Do not remember that `store redact` was closed: no data of an erased store may stay, and a store may remove the
      // app twice.
      if (kind === 'data request') await table.put(closedItem);
      await table.delete(dataRequestKey({ shopId, id }));
    },
    findClosedAtMs: async (request) =>
      (await table.get(closedComplianceRequestKey(request)))?.closedAtMs as number | undefined,
    async listOf(shopId) {
      const complianceRecords: ComplianceRecord[] = [];
      let startKey: Item | undefined;
      do {
        const queryPage = await table.query({
          // Skip the records of closed requests, whose keys sort first.
          keyCondition: 'pk = :pk AND sk > :closed',
          values: { ':pk': compliancePartition(shopId), ':closed': 'CLOSED#~' },
          consistent: true,
          ...(startKey && { startKey }),
        });
        complianceRecords.push(...queryPage.items.map(toComplianceRecord));
        startKey = queryPage.nextKey;
      } while (startKey !== undefined);
      return complianceRecords;
    },
  };
}

function toComplianceRecord({ pk: _pk, sk: _sk, ...record }: Item): ComplianceRecord {
  return record as unknown as ComplianceRecord;
}
