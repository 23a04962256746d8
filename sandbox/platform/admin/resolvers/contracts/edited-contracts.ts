/** The contract of one single cycle, where it was edited. */
import { cycleByIndex } from '../../../state/billing-cycles.ts';
import type { ContractRecord, EditedContract } from '../../../state/contract-records.ts';
import { fieldsOf, type ResolverMap } from '../../context.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { visibleOrders } from '../../visible-orders.ts';
import { contractBaseFields } from './contract-content.ts';

export type EditedContractView = { edited: EditedContract; contract: ContractRecord; index: number };

/** The edited contract of a cycle, or null. */
export function editedContractView(contract: ContractRecord, index: number): EditedContractView | null {
  const edited = contract.cycleEdits[index]?.contract ?? null;
  return edited === null ? null : { edited, contract, index };
}

export const editedContractResolvers: ResolverMap = {
  SubscriptionBillingCycleEditedContract: {
    ...contractBaseFields<EditedContractView>(({ edited }) => edited.content),
    ...fieldsOf<EditedContractView>({
      billingCycles: ({ contract, index }, args: ConnectionArgs) =>
        connectionOf(
          [cycleByIndex(contract, index)].filter((cycle) => cycle !== null),
          args,
          (cycle) => cycle.index,
        ),
      createdAt: ({ edited }) => edited.createdAt,
      orders: ({ contract, index }, args: ConnectionArgs, context) => {
        const orders = sortedBy(visibleOrders(context), ({ id }) => id);
        const own = orders.filter(
          ({ contractId, cycleIndex }) => contractId === contract.id && cycleIndex === index,
        );
        return connectionOf(own, args, ({ id }) => id);
      },
      updatedAt: ({ edited }) => edited.updatedAt,
    }),
  },
};
