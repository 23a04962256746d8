/** Compares each charge of the platform with the oracle's calculation: the rules rely on that. */
import type { ContractRecord } from '../../../../sandbox/platform/state/contract-records.ts';
import type { StoreState } from '../../../../sandbox/platform/state/state.ts';
import type { CodeUses } from './code-uses.ts';
import { contractMoney, isActive } from './contract-money.ts';

type Expected = {
  readonly prices: readonly number[];
  readonly delivery: number;
  readonly codes: readonly string[];
};

export function createPayments(store: StoreState, codeUses: CodeUses) {
  /** By contract and cycle. */
  const expected = new Map<string, Expected>();
  const violations: string[] = [];
  return {
    /** Called before a cycle is charged. */
    expect({ id, content }: ContractRecord, cycleIndex: number): void {
      const { lines, delivery } = contractMoney(store, content);
      const active = content.discounts.filter(isActive);
      expected.set(`${id}/${cycleIndex}`, {
        prices: lines.map(({ price }) => price),
        delivery: active.some(({ targetType }) => targetType === 'SHIPPING_LINE') ? 0 : delivery.price,
        codes: active.flatMap(({ redeemCode }) => redeemCode ?? []),
      });
    },
    /** Called after charges: compares the orders that they made, and counts the codes in them. */
    check(contract: ContractRecord): void {
      for (const order of store.orders.values()) {
        const cycle = `${order.contractId}/${order.cycleIndex}`;
        const one = order.contractId === contract.id ? expected.get(cycle) : undefined;
        if (one === undefined) continue;
        expected.delete(cycle);
        for (const code of one.codes) codeUses.count(contract, code);
        const prices = order.lines.map(({ priceMinor, discountMinor }) => priceMinor - discountMinor);
        const [paid, due] = [
          [...prices, order.shippingMinor],
          [...one.prices, one.delivery],
        ].map(String);
        if (paid !== due) violations.push(`payment: the platform charges ${paid}, the oracle ${due}`);
      }
    },
    violations,
  };
}
