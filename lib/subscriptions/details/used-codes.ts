/**
 * The discount codes with a limit of payments that a customer removed from a contract after they were used. Applied again,
 * the platform would count their payments from zero, so customers cannot apply them again; the store can.
 */
import type { Table } from '../../storage/table.ts';
import { contractNumberOf } from '../../timeline/event-number.ts';
import { type TimelineRef, timelinePartition } from '../../timeline/event-record.ts';
import type { OperationDeps } from '../operation.ts';

/** A code that was used, and for how many payments; `discountId` is the tail of the removed discount's id. */
export type UsedCode = { readonly discountId: string; readonly code: string; readonly uses: number };

export type UsedCodes = {
  /** Records a code before its removal is committed. Recording it again changes nothing. */
  record(contractId: string, used: UsedCode): Promise<void>;
  /** Reads the recorded codes, in the form of `foldCode`. Consistent: sees the code of every committed removal. */
  list(contractId: string): Promise<ReadonlySet<string>>;
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
    async record(contractId, { discountId, code, uses }) {
      const key = { pk: partitionOf(contractId), sk: `${PREFIX}${discountId}` };
      await table.put({ ...key, shopId, code: foldCode(code), uses });
    },
    async list(contractId) {
      const { items } = await table.query({
        keyCondition: 'pk = :pk AND sk BETWEEN :low AND :high',
        values: { ':pk': partitionOf(contractId), ':low': PREFIX, ':high': `${PREFIX}~` },
        consistent: true,
      });
      return new Set(items.map(({ code }) => String(code)));
    },
  };
}

/**
 * Folds a code to lower case, so that spellings which the platform could take for one code are equal. Both conversions are
 * needed: `ß` and `ſ` are equal to `ss` and `s` in upper case only, the Kelvin sign is equal to `k` in lower case only.
 */
export function foldCode(code: string): string {
  return code.normalize('NFKC').trim().toUpperCase().toLowerCase();
}
