/**
 * Reads a contract before a forwarded change, in the request of the ownership check if there is one, so that
 * the timeline records the old and the new values.
 */
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import { failedReadError } from '../../lib/platform/admin-api/missing-access.ts';
import {
  CONTRACT_CONTENT_SELECTION,
  DELIVERY_METHOD_SELECTION,
  DRAFT_CONTENT_SELECTION,
  POSTAL_ADDRESS_SELECTION,
} from '../../lib/timeline/settle/contract-content.ts';
import type {
  ForwardedChange,
  MutationArguments,
  ObservedCycle,
  PriorState,
} from '../plan/forwarded-change.ts';
import type { UpstreamWriter } from '../plan/upstream-document.ts';
import { SERVICE_ALIAS } from './selection/service-alias.ts';
import { declareVariable } from './selection/upstream-writer.ts';

/** The subject is the object that the change starts from: a contract, draft, payment method or customer. */
const SUBJECT_ALIAS = `${SERVICE_ALIAS}Subject`;
const SUBJECT_ID_VARIABLE = `${SERVICE_ALIAS}SubjectId`;
const CYCLE_ALIAS = `${SERVICE_ALIAS}Cycle`;
const CYCLE_INPUT_VARIABLE = `${SERVICE_ALIAS}CycleInput`;
const CYCLE_INCLUDED_VARIABLE = `${SERVICE_ALIAS}WithCycle`;
const ADDRESS_ALIAS = `${SERVICE_ALIAS}Address`;
const ADDRESS_ID_VARIABLE = `${SERVICE_ALIAS}AddressId`;

/** The selection of an address, which is read before the change and in its payload, but never stored. */
export const ADDRESS_SELECTION = `{ id country province ${POSTAL_ADDRESS_SELECTION} }`;

/**
 * The selection of the newest contracts of a customer or a payment method. The timeline records at most 25 of them; the page
 * is larger because terminated contracts may be left out afterwards.
 */
const CONTRACTS_SELECTION = 'subscriptionContracts(first: 100, reverse: true) { nodes { id status } }';
const CONTRACT_SELECTION = `id ${CONTRACT_CONTENT_SELECTION}`;
const SUBJECT_ROOTS: Readonly<Record<Exclude<ForwardedChange['reads'], 'nothing'>, string>> = {
  contract: `subscriptionContract(id: $${SUBJECT_ID_VARIABLE}) { ${CONTRACT_SELECTION} }`,
  draft: `node(id: $${SUBJECT_ID_VARIABLE}) { ... on SubscriptionDraft { ${DRAFT_CONTENT_SELECTION} ${DELIVERY_METHOD_SELECTION}
    billingCycle { cycleIndex } originalContract { ${CONTRACT_SELECTION} ${DELIVERY_METHOD_SELECTION} } } }`,
  'payment method': `customerPaymentMethod(id: $${SUBJECT_ID_VARIABLE}, showRevoked: true) { id ${CONTRACTS_SELECTION} }`,
  customer: `customer(id: $${SUBJECT_ID_VARIABLE}) { ${CONTRACTS_SELECTION} defaultAddress { id } }`,
};

const writeAttemptsSelection = (last: number) =>
  `billingAttempts(last: ${last}) { nodes { idempotencyKey } }`;

/**
 * Writes the roots that read the state before the change, and declares their variables. Empty when the change reads
 * nothing.
 */
export function writePriorStateQuery(
  writer: UpstreamWriter,
  { reads, cycle, address, makesAttempt = false, limit }: ForwardedChange,
): string[] {
  if (reads === 'nothing') return [];
  declareVariable(writer, SUBJECT_ID_VARIABLE, 'ID!');
  const addedSelection = makesAttempt
    ? writeAttemptsSelection(10)
    : limit && `addressesV2(first: ${limit.maximum}) { nodes { id } }`;
  const subjectField =
    addedSelection === undefined
      ? SUBJECT_ROOTS[reads]
      : SUBJECT_ROOTS[reads].replace(/ }$/, ` ${addedSelection} }`);
  const rootFields = [`${SUBJECT_ALIAS}: ${subjectField}`];
  if (address !== undefined) {
    const addressIdVariable = declareVariable(writer, ADDRESS_ID_VARIABLE, 'ID!');
    rootFields.push(
      `${ADDRESS_ALIAS}: node(id: ${addressIdVariable}) { ... on MailingAddress ${ADDRESS_SELECTION} }`,
    );
  }
  if (cycle === undefined) return rootFields;
  const cycleInputVariable = declareVariable(writer, CYCLE_INPUT_VARIABLE, 'SubscriptionBillingCycleInput!');
  const cycleIncludedVariable = declareVariable(writer, CYCLE_INCLUDED_VARIABLE, 'Boolean!');
  const selection = `{ cycleIndex skipped billingAttemptExpectedDate ${makesAttempt ? writeAttemptsSelection(250) : ''} }`;
  const root = `subscriptionBillingCycle(billingCycleInput: ${cycleInputVariable}) @include(if: ${cycleIncludedVariable}) ${selection}`;
  return [...rootFields, `${CYCLE_ALIAS}: ${root}`];
}

/** Returns the values of the variables of the prior state query, from the mutation's arguments. */
export function buildPriorStateVariables(
  { id, cycle, address }: ForwardedChange,
  args: MutationArguments,
): Record<string, unknown> {
  const subjectId = id?.(args);
  const cycleInput = cycle?.(args);
  return {
    [SUBJECT_ID_VARIABLE]: subjectId,
    [ADDRESS_ID_VARIABLE]: address?.(args),
    [CYCLE_INCLUDED_VARIABLE]: Boolean(cycleInput),
    [CYCLE_INPUT_VARIABLE]: cycleInput ?? { contractId: subjectId, selector: { index: 1 } },
  };
}

export const PRIOR_STATE_NOT_READ: PriorState = { subject: null, cycle: null, address: null };

/**
 * Returns the state that was read. Its subject is null when the object does not exist.
 * @throws STORE_ACCESS_MISSING, PLATFORM_UNAVAILABLE when the read failed, because the object may exist
 */
export function readPriorState({ data, errors }: Pick<AdminResponse, 'data' | 'errors'>): PriorState {
  const subjectBefore = data?.[SUBJECT_ALIAS] ?? null;
  const subjectErrors = errors.filter(({ path }) => path === undefined || path[0] === SUBJECT_ALIAS);
  if (data === null) throw failedReadError('no proof', errors);
  if (subjectBefore === null && subjectErrors.length > 0) throw failedReadError('no proof', subjectErrors);
  return {
    subject: subjectBefore,
    cycle: (data[CYCLE_ALIAS] ?? null) as ObservedCycle | null,
    address: data[ADDRESS_ALIAS] ?? null,
  };
}
