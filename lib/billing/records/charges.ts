/** Reads and writes the charges. A write succeeds only if the stored charge has the version that was read. */
import { queryAllPages } from '../../storage/query-all.ts';
import { type Item, type ItemKey, type Table, versionCondition } from '../../storage/table.ts';
import type { ContractRef } from '../../subscriptions/contract-ref.ts';
import type { BillingCharge, OrderRef } from './charge-record.ts';
import { formatCycleKey, selectKeyRange } from './key-range.ts';
import { type BillingReminder, createBillingReminders } from './reminders.ts';

/** A charge to write: the repository sets its version and `updatedAtMs`. */
export type NewBillingCharge = Omit<BillingCharge, 'version' | 'updatedAtMs'>;

export type BillingCharges = ReturnType<typeof createBillingCharges>;

export type BillingChargesDeps = {
  readonly table: Table;
  readonly now: () => number;
  /** Puts the store into the work queue of billing: due at `atMs`, epoch milliseconds. */
  readonly enqueueStore: (shopId: OrderRef['shopId'], atMs: number) => Promise<void>;
};

/** A charge expires 24 months after its last change. */
const CHARGE_LIFETIME_MS = 731 * 86_400_000;

/**
 * Creates the charges over the table. A write first puts the reminder for `remindAtMs` and enqueues the store, then
 * writes the charge: after a crash there is a reminder too many, which is void, but never one too few. Methods throw
 * TEMPORARILY_UNAVAILABLE.
 */
export function createBillingCharges(deps: BillingChargesDeps) {
  const { table } = deps;
  return {
    /** Reads the charge of an order with a consistent read. */
    async find(ref: OrderRef): Promise<BillingCharge | undefined> {
      return toCharge(await table.get(chargeItemKey(ref)));
    },
    /** Reads charges with consistent reads, in the order of `refs`. */
    async findMany(refs: readonly OrderRef[]): Promise<(BillingCharge | undefined)[]> {
      if (refs.length === 0) return [];
      return (await table.batchGet(refs.map(chargeItemKey))).map(toCharge);
    },
    /** Lists the charges of a contract with consistent reads, in the order of the cycles. */
    async listOfContract({ shopId, contractNumber }: ContractRef): Promise<BillingCharge[]> {
      const contractQuery = selectKeyRange(contractPartition({ shopId, contractNumber }), {});
      const chargeItems = await Array.fromAsync(queryAllPages(table, contractQuery));
      return chargeItems.flatMap((item) => toCharge(item) ?? []);
    },
    /** Writes the first version of a charge. Returns `refused` if the order has a charge. */
    create: (charge: NewBillingCharge) => writeCharge(deps, undefined, charge),
    /** Replaces the version that was read. Returns `refused` if the charge has changed since. */
    replace: (before: BillingCharge, after: NewBillingCharge) => writeCharge(deps, before, after),
  };
}

async function writeCharge(
  { table, now, enqueueStore }: BillingChargesDeps,
  before: BillingCharge | undefined,
  after: NewBillingCharge,
): Promise<BillingCharge | 'refused'> {
  const { shopId, contractNumber, cycleIndex } = before ?? after;
  const ref = { shopId, contractNumber, cycleIndex };
  const isReminderMoved = before?.remindAtMs !== after.remindAtMs;
  const reminders = createBillingReminders({ table });
  const putAtMs = now();
  if (isReminderMoved && after.remindAtMs !== undefined) {
    await reminders.put({ ...ref, atMs: after.remindAtMs, putAtMs });
    await enqueueStore(shopId, after.remindAtMs);
  }
  const version = (before?.version ?? 0) + 1;
  const charge: BillingCharge = { ...after, ...ref, version, updatedAtMs: now() };
  const expiresAt = Math.ceil((now() + CHARGE_LIFETIME_MS) / 1000);
  const item = { ...chargeItemKey(ref), ...charge, expiresAt };
  if ((await table.put(item, versionCondition(before?.version ?? 0))) === 'refused') return 'refused';
  if (before?.remindAtMs !== undefined && isReminderMoved)
    await removeEarlierReminder(reminders, { ...ref, atMs: before.remindAtMs, putAtMs });
  return charge;
}

/** Removes the reminder for the charge's previous `remindAtMs`. If that fails, it is void, and is removed when it is due. */
async function removeEarlierReminder(
  { remove }: Pick<ReturnType<typeof createBillingReminders>, 'remove'>,
  { putAtMs, ...reminder }: Required<BillingReminder>,
): Promise<void> {
  await remove(reminder, putAtMs).catch(() => undefined);
}

function contractPartition({ shopId, contractNumber }: ContractRef): string {
  return `LEDGER#${shopId}#${contractNumber}`;
}

function chargeItemKey(ref: OrderRef): ItemKey {
  return { pk: contractPartition(ref), sk: formatCycleKey(ref.cycleIndex) };
}

function toCharge(item: Item | undefined): BillingCharge | undefined {
  if (item === undefined) return undefined;
  const { pk: _pk, sk: _sk, expiresAt: _expiresAt, ...charge } = item;
  return charge as unknown as BillingCharge;
}
