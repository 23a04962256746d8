/** The codes and the details of refused changes, by the function that was called. */
import type { DetailNames } from '../generated/error-codes.ts';
import type {
  BillingAttemptUserErrorCode,
  BillingUserErrorCode,
  CustomerUserErrorCode,
  SubscriptionBillingCycleBulkUserErrorCode,
  SubscriptionBillingCycleSkipUserErrorCode,
  SubscriptionContractStatusUpdateErrorCode,
  SubscriptionOperationErrorCode,
  UserErrorDetails,
} from '../operations/generated/shared/types.ts';

/** The details of an error, for apps with their own messages: docs/errors.md lists the details of each code. */
export type ErrorDetails = UserErrorDetails;

/** The codes that each function can return when the service refuses its change. */
export interface ChangeCodes {
  readonly skip: SubscriptionBillingCycleSkipUserErrorCode;
  readonly unskip: SubscriptionBillingCycleSkipUserErrorCode;
  readonly reschedule: SubscriptionOperationErrorCode;
  readonly sendNow: SubscriptionOperationErrorCode;
  readonly postpone: SubscriptionOperationErrorCode;
  readonly revertPostponement: SubscriptionOperationErrorCode;
  readonly pause: SubscriptionContractStatusUpdateErrorCode;
  readonly resume: SubscriptionContractStatusUpdateErrorCode;
  readonly cancel: SubscriptionContractStatusUpdateErrorCode;
  readonly updateInterval: SubscriptionOperationErrorCode;
  readonly updateLines: SubscriptionOperationErrorCode;
  readonly updateDelivery: SubscriptionOperationErrorCode;
  readonly updatePaymentMethod: SubscriptionOperationErrorCode;
  readonly applyDiscountCode: SubscriptionOperationErrorCode;
  readonly removeDiscount: SubscriptionOperationErrorCode;
  readonly previewLines: SubscriptionOperationErrorCode;
  readonly previewPostponement: SubscriptionOperationErrorCode;
  readonly previewInterval: SubscriptionOperationErrorCode;
  readonly previewDelivery: SubscriptionOperationErrorCode;
  readonly previewDiscountCode: SubscriptionOperationErrorCode;
  readonly retryPayment: SubscriptionOperationErrorCode;
  readonly updateNote: SubscriptionOperationErrorCode;
  readonly due: SubscriptionBillingCycleBulkUserErrorCode;
  readonly charge: BillingAttemptUserErrorCode;
  readonly updateBilling: BillingUserErrorCode;
  readonly stopBilling: BillingUserErrorCode;
  readonly resumeBilling: BillingUserErrorCode;
  readonly confirmBilling: BillingUserErrorCode;
  readonly addAddress: CustomerUserErrorCode;
  readonly updateAddress: CustomerUserErrorCode;
  readonly sendPaymentMethodEmail: CustomerUserErrorCode;
  readonly startPaymentMethodUpdate: CustomerUserErrorCode;
  readonly revokeSession: never;
  readonly revokeOtherSessions: never;
  readonly revokeCurrent: never;
}

/** A function that changes something. */
export type ChangeName = keyof ChangeCodes;

/** The codes of refused changes. */
export type ChangeCode = ChangeCodes[ChangeName];

type DetailsWith<Name extends keyof ErrorDetails> = ErrorDetails & {
  readonly [Always in Name]: NonNullable<ErrorDetails[Always]>;
};

/**
 * The details of a code, of which some are always present. The changes of accounts and of billing, a charge and a
 * search have none.
 */
export type DetailsOf<Name extends ChangeName, Code> = ChangeCodes[Name] extends
  | BillingAttemptUserErrorCode
  | BillingUserErrorCode
  | CustomerUserErrorCode
  | SubscriptionBillingCycleBulkUserErrorCode
  ? null
  : Code extends keyof DetailNames
    ? [DetailNames[Code]] extends [never]
      ? ErrorDetails | null
      : DetailsWith<DetailNames[Code]>
    : ErrorDetails | null;
