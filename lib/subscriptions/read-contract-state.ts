/**
 * Reads a contract's ownership and state in one request, at the start of an operation. After a lost response the same
 * read finds out the outcome.
 */
import { isDenied, type PlatformError } from '../platform/admin-api/admin-answer.ts';
import { type AnswerSelection, documentWith, NO_SELECTION, placesOf } from './answer-selection.ts';
import { CONTRACT_FACTS, CONTRACT_ROOT, type ContractFacts, checkErrors } from './contract-facts.ts';
import type { OperationDeps } from './operation.ts';

/** The first request reads the contract and the operation's own root fields. */
export type ContractState = { readonly contract: ContractFacts };

/**
 * The fields that an operation reads in addition to the contract's facts. Aliases of roots and variables start with
 * `_svc`.
 */
export type StateSelection = {
  /** Fields below the contract. */
  readonly contract: string;
  /** More root fields of the query; `$_svcContractId` is declared. */
  readonly roots?: string;
  readonly declarations?: readonly string[];
  readonly variables?: Readonly<Record<string, unknown>>;
  /**
   * Fields below the contract that are null when the store has not granted access to them or to their fields. All
   * other fields are required.
   */
  readonly mayBeDenied?: readonly string[];
};

/** A selection of root fields only. */
export type RootReads = Required<Pick<StateSelection, 'roots' | 'declarations' | 'variables'>>;

/** `contractId` has the platform's namespace. `answer`: the client's selection, read in the same request. */
type StateRequest = {
  readonly contractId: string;
  readonly reads: StateSelection;
  readonly answer?: AnswerSelection;
};

type ReadState<State> = {
  /** Undefined when the contract does not exist. */
  readonly state: State | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly PlatformError[];
};

// The client's response keys are in the same document; clients may not use names like this one.
const STATE = '_svcContract';

/**
 * Reads the contract and the operation's selection.
 * @throws PLATFORM_UNAVAILABLE when the response leaves the state open
 */
export async function readContractState<State extends ContractState>(
  { ask }: Pick<OperationDeps, 'ask'>,
  { contractId, reads, answer = NO_SELECTION }: StateRequest,
): Promise<ReadState<State>> {
  const facts = `${STATE}: ${CONTRACT_ROOT} { ${CONTRACT_FACTS} ${reads.contract} }`;
  const body = [facts, reads.roots ?? '', placesOf(answer, CONTRACT_ROOT)];
  const { data, errors } = await ask({
    document: documentWith(answer, {
      head: 'query',
      own: ['$_svcContractId: ID!', ...(reads.declarations ?? [])],
      body: body.join(' '),
    }),
    variables: { ...answer.variables, ...reads.variables, _svcContractId: contractId },
    mutates: false,
  });
  const keys = new Set(answer.places.map(({ key }) => key));
  const own = errors.filter(({ path }) => !keys.has(String(path?.[0])));
  checkErrors(own.filter((error) => !mayBeDenied(error, reads.mayBeDenied)));
  const found = data?.[STATE] as ContractFacts | null | undefined;
  const state = found ? ({ ...data, contract: withoutDenied(found, own) } as unknown as State) : undefined;
  return { state, data: data ?? {}, errors: errors.filter((error) => !own.includes(error)) };
}

function mayBeDenied(error: PlatformError, fields: readonly string[] = []): boolean {
  return isDenied(error) && fields.some((field) => error.path?.includes(field));
}

/** Sets a field to null if a part of it is denied, because the rest is incomplete. */
function withoutDenied(contract: ContractFacts, denied: readonly PlatformError[]): ContractFacts {
  const fields = denied.flatMap(({ path }) => path?.slice(1, 2) ?? []).filter((name) => name !== 'customer');
  return { ...contract, ...Object.fromEntries(fields.map((name) => [name, null])) };
}
