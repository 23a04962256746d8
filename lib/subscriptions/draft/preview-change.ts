/**
 * Previews a change: applies it to a draft that is never committed, and computes the next order from the draft. Only
 * the number of dry runs is stored. The rules and the refusals are those of the change, except refusals that only the
 * commit would return.
 */
import { formatPlatformDate } from '../../domain/instant.ts';
import { failedReadError } from '../../platform/admin-api/missing-access.ts';
import { CONTRACT_ROOT_FIELD } from '../contract-facts.ts';
import type { OrderCounts } from '../count-paid-orders.ts';
import type { AppliedOutcome, OperationRequest } from '../operation.ts';
import type { OperationOutcome } from '../operation-error.ts';
import { type CycleChargeState, findNextOrder } from '../order-content.ts';
import type { ContractState } from '../read-contract-state.ts';
import { buildDocumentWithSelection, selectedObjectsOf, writeFieldSelections } from '../send-change.ts';
import { applyToDraft } from './apply-to-draft.ts';
import type { DraftedChange, DraftRun, NextOrderDate } from './draft-operation.ts';
import {
  CURRENT_CONTENT_SELECTION,
  type CurrentContent,
  type CurrentDiscounts,
  computeCurrentPreview,
  computeDraftPreview,
  computeEditedPreview,
  EDITED_CYCLE_SELECTION,
  type EditedContent,
  hasPriceSteps,
  type PreviewedDraft,
  selectCurrentDiscounts,
  selectDraftToPreview,
} from './order-preview.ts';

/** Whether the request only asks for a preview. */
export function isDryRun({ args }: Pick<OperationRequest, 'args'>): boolean {
  return args.dryRun === true;
}

/**
 * Returns the preview with the unchanged contract, or the user errors of the change, or `stale` if the contract was
 * changed concurrently. Sends the platform requests of the change, with a read in place of the commit.
 * @throws THROTTLED when the contract has had too many dry runs
 */
export async function previewChange<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  change: DraftedChange<State>,
): Promise<AppliedOutcome | 'stale'> {
  await run.deps.dryRuns.countDryRun(run.contractId);
  const draftSelection = { selection: selectDraftToPreview(run.deps), declarations: [], variables: {} };
  const appliedDraft = await applyToDraft(run, state, {
    change,
    finalSelection: draftSelection,
    recordAlso: async () => undefined,
  });
  if (appliedDraft.kind === 'ended') return appliedDraft.outcome;
  const previewedDraft = appliedDraft.finalDraft.selectedFields as PreviewedDraft;
  const linesBefore = appliedDraft.openedDraft.lines;
  const presentContract = await readPresentContract<CurrentDiscounts>(
    run,
    selectCurrentDiscounts(previewedDraft, linesBefore),
  );
  const counts = hasPriceSteps(previewedDraft)
    ? await countOrdersBeforeNext(run, presentContract)
    : undefined;
  const { contract } = presentContract;
  const preview = {
    ...computeDraftPreview(previewedDraft, { contract, counts }, linesBefore),
    date: nextDateAfterChange(change, presentContract.nextOrderDate),
    taxesIncluded: presentContract.taxesIncluded,
  };
  return { ...presentContract.outcome, locals: { ...change.locals, preview } };
}

type PreviewRun = Pick<DraftRun<ContractState>, 'deps' | 'request' | 'contractId'>;

/** Returns the preview of a request that would change nothing. Sends one platform request. */
export async function previewUnchangedContract(
  run: PreviewRun,
  locals: OperationOutcome['locals'],
): Promise<OperationOutcome> {
  const editedSelection = `editedContract { ${EDITED_CYCLE_SELECTION} }`;
  const presentContract = await readPresentContract<CurrentContent>(
    run,
    CURRENT_CONTENT_SELECTION,
    editedSelection,
  );
  const { contract, outcome, nextOrderDate, taxesIncluded } = presentContract;
  const editedContent = presentContract.nextCycle?.editedContract ?? undefined;
  const hasStepPrices = editedContent === undefined && hasPriceSteps(contract);
  const counts = hasStepPrices ? await countOrdersBeforeNext(run, presentContract) : undefined;
  const amounts =
    editedContent === undefined
      ? computeCurrentPreview(contract, counts)
      : computeEditedPreview(editedContent);
  const preview = { ...amounts, date: nextOrderDate, taxesIncluded };
  return { ...outcome, locals: { ...locals, preview } };
}

/** Counts the orders before the next one. Undefined when the service does not set its prices, or there is none. */
async function countOrdersBeforeNext(
  { deps, contractId }: PreviewRun,
  { nextCycle, notBeforeMs }: Pick<PresentContract<unknown>, 'nextCycle' | 'notBeforeMs'>,
): Promise<OrderCounts | undefined> {
  if (nextCycle === undefined) return undefined;
  return (await deps.dryRuns.readOrderCounts(contractId, notBeforeMs))?.(nextCycle);
}

