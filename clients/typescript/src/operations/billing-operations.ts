/** Builds the functions with which a merchant's server sees and decides how the service bills its store. */
import * as documents from './generated/store-operations.ts';
import { createChangeOperations, createQueryOperation, type Operation, type Requester } from './operation.ts';
import { type Connection, createListOperation, type ListOperation } from './pages.ts';

/** A run, and a page of its charges as `nodes`. */
export interface BillingRunPage extends documents.BillingRun, Connection<documents.BillingCharge> {}

/** The preview of a day, with a page of its orders as `nodes`, which is empty after tomorrow. */
export interface BillingPreviewPage
  extends Omit<NonNullable<documents.BillingPreviewResult['billingPreview']>, 'entries'>,
    Connection<documents.BillingPreviewEntry> {}

/**
 * How the service bills the store. The changes need a key with the scope BILLING. A refused one is named after its function:
 * `isServiceError(error, 'updateBilling')`.
 */
export interface BillingOperations {
  /** Reads whether and how the service bills, and the `obstacles` that keep billing from being switched on. */
  readonly settings: Operation<documents.BillingSettingsVariables, documents.BillingSettings>;
  /** Changes the settings that are given, and switches billing on or off with `enabled`. All values or none. */
  readonly update: Operation<documents.BillingUpdateVariables, documents.BillingUpdatePayload>;
  /**
   * Reads what a day would charge: today, or one of the next 14 days. `all` iterates over the orders of today or tomorrow.
   * Throws ABSENT while no night has counted the day.
   */
  readonly preview: ListOperation<documents.BillingPreviewVariables, BillingPreviewPage>;
  /** Reads a page of the runs, newest first. */
  readonly runs: ListOperation<documents.BillingRunsVariables, Connection<documents.BillingRun>>;
  /** Reads a run with a page of its charges. With `state`, a page has only those: as many as requested, unless 5,000 orders were read for it. */
  readonly run: ListOperation<documents.BillingRunVariables, BillingRunPage>;
  /** Reads a page of the charges that are tried again or wait for their customers; the next one to act on comes first. */
  readonly charges: ListOperation<documents.BillingChargesVariables, Connection<documents.BillingCharge>>;
  /** Stops billing: ten seconds later no attempt begins. Attempts in progress are settled. */
  readonly stop: Operation<documents.BillingStopVariables, documents.BillingStopPayload>;
  /** Resumes billing after a stop of the store. */
  readonly resume: Operation<documents.BillingResumeVariables, documents.BillingResumePayload>;
  /** Lets a run on hold go on. */
  readonly confirm: Operation<documents.BillingConfirmVariables, documents.BillingConfirmPayload>;
}

export function billingOperations(requester: Requester): BillingOperations {
  const { updateBilling, stopBilling, resumeBilling, confirmBilling } = createChangeOperations(requester, {
    updateBilling: documents.BillingUpdateDocument,
    stopBilling: documents.BillingStopDocument,
    resumeBilling: documents.BillingResumeDocument,
    confirmBilling: documents.BillingConfirmDocument,
  });
  return {
    settings: createQueryOperation(requester, documents.BillingSettingsDocument),
    update: updateBilling,
    preview: createListOperation(requester, documents.BillingPreviewDocument, ({ entries, ...day }) => ({
      ...day,
      ...entries,
    })),
    runs: createListOperation(requester, documents.BillingRunsDocument),
    run: createListOperation(
      requester,
      documents.BillingRunDocument,
      ({ charges, ...run }) => charges && { ...run, ...charges },
    ),
    charges: createListOperation(requester, documents.BillingChargesDocument),
    stop: stopBilling,
    resume: resumeBilling,
    confirm: confirmBilling,
  };
}
