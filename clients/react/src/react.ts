/** The exports of the package. */
export { useAddAddress, useStartPaymentMethodUpdate } from './account-hooks.ts';
export {
  type Change,
  useApplyDiscountCode,
  useCancel,
  usePause,
  usePostponeOrder,
  useRemoveDiscount,
  useRescheduleOrder,
  useResume,
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
export { type CustomerId, subscriptionQueries } from './queries.ts';
export {
  type LineOptionsOptions,
  type ReadOptions,
  useEvents,
  useLineOptions,
  useSubscription,
  useSubscriptions,
  useUpcomingOrders,
} from './query-hooks.ts';
export {
  type SessionState,
  SubscriptionsProvider,
  type SubscriptionsProviderProps,
  useSession,
} from './session.ts';
