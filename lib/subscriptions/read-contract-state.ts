/** The first request of a draft operation: proof and state together. After a lost commit it tells what happened. */
import { isAbsence, isDenied, type PlatformError } from '../platform/admin-api/admin-answer.ts';
import { unanswered } from '../platform/admin-api/missing-access.ts';
import { type AnswerSelection, documentWith } from './answer-selection.ts';
import { CONTRACT_FACTS } from './contract-facts.ts';
import type { DraftState, StateSelection } from './draft/draft-operation.ts';
import type { OperationDeps } from './operation.ts';

/** `contractId` as the platform names it. `answer`: the client's selection, answered from the same request. */
export type StateRequest = {
  readonly contractId: string;
  readonly reads: StateSelection;
  readonly answer?: AnswerSelection;
};

export type ReadState<State> = {
  /** Undefined: there is no such contract. */
  readonly state: State | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly PlatformError[];
};

// The client's response keys stand beside ours: names like this one are not open to clients.
const STATE = '_svcContract';
const NOTHING: AnswerSelection = { places: [], declarations: [], variables: {}, fragments: '' };

/** Reads the contract and what the operation asks for. PLATFORM_UNAVAILABLE if nothing can be concluded from the answer. */
export async function readDraftState<State extends DraftState>(
  { ask }: Pick<OperationDeps, 'ask'>,
  { contractId, reads, answer = NOTHING }: StateRequest,
): Promise<ReadState<State>> {
  const facts = `${STATE}: subscriptionContract(id: $_svcContractId) { ${CONTRACT_FACTS} ${reads.contract} }`;
  const body = [facts, reads.roots ?? '', contractPlaces(answer)];
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
  const found = data?.[STATE] ?? undefined;
  const state = found === undefined ? undefined : ({ ...data, contract: found } as unknown as State);
  return { state, data: data ?? {}, errors: errors.filter((error) => !own.includes(error)) };
}

function mayBeDenied(error: PlatformError, field: string | undefined): boolean {
  return isDenied(error) && field !== undefined && error.path?.includes(field) === true;
}

/** The contract at each place of the client's selection, as roots of a query. */
export function contractPlaces({ places }: AnswerSelection): string {
  return places
    .map(({ key, selection }) => `${key}: subscriptionContract(id: $_svcContractId) ${selection}`)
    .join(' ');
}

/** An absent object may be an error at the platform; any other error leaves open what there is. */
export function checkErrors(errors: readonly PlatformError[]): void {
  const unclear = errors.filter((error) => !isAbsence(error));
  if (unclear.length > 0) throw unanswered('state', unclear);
}
