/**
 * The discount codes with a limit of payments that a customer removed from a contract after they were used. Applied again,
 * the platform would count their payments from zero, so customers cannot apply them again; the store can. A code that only
 * payments in progress can have used counts as used until the platform shows that all of them have failed.
 */
import type { Table } from '../../storage/table.ts';
import { contractNumberOf } from '../../timeline/event-number.ts';
import { type TimelineRef, timelinePartition } from '../../timeline/event-record.ts';
import type { OperationDeps } from '../operation.ts';

export type UsedCode = {
  /** The tail of the removed discount's id. */
  readonly discountId: string;
  readonly code: string;
  /** The number of payments that used it, or can have. */
  readonly uses: number;
  /** The ids of the charges in progress, where no completed one had used the code; else empty. */
  readonly chargeIds: readonly string[];
};

type RecordedCode = Pick<UsedCode, 'code' | 'chargeIds'>;

export type UsedCodes = {
  /** Records a code before its removal is committed. Recording it again changes nothing. */
  record(contractId: string, used: UsedCode): Promise<void>;
  /** Reads the recorded codes, each in the form of `foldCode`. Consistent: sees the code of every committed removal. */
  list(contractId: string): Promise<readonly RecordedCode[]>;
};

/** The dependencies of an operation on discount codes. */
export type UsedCodeDeps = OperationDeps & { readonly usedCodes: UsedCodes };

type Deps = { readonly table: Table; readonly shopId: TimelineRef['shopId'] };

/** The items sort behind the entries of the contract's timeline, so no page of entries contains them. */
const PREFIX = '~code#';

/**
 * Creates the used codes of a store's contracts over the table. They have no time to live: a contract can be charged for
 * years. Failures are TEMPORARILY_UNAVAILABLE.
 */
export function createUsedCodes({ table, shopId }: Deps): UsedCodes {
  const partitionOf = (contractId: string) =>
    timelinePartition({ shopId, contract: contractNumberOf(contractId) });
  return {
    async record(contractId, { discountId, code, uses, chargeIds }) {
      const key = { pk: partitionOf(contractId), sk: `${PREFIX}${discountId}` };
      await table.put({ ...key, shopId, code: foldCode(code), uses, chargeIds });
    },
    async list(contractId) {
      const { items } = await table.query({
        keyCondition: 'pk = :pk AND sk BETWEEN :low AND :high',
        values: { ':pk': partitionOf(contractId), ':low': PREFIX, ':high': `${PREFIX}~` },
        consistent: true,
      });
      return items.map(({ code, chargeIds }) => ({
        code: String(code),
        chargeIds: Array.isArray(chargeIds) ? chargeIds.map(String) : [],
      }));
    },
  };
}

const CHARGES = `query($_svcChargeIds: [ID!]!) { charges: nodes(ids: $_svcChargeIds) {
  id ... on SubscriptionBillingAttempt { state { __typename } } } }`;
/** A larger query would cost more than all other requests of the operation; charges beyond it count as payments. */
const MAX_CHARGES = 20;

type Charge = { readonly id: string; readonly state?: { readonly __typename: string } } | null;

/**
 * Returns the recorded codes that count as used, in the form of `foldCode`. One platform request where only charges that
 * were in progress can have used a code.
 */
export async function findUsedCodes(
  { ask, usedCodes }: UsedCodeDeps,
  contractId: string,
): Promise<ReadonlySet<string>> {
  const recorded = await usedCodes.list(contractId);
  const chargeIds = [...new Set(recorded.flatMap((one) => one.chargeIds))].slice(0, MAX_CHARGES);
  const variables = { _svcChargeIds: chargeIds };
  const { data } =
    chargeIds.length === 0 ? { data: null } : await ask({ document: CHARGES, variables, mutates: false });
  const charges = (data?.charges ?? []) as readonly Charge[];
  const failed = charges.filter((one) => one?.state?.__typename === 'SubscriptionBillingAttemptFailedState');
  const hasFailed = (id: string) => failed.some((one) => one?.id === id);
  const used = recorded.filter((one) => one.chargeIds.length === 0 || !one.chargeIds.every(hasFailed));
  return new Set(used.map(({ code }) => code));
}

/**
 * Folds a code to lower case, so that spellings which the platform could take for one code are equal. Both conversions are
 * needed: `ß` and `ſ` are equal to `ss` and `s` in upper case only, the Kelvin sign is equal to `k` in lower case only.
 */
export function foldCode(code: string): string {
  return code.normalize('NFKC').trim().toUpperCase().toLowerCase();
}
