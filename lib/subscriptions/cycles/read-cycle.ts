/**
 * Reads ownership and state of one order in one request, together with the client's selection, if one is provided.
 */
import type { PlatformError } from '../../platform/admin-api/admin-answer.ts';
import { type AnswerSelection, answeredAt, documentWith, NO_SELECTION } from '../answer-selection.ts';
import { CONTRACT_FACTS, CONTRACT_ROOT, type ContractFacts, checkErrors } from '../contract-facts.ts';
import type { OperationDeps } from '../operation.ts';
import { type BillingCycle, CYCLE_FIELDS } from './billing-cycle.ts';

/** `contractId` has the platform's namespace. */
export type CycleRef = { readonly contractId: string; readonly billingCycleIndex: number };

type ReadCycle = {
  /** Undefined when it does not exist. */
  readonly contract: ContractFacts | undefined;
  readonly cycle: BillingCycle | undefined;
  /** The response by the selection's response keys, and the platform's errors below these keys. */
  readonly answered: Readonly<Record<string, unknown>>;
  readonly errors: readonly PlatformError[];
};

/**
 * The platform's argument that selects the cycle. The documents also contain the client's variables, so internal
 * variables have names that clients may not use.
 */
export const CYCLE_INPUT =
  'billingCycleInput: { contractId: $_svcContractId, selector: { index: $_svcIndex } }';
export const CYCLE_VARIABLES = ['$_svcContractId: ID!', '$_svcIndex: Int!'];

/** The values of `CYCLE_VARIABLES`. */
export function cycleVariables({ contractId, billingCycleIndex }: CycleRef) {
  return { _svcContractId: contractId, _svcIndex: billingCycleIndex };
}

/**
 * Reads contract and cycle.
 * @throws PLATFORM_UNAVAILABLE when the response leaves the state open
 */
export async function readCycle(
  { ask }: Pick<OperationDeps, 'ask'>,
  cycle: CycleRef,
  selection: AnswerSelection = NO_SELECTION,
): Promise<ReadCycle> {
  const places = selection.places.map(({ key, field, selection: text }) =>
    field === 'contract'
      ? `${key}: ${CONTRACT_ROOT} ${text}`
      : `${key}: subscriptionBillingCycle(${CYCLE_INPUT}) ${text}`,
  );
  const state = [
    `_svcContract: ${CONTRACT_ROOT} { ${CONTRACT_FACTS} }`,
    `_svcCycle: subscriptionBillingCycle(${CYCLE_INPUT}) { ${CYCLE_FIELDS} }`,
  ];
  const { data, errors } = await ask({
    document: documentWith(selection, {
      head: 'query',
      own: CYCLE_VARIABLES,
      body: [...state, ...places].join(' '),
    }),
    variables: { ...selection.variables, ...cycleVariables(cycle) },
    mutates: false,
  });
  const keys = selection.places.map(({ key }) => key);
  const isBelow = ({ path }: PlatformError) => keys.includes(String(path?.[0]));
  checkErrors(errors.filter((error) => !isBelow(error)));
  return {
    contract: (data?._svcContract ?? undefined) as ContractFacts | undefined,
    cycle: (data?._svcCycle ?? undefined) as BillingCycle | undefined,
    answered: answeredAt(selection, data ?? {}),
    errors: errors.filter(isBelow),
  };
}
