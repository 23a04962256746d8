/** The hooks that change the customer's account. Their results are displayed after the response. */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { CustomerClient, ServiceError } from 'subscription-management-client';
import { type CustomerId, KEY_ROOT, keyOf } from './query-keys.ts';
import { useCustomer } from './session.ts';

type Account = CustomerClient['account'];
type Input<Name extends 'addAddress' | 'startPaymentMethodUpdate'> = Parameters<Account[Name]>[0];
type Result<Name extends 'addAddress' | 'startPaymentMethodUpdate'> = Awaited<ReturnType<Account[Name]>>;

/** As for a subscription's changes: no retry beside the client's, no change hours later, none after a sign-out. */
const optionsOf = (customerId: CustomerId, name: string) => ({
  mutationKey: [KEY_ROOT, customerId, 'account', name],
  networkMode: 'always' as const,
  retry: false,
});

/** Adds an address to the customer's address book, which can have 20. */
export function useAddAddress(): UseMutationResult<Result<'addAddress'>, ServiceError, Input<'addAddress'>> {
  const { client, customerId } = useCustomer();
  const queryClient = useQueryClient();
  return useMutation({
    ...optionsOf(customerId, 'addAddress'),
    mutationFn: (input: Input<'addAddress'>) => client.account.addAddress(input),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: keyOf(customerId, 'addresses') }),
  });
}

/** Starts the update of a payment method: open `updateUrl` at once, or show that an e-mail was sent. */
export function useStartPaymentMethodUpdate(): UseMutationResult<
  Result<'startPaymentMethodUpdate'>,
  ServiceError,
  Input<'startPaymentMethodUpdate'>
> {
  const { client, customerId } = useCustomer();
  return useMutation({
    ...optionsOf(customerId, 'startPaymentMethodUpdate'),
    mutationFn: (input: Input<'startPaymentMethodUpdate'>) => client.account.startPaymentMethodUpdate(input),
    // The URL is a credential: neither a cache in memory nor a stored one keeps it after the screen.
    gcTime: 0,
  });
}
