/** The exports of the package. */
export { useAddAddress, useStartPaymentMethodUpdate } from './account-hooks.ts';
export { invalidateSubscription } from './cache-updates.ts';
export {
  type Change,
  useApplyDiscountCode,
  useCancel,
  usePause,
  usePostponeOrder,
  useRemoveDiscount,
  useRescheduleOrder,
  useResume,
  useRetryPayment,
  useRevertPostponement,
  useSendNow,
  useSkipOrder,
  useUnskipOrder,
  useUpdateDelivery,
  useUpdateInterval,
  useUpdateLines,
  useUpdatePaymentMethod,
} from './change-hooks.ts';
export type { ChangeInput, ChangeName, ChangeResult } from './optimistic.ts';
export { type PaymentStateView, type PaymentView, subscriptionQueries } from './queries.ts';
export {
  type LineOptionsOptions,
  type ReadOptions,
  useAddresses,
  useEvents,
  useLastPayment,
  useLineOptions,
  usePayment,
  usePaymentMethods,
  useStore,
  useSubscription,
  useSubscriptions,
  useUpcomingOrders,
} from './query-hooks.ts';
export type { CustomerId } from './query-keys.ts';
export {
  type SessionState,
  SubscriptionsProvider,
  type SubscriptionsProviderProps,
  useClient,
  useSession,
} from './session.ts';
