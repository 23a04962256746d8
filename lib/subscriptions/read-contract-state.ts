/**
 * Reads a contract's owner and state in one platform request, before an operation changes it. After a lost response,
 * the same read shows whether the change took effect.
 */
import { isAccessDenied, type PlatformError } from '../platform/admin-api/admin-response.ts';
import {
  CONTRACT_FACTS_SELECTION,
  CONTRACT_ROOT_FIELD,
  type ContractFacts,
  throwUnlessNotFound,
} from './contract-facts.ts';
import type { ClientSelection, OperationDeps } from './operation.ts';
import { buildDocumentWithSelection, NO_SELECTION, writeFieldSelections } from './send-change.ts';

/**
 * What `readContractState` returns for every operation. The state type of an operation adds its own fields of the
 * contract and its own root fields.
 */
export type ContractState = { readonly contract: ContractFacts };

/**
 * What an operation reads in addition to `CONTRACT_FACTS_SELECTION`. Its root field aliases and its variables must
 * start with `_svc`.
 */
export type StateSelection = {
  /** GraphQL selection of further fields of the contract. */
  readonly contractSelection: string;
  /** GraphQL text of root fields other than the contract. They can use the variable `$_svcContractId`. */
  readonly rootFields?: string;
  readonly declarations?: readonly string[];
  readonly variables?: Readonly<Record<string, unknown>>;
  /**
   * Names of fields of the contract that become null when the store has not granted access to them or to a part of
   * them. An error in any other field fails the read.
   */
  readonly deniableFields?: readonly string[];
};

/** A `StateSelection` without fields of the contract. */
export type RootFieldReads = Required<Pick<StateSelection, 'rootFields' | 'declarations' | 'variables'>>;

/**
 * `contractId` is the platform's global id. `selection` is the client's selection, which is read in the same request.
 */
type StateRequest = {
  readonly contractId: string;
  readonly reads: StateSelection;
  readonly selection?: ClientSelection;
};

type ContractStateReading<State> = {
  /** Undefined when the contract does not exist. */
  readonly state: State | undefined;
  /** The data of the whole response, by response key. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The platform's errors in the client's selection. */
  readonly errors: readonly PlatformError[];
};

// The response key of the contract. The document also has the client's response keys, which may not start with `_svc`.
const CONTRACT_STATE_ALIAS = '_svcContract';

/**
 * Reads the contract with the selection of the operation.
 * @throws PLATFORM_UNAVAILABLE when the response has an error other than "not found" or a tolerated denial
 */
export async function readContractState<State extends ContractState>(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  { contractId, reads, selection = NO_SELECTION }: StateRequest,
): Promise<ContractStateReading<State>> {
  const stateField = `${CONTRACT_STATE_ALIAS}: ${CONTRACT_ROOT_FIELD} { ${CONTRACT_FACTS_SELECTION} ${reads.contractSelection} }`;
  const rootFields = [
    stateField,
    reads.rootFields ?? '',
    writeFieldSelections(selection, CONTRACT_ROOT_FIELD),
  ];
  const { data, errors } = await sendToPlatform({
    document: buildDocumentWithSelection(selection, {
      operationType: 'query',
      operationDeclarations: ['$_svcContractId: ID!', ...(reads.declarations ?? [])],
      body: rootFields.join(' '),
    }),
    variables: { ...selection.variables, ...reads.variables, _svcContractId: contractId },
    mutates: false,
  });
  const clientKeys = new Set(selection.payloadFields.map(({ key }) => key));
  const stateErrors = errors.filter(({ path }) => !clientKeys.has(String(path?.[0])));
  throwUnlessNotFound(stateErrors.filter((error) => !isToleratedDenial(error, reads.deniableFields)));
  const contractFacts = data?.[CONTRACT_STATE_ALIAS] as ContractFacts | null | undefined;
  const state = contractFacts
    ? ({ ...data, contract: withoutDeniedFields(contractFacts, stateErrors) } as unknown as State)
    : undefined;
  return { state, data: data ?? {}, errors: errors.filter((error) => !stateErrors.includes(error)) };
}

function isToleratedDenial(error: PlatformError, fields: readonly string[] = []): boolean {
  return isAccessDenied(error) && fields.some((field) => error.path?.includes(field));
}

/** Sets a field to null if access to a part of it was denied, because the rest would be incomplete. */
function withoutDeniedFields(contract: ContractFacts, stateErrors: readonly PlatformError[]): ContractFacts {
  const fields = stateErrors
    .flatMap(({ path }) => path?.slice(1, 2) ?? [])
    .filter((name) => name !== 'customer');
  return { ...contract, ...Object.fromEntries(fields.map((name) => [name, null])) };
}
