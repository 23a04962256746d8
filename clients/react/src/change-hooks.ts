/**
 * One hook for each change of a subscription. The hooks of one subscription make their changes one after the other, in
 * the order of the taps. The screen shows a change from the tap on, and the former state again if it is rejected.
 */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type CustomerClient, retryPayment, type ServiceError } from 'subscription-management-client';
import { makeChange } from './cache-updates.ts';
import type { ChangeInput, ChangeName, ChangeResult } from './optimistic.ts';
import { changeKeyOf } from './pending-changes.ts';
import { KEY_ROOT } from './query-keys.ts';
import { useCustomer } from './session.ts';

// biome-ignore lint/suspicious/noConfusingVoidType: TanStack's sign for `mutate()` without an argument.
type OptionalInput<Input> = Record<never, never> extends Input ? Input | void : Input;

/** The result of the hook of a change. */
export type Change<Name extends ChangeName> = UseMutationResult<
  ChangeResult<Name>,
  ServiceError,
  OptionalInput<ChangeInput<Name>>
>;

/** `retryPayment` is a function of its own: an app without payments does not contain it. */
const operationOf = (client: CustomerClient, name: ChangeName) =>
  name === 'retryPayment'
    ? (input: { readonly contractId: string }) => retryPayment(client, input)
    : client.subscriptions[name];

function useChange<Name extends ChangeName>(name: Name, contractId: string): Change<Name> {
  const queryClient = useQueryClient();
  const { client, customerId } = useCustomer();
  return useMutation({
    mutationKey: changeKeyOf(customerId, contractId, name),
    mutationFn: (input) => {
      // `name` selects one operation, which takes the input of this name.
      const operation = operationOf(client, name) as (given: object) => Promise<ChangeResult<Name>>;
      return makeChange(queryClient, { name, customerId, contractId }, () =>
        operation({ contractId, ...input }),
      );
    },
    scope: { id: `${KEY_ROOT} ${contractId}` },
    // Without a connection a change fails after the client's deadline, and is not made hours later.
    networkMode: 'always',
    retry: false,
  });
}

/** Skips an upcoming order. With `expectedDate` no other order can be affected. */
export const useSkipOrder = (contractId: string) => useChange('skip', contractId);
/** Restores a skipped order. */
export const useUnskipOrder = (contractId: string) => useChange('unskip', contractId);
/** Moves one order within its billing cycle. */
export const useRescheduleOrder = (contractId: string) => useChange('reschedule', contractId);
/** Makes the next order due now. Nothing is displayed before the response. */
export const useSendNow = (contractId: string) => useChange('sendNow', contractId);
/** Moves the next order to a later day, and the orders after it by the interval. */
export const usePostponeOrder = (contractId: string) => useChange('postpone', contractId);
/** Takes the latest postponement back. */
export const useRevertPostponement = (contractId: string) => useChange('revertPostponement', contractId);
/** Pauses the subscription until a date, or until it is resumed. */
export const usePause = (contractId: string) => useChange('pause', contractId);
/** Resumes a paused subscription. */
export const useResume = (contractId: string) => useChange('resume', contractId);
/** Cancels the subscription permanently. */
export const useCancel = (contractId: string) => useChange('cancel', contractId);
/** Changes how often orders come. */
export const useUpdateInterval = (contractId: string) => useChange('updateInterval', contractId);
/** Changes the products. Added and replaced products are displayed after the response. */
export const useUpdateLines = (contractId: string) => useChange('updateLines', contractId);
/** Changes the delivery. If the error has `deliveryOptions`, the customer has to choose one: `optionCode`. */
export const useUpdateDelivery = (contractId: string) => useChange('updateDelivery', contractId);
/** Changes the payment method. It is displayed after the response. */
export const useUpdatePaymentMethod = (contractId: string) => useChange('updatePaymentMethod', contractId);
/** Has an open payment tried again, once an hour. `usePayment` shows at the tap that it is tried now. */
export const useRetryPayment = (contractId: string) => useChange('retryPayment', contractId);
/** Applies a discount code. The discount is displayed after the response. */
export const useApplyDiscountCode = (contractId: string) => useChange('applyDiscountCode', contractId);
/** Removes a discount. */
export const useRemoveDiscount = (contractId: string) => useChange('removeDiscount', contractId);
