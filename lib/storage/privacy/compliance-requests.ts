/**
 * What is to be done for people who asked for it: an erasure under way, and a request for one's data that is open. An
 * erasure names the customer by the hash alone; a request for data by number, until it is answered.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../table.ts';
import type { HashedPerson, PersonHash } from './tombstones.ts';

/** Items by family: how many were removed, or changed. */
export type FamilyCounts = Readonly<Record<string, number>>;

export type ErasureRecord = HashedPerson & {
  readonly kind: 'erasure';
  readonly erasedAtMs: number;
  readonly askedBy: 'platform' | 'operator' | 'restore';
  /** The numbers of the customer's contracts, as far as they are known; dropped when the table has been swept. */
  readonly contracts: readonly string[];
  readonly removed: FamilyCounts;
  readonly changed: FamilyCounts;
  /** When the table is to be searched for what is left, epoch milliseconds; absent: it was written before this was kept. */
  readonly sweepAtMs?: number;
  /** When the table had been searched for what is left; absent: it has not been. */
  readonly sweptAtMs?: number;
  /** DynamoDB's TTL, epoch seconds. */
  readonly expiresAt: number;
};

/** `store redact`: the platform asks to forget a store that has removed the app; an operator purges it. */
export type DataRequestRecord = {
  readonly kind: 'data request' | 'store redact';
  readonly shopId: ShopId;
  /** The platform's number of the request, or one that was made here. */
  readonly id: string;
  /** Absent: the customer was erased since, or the request is about the store. */
  readonly customerId?: CustomerId;
  readonly askedBy: 'platform' | 'operator';
  readonly receivedAtMs: number;
  /** The law's 30 days are over then. */
  readonly dueAtMs: number;
};
type RequestRef = Pick<DataRequestRecord, 'shopId' | 'id'>;

type ComplianceRecord = ErasureRecord | DataRequestRecord;

export type ComplianceRequests = {
  findErasure(person: HashedPerson): Promise<ErasureRecord | undefined>;
  /** Writes an erasure, in the place of an older one of the same customer. */
  putErasure(record: ErasureRecord): Promise<void>;
  /** Writes what has become of an erasure, unless the customer was erased again since. */
  keepErasure(record: ErasureRecord): Promise<void>;
  findDataRequest(shopId: ShopId, id: string): Promise<DataRequestRecord | undefined>;
  /** Writes a request. Refused: it is there already. */
  putDataRequest(record: DataRequestRecord): Promise<'done' | 'refused'>;
  /** Removes an answered request. For 400 days it is kept that a customer's was there, and nothing of the customer. */
  closeDataRequest(
    request: Pick<DataRequestRecord, 'shopId' | 'id' | 'kind'>,
    closedAtMs: number,
  ): Promise<void>;
  /** When a request of this id was closed, epoch milliseconds; undefined: none was. */
  findClosed(request: RequestRef): Promise<number | undefined>;
  /** All of a store that are open or under way. */
  listOf(shopId: ShopId): Promise<ComplianceRecord[]>;
};

function partition(shopId: ShopId): string {
  return `COMPLIANCE#${shopId}`;
}

function erasureKey(shopId: ShopId, hash: PersonHash): ItemKey {
  return { pk: partition(shopId), sk: `ERASURE#${hash}` };
}

/** Key of an open request for data. */
export function dataRequestKey({ shopId, id }: RequestRef): ItemKey {
  return { pk: partition(shopId), sk: `DATA_REQUEST#${id}` };
}

function closedKey({ shopId, id }: RequestRef): ItemKey {
  return { pk: partition(shopId), sk: `CLOSED#${id}` };
}

/** As long as the operators' trace says who closed it. */
const CLOSED_SECONDS = 400 * 86_400;

/** The requests over the table. Failures are TEMPORARILY_UNAVAILABLE. */
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
      // Of a store nothing is to stay, and it may remove the app twice.
      if (kind === 'data request') await table.put(closed);
      await table.delete(dataRequestKey({ shopId, id }));
    },
    findClosed: async (request) => (await table.get(closedKey(request)))?.closedAtMs as number | undefined,
    async listOf(shopId) {
      const records: ComplianceRecord[] = [];
      let startKey: Item | undefined;
      do {
        const page = await table.query({
          // Behind those that are closed.
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
