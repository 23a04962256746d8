/** The changes without a response, read from TanStack's cache of mutations. */
import { type Mutation, useMutationState } from '@tanstack/react-query';
import type { ChangeName, PendingChange } from './optimistic.ts';
import { type CustomerId, KEY_ROOT } from './query-keys.ts';
import { useCustomer } from './session.ts';

/** Returns the key of a change, or the start of the keys of several changes. */
export const changeKeyOf = (
  customerId: CustomerId,
  ...contractIdAndName: readonly [contractId?: string, name?: ChangeName]
) => [KEY_ROOT, customerId, 'change', ...contractIdAndName] as const;

type ChangeMutationKey = readonly [string, CustomerId, 'change', string, ChangeName];

/** Returns the filter for the pending changes of one contract, or of all contracts of the customer. */
export const pendingChangesOf = (
  customerId: CustomerId,
  ...optionalContractId: readonly [contractId?: string]
) =>
  ({
    mutationKey: changeKeyOf(customerId, ...optionalContractId),
    status: 'pending',
    // A change from a stored cache has no function: it waited for another change when the app was closed.
    predicate: ({ options }: Mutation) => options.mutationFn !== undefined,
  }) as const;

/** Returns the pending changes of one contract, or of all contracts of the customer, in their order. */
export function usePendingChanges(
  ...optionalContractId: readonly [contractId?: string]
): readonly PendingChange[] {
  const { customerId } = useCustomer();
  return useMutationState({
    filters: pendingChangesOf(customerId, ...optionalContractId),
    select: ({ options, state }) => {
      const [, , , contractId, name] = options.mutationKey as unknown as ChangeMutationKey;
      return { name, contractId, input: state.variables, submittedAt: state.submittedAt };
    },
  });
}
