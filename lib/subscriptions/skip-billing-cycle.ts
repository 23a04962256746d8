/**
 * Skips or unskips one order of a contract. Two platform requests: proof and state together, then the edit; or
 * then a read, if the cycle is already as it should be.
 */
import { parseCustomerGid } from '../domain/gid.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ChangedFact } from '../timeline/change.ts';
import { type AnswerSelection, documentWith } from './answer-selection.ts';
import type { Operation, OperationDeps, OperationRequest } from './operation.ts';
import type { OperationError, OperationOutcome } from './operation-error.ts';
import { recordedChange } from './recorded-change.ts';

type SkipDeps = OperationDeps;

type SkipRequest = {
  /** As the platform names it. */
  readonly contractId: string;
  readonly billingCycleIndex: number;
  readonly skip: boolean;
  /** ISO 8601: the cycle's date as the client knows it, so that an index that moved skips nothing else. */
  readonly expectedDate: string | undefined;
  readonly selection: AnswerSelection;
};

type Contract = { readonly status: string; readonly customer: { readonly id: string } | null };
type Cycle = {
  readonly skipped: boolean;
  readonly status: string;
  readonly billingAttemptExpectedDate: string;
};

// The documents hold the client's selection and its variables too: ours have names that clients may not use.
const INPUT = 'billingCycleInput: { contractId: $_svcContractId, selector: { index: $_svcIndex } }';
const OWN = ['$_svcContractId: ID!', '$_svcIndex: Int!'];
const STATE = `query(${OWN.join(', ')}) {
  contract: subscriptionContract(id: $_svcContractId) { status customer { id } }
  cycle: subscriptionBillingCycle(${INPUT}) { skipped status billingAttemptExpectedDate }
}`;
const TERMINATED = new Set(['CANCELLED', 'EXPIRED', 'FAILED']);

/**
 * The changed cycle, or userErrors: CONTRACT_TERMINATED, CYCLE_NOT_FOUND, CYCLE_ALREADY_BILLED, DATE_IN_PAST,
 * CYCLE_DATE_MISMATCH, INVALID. FORBIDDEN if the contract is not the acting customer's, absent included.
 */
export const skipBillingCycle: Operation = async (deps, operation) => {
  const request = toRequest(operation);
  const { data, errors } = await deps.ask({
    document: STATE,
    variables: ownVariables(request),
    mutates: false,
  });
  if (errors.length > 0 && !data?.contract) {
    // Not absent, but not to be had: nothing may be concluded from it.
    throw new ServiceError('PLATFORM_UNAVAILABLE', { internal: `state: ${errors[0]?.message}` });
  }
  const contract = (data?.contract ?? undefined) as Contract | undefined;
  const cycle = (data?.cycle ?? undefined) as Cycle | undefined;
  checkOwner(deps, contract);
  const refusal = refuse(request, { contract, cycle, nowMs: deps.now() });
  if (refusal !== undefined) return { answered: null, userErrors: [refusal], errors: [] };
  return cycle?.skipped === request.skip ? readAgain(deps, request) : change(deps, request);
};

function toRequest({ args, selection }: OperationRequest): SkipRequest {
  return {
    contractId: String(args.contractId),
    billingCycleIndex: Number(args.billingCycleIndex),
    // `skip: null` is true, as the schema's default is.
    skip: args.skip !== false,
    expectedDate: typeof args.expectedDate === 'string' ? args.expectedDate : undefined,
    selection,
  };
}

function checkOwner(deps: SkipDeps, contract: Contract | undefined): void {
  const { actingCustomerId } = deps;
  if (actingCustomerId === undefined) return;
  const owner = contract?.customer?.id;
  const isOwn =
    owner !== undefined && parseCustomerGid(owner, deps.platformGidNamespace) === actingCustomerId;
  if (!isOwn) throw new ServiceError('FORBIDDEN');
}

type State = {
  readonly contract: Contract | undefined;
  readonly cycle: Cycle | undefined;
  readonly nowMs: number;
};

