/**
 * Why the service refused a change: one type for each function that changes something, with the codes of the schema. A
 * `switch` over `code` can be exhaustive, and stops compiling when a later version of the client knows another code.
 */
import type { ChangeError } from './service-error.ts';

/** The error of `skip`. */
export type SkipError = ChangeError<'skip'>;
/** The error of `unskip`. */
export type UnskipError = ChangeError<'unskip'>;
/** The error of `reschedule`. */
export type RescheduleError = ChangeError<'reschedule'>;
/** The error of `sendNow`. */
export type SendNowError = ChangeError<'sendNow'>;
/** The error of `postpone`. */
export type PostponeError = ChangeError<'postpone'>;
/** The error of `revertPostponement`. */
export type RevertPostponementError = ChangeError<'revertPostponement'>;
/** The error of `pause`. */
export type PauseError = ChangeError<'pause'>;
/** The error of `resume`. */
export type ResumeError = ChangeError<'resume'>;
/** The error of `cancel`. */
export type CancelError = ChangeError<'cancel'>;
/** The error of `updateInterval`. */
export type UpdateIntervalError = ChangeError<'updateInterval'>;
/** The error of `updateLines`: DELIVERY_OPTION_REQUIRED has `deliveryOptions`. */
export type UpdateLinesError = ChangeError<'updateLines'>;
/** The error of `updateDelivery`: DELIVERY_OPTION_REQUIRED has `deliveryOptions`. */
export type UpdateDeliveryError = ChangeError<'updateDelivery'>;
/** The error of `updatePaymentMethod`. */
export type UpdatePaymentMethodError = ChangeError<'updatePaymentMethod'>;
/** The error of `applyDiscountCode`. */
export type ApplyDiscountCodeError = ChangeError<'applyDiscountCode'>;
/** The error of `removeDiscount`. */
export type RemoveDiscountError = ChangeError<'removeDiscount'>;
/** The error of `orders.charge`. */
export type ChargeError = ChangeError<'charge'>;
/** The error of `billing.update`. */
export type UpdateBillingError = ChangeError<'updateBilling'>;
/** The error of `billing.stop`. */
export type StopBillingError = ChangeError<'stopBilling'>;
/** The error of `billing.resume`. */
export type ResumeBillingError = ChangeError<'resumeBilling'>;
/** The error of `billing.confirm`. */
export type ConfirmBillingError = ChangeError<'confirmBilling'>;
/** The error of `account.addAddress`. */
export type AddAddressError = ChangeError<'addAddress'>;
/** The error of `account.updateAddress`. */
export type UpdateAddressError = ChangeError<'updateAddress'>;
/** The error of `account.sendPaymentMethodEmail`. */
export type SendPaymentMethodEmailError = ChangeError<'sendPaymentMethodEmail'>;
/** The error of `account.startPaymentMethodUpdate`. */
export type StartPaymentMethodUpdateError = ChangeError<'startPaymentMethodUpdate'>;
/** The error of `retryPayment`: RETRIED_TOO_SOON has `details.earliest`. */
export type RetryPaymentError = ChangeError<'retryPayment'>;
/** The error of `subscriptions.updateNote`. */
export type UpdateNoteError = ChangeError<'updateNote'>;
/** The error of `previewLines`. */
export type PreviewLinesError = ChangeError<'previewLines'>;
/** The error of `previewPostponement`. */
export type PreviewPostponementError = ChangeError<'previewPostponement'>;
/** The error of `previewInterval`. */
export type PreviewIntervalError = ChangeError<'previewInterval'>;
/** The error of `previewDelivery`. */
export type PreviewDeliveryError = ChangeError<'previewDelivery'>;
/** The error of `previewDiscountCode`. */
export type PreviewDiscountCodeError = ChangeError<'previewDiscountCode'>;
/** The error of `orders.due`. */
export type DueError = ChangeError<'due'>;
/** The error of `account.revokeSession`. */
export type RevokeSessionError = ChangeError<'revokeSession'>;
/** The error of `account.revokeOtherSessions`. */
export type RevokeOtherSessionsError = ChangeError<'revokeOtherSessions'>;
/** The error of `adminKeys.revokeCurrent`. */
export type RevokeCurrentError = ChangeError<'revokeCurrent'>;