/** Returns the date of the next order after the change: by default its present date. */
function nextDateAfterChange(
  { nextDate = 'kept' }: { readonly nextDate?: NextOrderDate },
  currentDate: string | null,
): string | null {
  if (nextDate === 'kept') return currentDate;
  return nextDate === 'unknown' ? null : formatPlatformDate(nextDate);
}

type PresentContract<Content> = {
  /** The contract in the client's selection. */
  readonly outcome: OperationOutcome;
  /** The selected fields of the contract. */
  readonly contract: Content;
  /** The next order's cycle. Undefined when no order is coming. */
  readonly nextCycle: NextCycle | undefined;
  /** Orders before this time are not charged: now, or the end of the contract's pause; epoch milliseconds. */
  readonly notBeforeMs: number;
  /** When the next order is due. Null when that is not known. */
  readonly nextOrderDate: string | null;
  readonly taxesIncluded: boolean | null;
};

/** `editedContract`: the selected fields of the order's own edited content; null when the order has none. */
type NextCycle = CycleChargeState & {
  readonly cycleIndex: number;
  readonly editedContract?: EditedContent | null;
};

type PresentContractResponse<Content> = {
  readonly _svcPresent?: (Content & { readonly status: string }) | null;
  readonly _svcShop?: { readonly taxesIncluded: boolean } | null;
  readonly _svcCycles?: { readonly nodes: readonly NextCycle[] } | null;
};

const DAY_MS = 86_400_000;
const PREVIEW_HORIZON_MS = 365 * DAY_MS;
/** The number of cycles that are read to find the next order: up to nine skipped orders may precede it. */
const PREVIEW_CYCLE_COUNT = 10;

/**
 * Reads the contract in the client's selection, and its next order.
 * @param contractSelection the fields to read of the contract
 * @param cycleSelection the fields to read of the next cycles
 */
async function readPresentContract<Content>(
  { deps, contractId, request: { selection } }: PreviewRun,
  contractSelection: string,
  cycleSelection = '',
): Promise<PresentContract<Content>> {
  const nowMs = deps.now();
  const pauseEndMs = await deps.dryRuns.readPauseEndMs(contractId);
  const dateRange = {
    startDate: formatPlatformDate(Math.min(Math.max(nowMs, pauseEndMs ?? nowMs), nowMs + PREVIEW_HORIZON_MS)),
    endDate: formatPlatformDate(nowMs + PREVIEW_HORIZON_MS),
  };
  const rootFields = [
    `_svcPresent: ${CONTRACT_ROOT_FIELD} { status ${contractSelection} }`,
    '_svcShop: shop { taxesIncluded }',
    `_svcCycles: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcDates, first: ${PREVIEW_CYCLE_COUNT}) {
      nodes { cycleIndex billingAttemptExpectedDate skipped status ${cycleSelection} } }`,
  ];
  const { data, errors } = await deps.sendToPlatform({
    document: buildDocumentWithSelection(selection, {
      operationType: 'query',
      operationDeclarations: [
        '$_svcContractId: ID!',
        '$_svcDates: SubscriptionBillingCyclesDateRangeSelector!',
      ],
      body: [...rootFields, writeFieldSelections(selection, CONTRACT_ROOT_FIELD)].join(' '),
    }),
    variables: { ...selection.variables, _svcContractId: contractId, _svcDates: dateRange },
    mutates: false,
  });
  const {
    _svcPresent: presentContract,
    _svcShop: shop,
    _svcCycles: cycles,
  } = (data ?? {}) as PresentContractResponse<Content>;
  if (!presentContract) throw failedReadError('a contract for its preview', errors);
  const isContractPaused = presentContract.status === 'PAUSED';
  const willBeCharged = presentContract.status === 'ACTIVE' || (isContractPaused && pauseEndMs !== undefined);
  const notBeforeMs = Math.max(nowMs, (isContractPaused ? pauseEndMs : undefined) ?? nowMs);
  const nextOrder = willBeCharged ? findNextOrder(cycles?.nodes ?? [], notBeforeMs) : undefined;
  const clientKeys = new Set(selection.payloadFields.map(({ key }) => key));
  return {
    outcome: {
      selectedFields: selectedObjectsOf(selection, data ?? {}),
      userErrors: [],
      errors: errors.filter(({ path }) => clientKeys.has(String(path?.[0]))),
    },
    contract: presentContract,
    nextCycle: nextOrder,
    notBeforeMs,
    nextOrderDate: nextOrder?.billingAttemptExpectedDate ?? null,
    taxesIncluded: shop?.taxesIncluded ?? null,
  };
}
