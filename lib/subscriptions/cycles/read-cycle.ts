/**
 * Reads the owner and the state of one order, and the client's selection if there is any, in one platform request.
 */
import type { PlatformError } from '../../platform/admin-api/admin-response.ts';
import {
  CONTRACT_FACTS_SELECTION,
  CONTRACT_ROOT_FIELD,
  type ContractFacts,
  throwUnlessNotFound,
} from '../contract-facts.ts';
import type { ClientSelection, OperationDeps } from '../operation.ts';
import { buildDocumentWithSelection, NO_SELECTION, selectedObjectsOf } from '../send-change.ts';
import { type BillingCycle, CYCLE_SELECTION } from './billing-cycle.ts';

/** `contractId` is the platform's global id. */
export type CycleRef = { readonly contractId: string; readonly billingCycleIndex: number };

type CycleReading = {
  /** Undefined when the contract does not exist. */
  readonly contract: ContractFacts | undefined;
  readonly cycle: BillingCycle | undefined;
  /** The client's selection by response key. */
  readonly selectedFields: Readonly<Record<string, unknown>>;
  /** The platform's errors in the client's selection. */
  readonly errors: readonly PlatformError[];
};

/**
 * The platform's argument that selects the cycle. Its variables start with `_svc`, because the document also contains
 * the client's variables; clients may not use that prefix.
 */
export const CYCLE_ARGUMENT =
  'billingCycleInput: { contractId: $_svcContractId, selector: { index: $_svcIndex } }';
export const CYCLE_VARIABLES = ['$_svcContractId: ID!', '$_svcIndex: Int!'];

/** Returns the values of `CYCLE_VARIABLES`. */
export function cycleVariables({ contractId, billingCycleIndex }: CycleRef) {
  return { _svcContractId: contractId, _svcIndex: billingCycleIndex };
}

/**
 * Reads the contract and the cycle.
 * @throws PLATFORM_UNAVAILABLE when the response has an error other than "not found" outside the client's selection
 */
export async function readCycle(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  cycleRef: CycleRef,
  selection: ClientSelection = NO_SELECTION,
): Promise<CycleReading> {
  const fieldSelections = selection.payloadFields.map(({ key, field, selection: text }) =>
    field === 'contract'
      ? `${key}: ${CONTRACT_ROOT_FIELD} ${text}`
      : `${key}: subscriptionBillingCycle(${CYCLE_ARGUMENT}) ${text}`,
  );
  const cycleSelection = [
    `_svcContract: ${CONTRACT_ROOT_FIELD} { ${CONTRACT_FACTS_SELECTION} }`,
    `_svcCycle: subscriptionBillingCycle(${CYCLE_ARGUMENT}) { ${CYCLE_SELECTION} }`,
  ];
  const { data, errors } = await sendToPlatform({
    document: buildDocumentWithSelection(selection, {
      operationType: 'query',
      operationDeclarations: CYCLE_VARIABLES,
      body: [...cycleSelection, ...fieldSelections].join(' '),
    }),
    variables: { ...selection.variables, ...cycleVariables(cycleRef) },
    mutates: false,
  });
  const clientKeys = selection.payloadFields.map(({ key }) => key);
  const isErrorOfSelection = ({ path }: PlatformError) => clientKeys.includes(String(path?.[0]));
  throwUnlessNotFound(errors.filter((error) => !isErrorOfSelection(error)));
  return {
    contract: (data?._svcContract ?? undefined) as ContractFacts | undefined,
    cycle: (data?._svcCycle ?? undefined) as BillingCycle | undefined,
    selectedFields: selectedObjectsOf(selection, data ?? {}),
    errors: errors.filter(isErrorOfSelection),
  };
}
