/** Exports the data about a customer as JSON, for the store's owner. Leaves out secrets and other people. */
import { type ScanTable, scanAllPages } from '../storage/scan.ts';
import { type Item, itemKindOf } from '../storage/table.ts';
import type { CustomerOfStore, ErasureSubject } from './erasure-subject.ts';
import { findContractOfCustomer } from './find-contract-of-customer.ts';

export type CustomerExport = CustomerOfStore & {
  readonly contracts: readonly string[];
  /** The exported items by kind. docs/privacy.md describes their content. */
  readonly held: Readonly<Record<string, readonly unknown[]>>;
};

/**
 * Names of fields that are not exported: the service's keys and sealed values are no data about the customer, and some
 * of them give access.
 */
const UNEXPORTED_FIELD_NAME_PATTERN =
  /^(?:pk|sk|actionPk|actionSk|salt|kid|challenge|codeHash|attempt|linkTokens|linkLeaseId|grant|argumentsHash|expiresAt|signIn|nonceHash)$/;

/**
 * Exports the customer's data. Reads the whole table twice: first to find the customer's contracts, then to collect the
 * items. `contracts` has the numbers that the platform returned.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be read
 */
export async function exportCustomer(
  scan: ScanTable,
  person: CustomerOfStore,
  contracts: readonly string[],
): Promise<CustomerExport> {
  const { shopId, customerId } = person;
  const knownContracts = new Set(contracts);
  const isPerson = (value: unknown) => String(value) === String(customerId);
  const exportSubject: ErasureSubject = {
    shopId,
    isSubjectCustomer: isPerson,
    contracts: knownContracts,
    eraseBeforeMs: Infinity,
    nowMs: 0,
  };
  const storeItemsFilter = { filter: 'shopId = :shopId', values: { ':shopId': shopId } };
  for await (const item of scanAllPages(scan, storeItemsFilter)) {
    const contract = findContractOfCustomer(item, exportSubject);
    if (contract !== undefined) knownContracts.add(contract);
  }
  const exportedItemsByKind: Record<string, unknown[]> = {};
  for await (const item of scanAllPages(scan, storeItemsFilter)) {
    if (!isAboutCustomer(item, exportSubject)) continue;
    const itemKind = itemKindOf(item);
    exportedItemsByKind[itemKind] = [
      ...(exportedItemsByKind[itemKind] ?? []),
      toExportedValue(item, exportSubject),
    ];
  }
  return { ...person, contracts: [...knownContracts].sort(), held: exportedItemsByKind };
}

function isAboutCustomer(item: Item, { isSubjectCustomer: isPerson, contracts }: ErasureSubject): boolean {
  const customerNumbers = [...customerNumbersIn(item)];
  const contractOfItem = /^(?:TIMELINE|PAUSE|INTERVAL)#/.test(item.pk)
    ? item.pk.split('#')[2]
    : item.pk.startsWith('SNAPSHOT#')
      ? item.sk
      : findContractNumber(item);
  return customerNumbers.some(isPerson) || (contractOfItem !== undefined && contracts.has(contractOfItem));
}

function findContractNumber({ contract, payload }: Item): string | undefined {
  const { intent, ...payloadFields } = (payload ?? {}) as Readonly<Record<string, unknown>>;
  const intentOrScheduledTask = (intent ?? payloadFields) as {
    readonly contract?: string;
    readonly contractNumber?: string;
  };
  return (
    (contract as string | undefined) ?? intentOrScheduledTask.contract ?? intentOrScheduledTask.contractNumber
  );
}

/** Yields every customer number in a value, at any depth. */
function* customerNumbersIn(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, fieldValue] of Object.entries(value)) {
    if (name === 'customerId') yield fieldValue;
    else yield* customerNumbersIn(fieldValue);
  }
}

/** Returns the value without the excluded fields, and with `another customer` in place of other customers' numbers. */
function toExportedValue(value: unknown, subject: ErasureSubject): unknown {
  if (Array.isArray(value)) return value.map((element) => toExportedValue(element, subject));
  if (typeof value !== 'object' || value === null) return value;
  const exportedFields = Object.entries(value).flatMap(([name, fieldValue]) => {
    if (UNEXPORTED_FIELD_NAME_PATTERN.test(name)) return [];
    if (name === 'customerId')
      return [[name, subject.isSubjectCustomer(fieldValue) ? fieldValue : 'another customer']];
    return [[name, toExportedValue(fieldValue, subject)]];
  });
  return Object.fromEntries(exportedFields);
}
