/**
 * An operation begins by reading its contract: proof and state in one request. After a lost answer the same read tells
 * what happened.
 */
import { isDenied, type PlatformError } from '../platform/admin-api/admin-answer.ts';
import { type AnswerSelection, documentWith, NO_SELECTION, placesOf } from './answer-selection.ts';
import { CONTRACT_FACTS, CONTRACT_ROOT, type ContractFacts, checkErrors } from './contract-facts.ts';
import type { OperationDeps } from './operation.ts';

/** The first request brings the contract, and whatever roots the operation adds. */
export type ContractState = { readonly contract: ContractFacts };

/**
 * The selection of what an operation reads beside the facts of the contract. Aliases of roots and variables begin with
 * `_svc`.
 */
export type StateSelection = {
  /** Fields below the contract. */
  readonly contract: string;
  /** More roots of the query; `$_svcContractId` is declared. */
  readonly roots?: string;
  readonly declarations?: readonly string[];
  readonly variables?: Readonly<Record<string, unknown>>;
  /**
   * Fields below the contract that are null where the store has not granted access to them, or to what is below. All
   * others have to answer.
   */
  readonly mayBeDenied?: readonly string[];
};

/** What is read with roots alone. */
export type RootReads = Required<Pick<StateSelection, 'roots' | 'declarations' | 'variables'>>;

/** `contractId` as the platform names it. `answer`: the client's selection, answered from the same request. */
type StateRequest = {
  readonly contractId: string;
  readonly reads: StateSelection;
  readonly answer?: AnswerSelection;
};

type ReadState<State> = {
  /** Undefined: there is no such contract. */
  readonly state: State | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly PlatformError[];
};

// The client's response keys stand beside ours: names like this one are not open to clients.
const STATE = '_svcContract';

/** The contract and what the operation asks for. PLATFORM_UNAVAILABLE if nothing can be concluded from the answer. */
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

/** A field that is denied in part is null: what is left of it is not the whole. */
function withoutDenied(contract: ContractFacts, denied: readonly PlatformError[]): ContractFacts {
  const fields = denied.flatMap(({ path }) => path?.slice(1, 2) ?? []).filter((name) => name !== 'customer');
  return { ...contract, ...Object.fromEntries(fields.map((name) => [name, null])) };
}
