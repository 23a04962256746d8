/**
 * Records the discount codes with a limited number of payments that a customer used and then removed from a contract.
 * If such a code were applied again, the platform would count its payments from zero. Therefore a customer cannot
 * apply it again, but the store can. A code that was perhaps used by charges in progress counts as used, unless all
 * of these charges have failed.
 */
import type { Table } from '../../storage/table.ts';
import { contractNumberOfGid, type TimelineRef, timelinePartition } from '../../timeline/event-record.ts';
import type { OperationDeps } from '../operation.ts';

export type UsedDiscountCode = {
  /** The tail of the removed discount's global id. */
  readonly discountId: string;
  readonly code: string;
  /** How many payments used the code, or may have used it. */
  readonly useCount: number;
  /** The ids of charges in progress that may have used the code. Empty when a completed payment has used it. */
  readonly chargeIds: readonly string[];
};

type RecordedDiscountCode = Pick<UsedDiscountCode, 'code' | 'chargeIds'>;

export type UsedCodeRepository = {
  /** Records a used code before its removal is committed. A second call for the same removal changes nothing. */
  record(contractId: string, usedCode: UsedDiscountCode): Promise<void>;
  /**
   * Returns the recorded codes of the contract, each converted by `normalizeDiscountCode`. The read is consistent, so
   * it includes every committed removal.
   */
  list(contractId: string): Promise<readonly RecordedDiscountCode[]>;
};

/** The dependencies of an operation on discount codes. */
export type UsedCodeDeps = OperationDeps & { readonly usedCodes: UsedCodeRepository };

type Deps = { readonly table: Table; readonly shopId: TimelineRef['shopId'] };

/**
 * This prefix sorts after the sort keys of the contract's timeline entries, so no page of the timeline contains these
 * items.
 */
const SORT_KEY_PREFIX = '~code#';

/**
 * Creates the repository of used codes for the contracts of a store. The items have no time to live, because a
 * contract can be charged for years. The methods throw TEMPORARILY_UNAVAILABLE when the table cannot be used.
 */
export function createUsedCodeRepository({ table, shopId }: Deps): UsedCodeRepository {
  const partitionOf = (contractId: string) =>
    timelinePartition({ shopId, contract: contractNumberOfGid(contractId) });
  return {
    async record(contractId, { discountId, code, useCount: uses, chargeIds }) {
      const key = { pk: partitionOf(contractId), sk: `${SORT_KEY_PREFIX}${discountId}` };
      await table.put({ ...key, shopId, code: normalizeDiscountCode(code), uses, chargeIds });
    },
    async list(contractId) {
      const { items } = await table.query({
        keyCondition: 'pk = :pk AND sk BETWEEN :low AND :high',
        values: { ':pk': partitionOf(contractId), ':low': SORT_KEY_PREFIX, ':high': `${SORT_KEY_PREFIX}~` },
        consistent: true,
      });
      return items.map(({ code, chargeIds }) => ({
        code: String(code),
        chargeIds: Array.isArray(chargeIds) ? chargeIds.map(String) : [],
      }));
    },
  };
}

const CHARGES_DOCUMENT = `query($_svcChargeIds: [ID!]!) { charges: nodes(ids: $_svcChargeIds) {
  id ... on SubscriptionBillingAttempt { state { __typename } } } }`;
/**
 * The maximum number of charges whose state is read, because each costs points. Charges that are not read count as
 * successful.
 */
const MAX_CHARGES_READ = 20;

type RecordedCharge = { readonly id: string; readonly state?: { readonly __typename: string } } | null;

/**
 * Returns the codes that count as used, each converted by `normalizeDiscountCode`. Sends a platform request only if a recorded code
 * has charges that were in progress.
 */
export async function findUsedCodes(
  { sendToPlatform, usedCodes }: UsedCodeDeps,
  contractId: string,
): Promise<ReadonlySet<string>> {
  const recordedCodes = await usedCodes.list(contractId);
  const chargeIds = [...new Set(recordedCodes.flatMap((one) => one.chargeIds))].slice(0, MAX_CHARGES_READ);
  const variables = { _svcChargeIds: chargeIds };
  const { data } =
    chargeIds.length === 0
      ? { data: null }
      : await sendToPlatform({ document: CHARGES_DOCUMENT, variables, mutates: false });
  const charges = (data?.charges ?? []) as readonly RecordedCharge[];
  const failedCharges = charges.filter(
    (one) => one?.state?.__typename === 'SubscriptionBillingAttemptFailedState',
  );
  const hasFailed = (id: string) => failedCharges.some((one) => one?.id === id);
  const codesStillCounting = recordedCodes.filter(
    (one) => one.chargeIds.length === 0 || !one.chargeIds.every(hasFailed),
  );
  return new Set(codesStillCounting.map(({ code }) => code));
}

/**
 * Converts a code so that all spellings that the platform may accept as the same code are equal. Both conversions of
 * case are needed: `ß` and `ſ` equal `ss` and `s` only in upper case, and the Kelvin sign equals `k` only in lower
 * case.
 */
export function normalizeDiscountCode(code: string): string {
  return code.normalize('NFKC').trim().toUpperCase().toLowerCase();
}
