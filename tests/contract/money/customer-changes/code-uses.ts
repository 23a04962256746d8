/** Counts the payments of each code: never more than its limit. */
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import type { StoreState } from '../../../../sandbox/platform/state/state.ts';

export type CodeUses = ReturnType<typeof createCodeUses>;

export function createCodeUses(store: StoreState, contracts: readonly ContractRecord[]) {
  /** Payments by contract and code. */
  const uses = new Map<string, number>();
  const violations: string[] = [];
  let present = new Set<string>();

  const nameOf = ({ id }: ContractRecord, code: string) => `${id} ${code.toLowerCase()}`;
  const allCodes = () =>
    new Set(
      contracts.flatMap((contract) =>
        contract.content.discounts.flatMap(({ redeemCode }) =>
          redeemCode === null ? [] : nameOf(contract, redeemCode),
        ),
      ),
    );

  return {
    /** Called before each request to the platform. */
    before(): void {
      present = allCodes();
    },
    /** Called after it. A code that the merchant's own key removes or applies may be used again as often. */
    after(isCustomer: boolean): void {
      const codes = allCodes();
      if (isCustomer) return;
      for (const name of [...present, ...codes]) {
        if (!(present.has(name) && codes.has(name))) uses.delete(name);
      }
    },
    count(contract: ContractRecord, code: string): void {
      const name = nameOf(contract, code);
      const used = (uses.get(name) ?? 0) + 1;
      uses.set(name, used);
      const limit = store.discountCodes.get(code)?.recurringCycleLimit;
      if (limit !== undefined && used > limit)
        violations.push(`codeUses: ${code} was used for ${used} payments, not ${limit}`);
    },
    hasUsed: ({ id }: ContractRecord): boolean => [...uses.keys()].some((name) => name.startsWith(`${id} `)),
    violations,
  };
}