function refuse(request: SkipRequest, { contract, cycle, nowMs }: State): OperationError | undefined {
  const error = (field: string, message: string, code: string) => ({ field: [field], message, code });
  if (contract === undefined)
    return error('contractId', 'There is no such subscription contract.', 'INVALID');
  if (TERMINATED.has(contract.status)) {
    return error('contractId', 'The subscription contract has ended.', 'CONTRACT_TERMINATED');
  }
  const index = 'billingCycleIndex';
  if (cycle === undefined) return error(index, 'The contract has no such billing cycle.', 'CYCLE_NOT_FOUND');
  if (cycle.status === 'BILLED') {
    return error(index, 'The billing cycle has been billed.', 'CYCLE_ALREADY_BILLED');
  }
  const dateMs = Date.parse(cycle.billingAttemptExpectedDate);
  if (request.expectedDate !== undefined && Date.parse(request.expectedDate) !== dateMs) {
    const message = `The billing cycle's date is ${cycle.billingAttemptExpectedDate}. Read the cycles again.`;
    return error('expectedDate', message, 'CYCLE_DATE_MISMATCH');
  }
  if (dateMs < nowMs) return error(index, 'The billing cycle lies in the past.', 'DATE_IN_PAST');
  return undefined;
}

/** Nothing to change: the cycle as it is, in the client's selection. */
async function readAgain(deps: SkipDeps, request: SkipRequest): Promise<OperationOutcome> {
  const { selection } = request;
  if (selection.places.length === 0) return { answered: {}, userErrors: [], errors: [] };
  const roots = selection.places.map(
    ({ key, selection: text }) => `${key}: subscriptionBillingCycle(${INPUT}) ${text}`,
  );
  const { data, errors } = await deps.ask({
    document: documentWith(selection, { head: 'query', own: OWN, body: roots.join(' ') }),
    variables: { ...selection.variables, ...ownVariables(request) },
    mutates: false,
  });
  return { answered: data ?? {}, userErrors: [], errors };
}

type Edited = { readonly userErrors?: readonly PlatformUserError[] } & Readonly<Record<string, unknown>>;
type PlatformUserError = {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code: string | null;
};

function change(deps: SkipDeps, request: SkipRequest): Promise<OperationOutcome> {
  const { contractId, billingCycleIndex, skip } = request;
  const skipped: ChangedFact = {
    coordinate: 'SubscriptionBillingCycle.skipped',
    field: `billingCycles.${billingCycleIndex}.skipped`,
    before: String(!skip),
    after: String(skip),
  };
  const action = skip ? 'billing_cycle_skipped' : 'billing_cycle_unskipped';
  const intent = { action, contractId, details: { billingCycleIndex }, changes: [skipped] };
  return recordedChange(deps, intent, () => edit(deps, request));
}

async function edit(deps: SkipDeps, request: SkipRequest): Promise<OperationOutcome> {
  const { selection, skip } = request;
  const { actingCustomerId } = deps;
  const own = [
    ...OWN,
    '$_svcSkip: Boolean!',
    '$_svcReason: SubscriptionBillingCycleScheduleEditInputScheduleEditReason!',
  ];
  const places = selection.places.map(({ key, selection: text }) => `${key}: billingCycle ${text}`);
  const payload = `${places.join(' ')} userErrors { field message code }`;
  const body = `edit: subscriptionBillingCycleScheduleEdit(${INPUT}, input: { reason: $_svcReason, skip: $_svcSkip }) { ${payload} }`;
  const { data, errors } = await deps.ask({
    document: documentWith(selection, { head: 'mutation', own, body }),
    variables: {
      ...selection.variables,
      ...ownVariables(request),
      _svcSkip: skip,
      _svcReason: actingCustomerId === undefined ? 'MERCHANT_INITIATED' : 'BUYER_INITIATED',
    },
    mutates: true,
  });
  const edited = (data?.edit ?? null) as Edited | null;
  if (edited === null) throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'no payload' });
  const { userErrors = [], ...answered } = edited;
  if (userErrors.length > 0) return { answered: null, userErrors: userErrors.map(toOwnError), errors: [] };
  const below = errors.map((error) => ({ ...error, path: error.path?.slice(1) ?? [] }));
  return { answered, userErrors: [], errors: below };
}

/** The platform's refusal, pointing at our arguments. */
function toOwnError({ field, message, code }: PlatformUserError): OperationError {
  const path = field ?? [];
  const own = path.includes('contractId')
    ? ['contractId']
    : path.includes('selector')
      ? ['billingCycleIndex']
      : path.includes('skip')
        ? ['skip']
        : null;
  return { field: own, message, code: code ?? 'INVALID' };
}

function ownVariables({ contractId, billingCycleIndex }: SkipRequest) {
  return { _svcContractId: contractId, _svcIndex: billingCycleIndex };
}
