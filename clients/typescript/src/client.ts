/** The exports of the package. */
export { createCapacitorBrowser } from './browser/capacitor-browser.ts';
export { createExpoBrowser } from './browser/expo-browser.ts';
export { createInAppBrowser } from './browser/in-app-browser.ts';
export type { BrowserRequest, OpenBrowser } from './browser/open-browser.ts';
export { createRedirectBrowser } from './browser/redirect-browser.ts';
export { type CustomerClient, createCustomerClient } from './customer-client.ts';
export type { CustomerClientOptions } from './customer-core.ts';
export type { AppInfo } from './device/check-options.ts';
export type { Environment } from './device/environment.ts';
export type { Signal } from './device/run-with-time-limit.ts';
export type { ChangeCode, ChangeCodes, ChangeName, ErrorDetails } from './errors/change-codes.ts';
export type * from './errors/change-errors.ts';
export {
  type ChangeError,
  type ClientCode,
  type DeliveryOption,
  type ErrorCode,
  type ErrorKind,
  type ErrorOf,
  isServiceError,
  type RefusedChange,
  ServiceError,
  type UserError,
} from './errors/service-error.ts';
export type { Advice, DetailNames, ServiceCode } from './generated/error-codes.ts';
export {
  type ActingClient,
  createMerchantClient,
  type MerchantClient,
  type MerchantClientOptions,
} from './merchant-client.ts';
export { type MessagePart, messageParts, plainText } from './messages/message-parts.ts';
export { toAddressInput } from './operations/address-input.ts';
export type {
  BillingOperations,
  BillingPreviewPage,
  BillingRunPage,
} from './operations/billing-operations.ts';
export type {
  ContentChanges,
  ContractChanges,
  OrderChanges,
  Previews,
  SkipVariables,
  TermChanges,
} from './operations/contract-changes.ts';
export type { ContractReads, StoreTime } from './operations/contract-reads.ts';
export type {
  AccountOperations,
  CustomerOperations,
  CustomerSubscriptions,
  Home,
} from './operations/customer-operations.ts';
export type { OrderAttempt } from './operations/declined-orders.ts';
export type { DeclinedOrder, DueOrder, DueOrdersOptions, FindDueOrders } from './operations/due-orders.ts';
export type * from './operations/generated/customer-operations.ts';
export type * from './operations/generated/store-operations.ts';
export { type LastPayment, lastPayment } from './operations/last-payment.ts';
export type { Answer, Operation, OperationOptions } from './operations/operation.ts';
export { type DayRange, daysOfMove, daysOfPostponement } from './operations/order-days.ts';
export type { Connection, ListOperation } from './operations/pages.ts';
export { type PaymentClient, paymentState, retryPayment } from './operations/payment-state.ts';
export {
  type AdminKeyOperations,
  changedSince,
  type OrderOperations,
  type StoreOperations,
  type StoreSubscriptions,
} from './operations/store-operations.ts';
export {
  nextDates,
  type OrderLine,
  type UpcomingOrder,
  visibleOrders,
} from './operations/upcoming-orders.ts';
export { type TypedDocument, TypedDocumentString } from './request/document.ts';
export { isOneOf } from './request/is-one-of.ts';
export type { RequestInfo, ResponseInfo } from './request/observer.ts';
export type { FieldError, Request, RequestOptions, RequestResult } from './request/request.ts';
export type { Session, SessionListener } from './session/session.ts';
export { createCapacitorStorage } from './storage/capacitor-storage.ts';
export { createExpoStorage } from './storage/expo-storage.ts';
export { createKeychainStorage } from './storage/keychain-storage.ts';
export { createMemoryStorage } from './storage/memory-storage.ts';
export { createPageStorage } from './storage/page-storage.ts';
export type { Storage } from './storage/storage.ts';
export { createWebStorage } from './storage/web-storage.ts';
