/** The edited contract of a single cycle. */
import { orderGroupOfContract } from '../../../state/add-order.ts';
import { findCycleByIndex } from '../../../state/billing-cycles.ts';
import type { ContractRecord, EditedContract } from '../../../state/contract-records.ts';
import { type ResolverMap, typeResolvers } from '../../context.ts';
import { listVisibleOrders } from '../../list-visible-orders.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { createContractBaseResolvers } from './contract-content.ts';

export type EditedContractView = { edited: EditedContract; contract: ContractRecord; index: number };

/** Returns the edited contract of a cycle, or null when the cycle was not edited. */
export function toEditedContractView(contract: ContractRecord, index: number): EditedContractView | null {
  const editedContract = contract.cycleEdits[index]?.contract ?? null;
  return editedContract === null ? null : { edited: editedContract, contract, index };
}

export const editedContractResolvers: ResolverMap = {
  SubscriptionBillingCycleEditedContract: {
    ...createContractBaseResolvers<EditedContractView>(({ edited }) => edited.content),
    ...typeResolvers<EditedContractView>({
      billingCycles: ({ contract, index }, args: ConnectionArgs) =>
        createConnection(
          [findCycleByIndex(contract, index)].filter((cycle) => cycle !== null),
          args,
          (cycle) => cycle.index,
        ),
      createdAt: ({ edited }) => edited.createdAt,
      orders: ({ contract, index }, args: ConnectionArgs, context) => {
        const orders = sortByKey(
          listVisibleOrders(context, orderGroupOfContract(contract.id)),
          ({ id }) => id,
        );
        const ordersOfCycle = orders.filter(({ cycleIndex }) => cycleIndex === index);
        return createConnection(ordersOfCycle, args, ({ id }) => id);
      },
      updatedAt: ({ edited }) => edited.updatedAt,
    }),
  },
};
