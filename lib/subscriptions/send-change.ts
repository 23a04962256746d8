/**
 * Builds documents that contain the client's selection of the changed object, and sends a change as one mutation. If
 * the response to the change is lost, a read may show whether the change was made.
 */
import { ignoreServiceError } from '../errors/ignore-service-error.ts';
import { isOutcomeUnknown } from '../errors/is-outcome-unknown.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { PlatformError } from '../platform/admin-api/admin-response.ts';
import type { AppliedOutcome, ClientSelection, OperationDeps } from './operation.ts';
import type { PlatformUserError } from './operation-error.ts';

/** The empty selection, for reads whose result is not returned to a client. */
export const NO_SELECTION: ClientSelection = {
  payloadFields: [],
  declarations: [],
  variables: {},
  fragments: '',
};

/**
 * Builds a GraphQL document that contains the client's selection.
 * @param operationType `mutation` or `query`
 * @param operationDeclarations GraphQL declarations of the operation's own variables
 */
export function buildDocumentWithSelection(
  selection: ClientSelection,
  {
    operationType,
    operationDeclarations,
    body,
  }: {
    readonly operationType: string;
    readonly operationDeclarations: readonly string[];
    readonly body: string;
  },
): string {
  const declarations = [...operationDeclarations, ...selection.declarations].join(', ');
  return `${operationType}(${declarations}) { ${body} }\n${selection.fragments}`;
}

/** Writes the client's selections of one field of the payload or the query, for example every alias of `contract`. */
export function writeFieldSelections({ payloadFields }: ClientSelection, field: string): string {
  return payloadFields.map(({ key, selection }) => `${key}: ${field} ${selection}`).join(' ');
}

/** Returns the response's objects by response key, null where the response has none. */
export function selectedObjectsOf(
  { payloadFields }: ClientSelection,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(payloadFields.map(({ key }) => [key, data[key] ?? null]));
}

/**
 * The selection of a payload's user errors. The alias keeps it apart from the client's selection of the same payload.
 */
export const USER_ERRORS_SELECTION = '_svcErrors: userErrors { field message code }';

export type ChangeToSend = {
  readonly selection: ClientSelection;
  /** GraphQL declarations of the operation's own variables. */
  readonly operationDeclarations: readonly string[];
  /** The alias of the mutation in the document. */
  readonly mutationAlias: string;
  /** The mutation with its arguments, as GraphQL text. */
  readonly mutationCall: string;
  /** The selection of the payload as GraphQL text, including `USER_ERRORS_SELECTION`. */
  readonly payloadSelection: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

export type ChangeResponse = {
  /** The fields of the payload, by response key. */
  readonly selectedFields: Readonly<Record<string, unknown>>;
  readonly userErrors: readonly PlatformUserError[];
  /** The platform's errors. Their paths start with a field of the payload. */
  readonly errors: readonly PlatformError[];
};

/**
 * Sends the mutation with the client's selection.
 * @throws OUTCOME_UNKNOWN when the response is lost or has no payload
 */
export async function sendChange(
  { sendToPlatform }: Pick<OperationDeps, 'sendToPlatform'>,
  {
    selection,
    operationDeclarations,
    mutationAlias,
    mutationCall,
    payloadSelection,
    variables,
  }: ChangeToSend,
): Promise<ChangeResponse> {
  const { data, errors } = await sendToPlatform({
    document: buildDocumentWithSelection(selection, {
      operationType: 'mutation',
      operationDeclarations,
      body: `${mutationAlias}: ${mutationCall} { ${payloadSelection} }`,
    }),
    variables: { ...selection.variables, ...variables },
    mutates: true,
  });
  const payloadValue = data?.[mutationAlias] as Readonly<Record<string, unknown>> | null | undefined;
  if (!payloadValue) throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'no payload' });
  const { _svcErrors, ...selectedFields } = payloadValue;
  const payloadErrors = errors.map((error) => ({ ...error, path: error.path?.slice(1) ?? [] }));
  return {
    selectedFields,
    userErrors: (_svcErrors ?? []) as readonly PlatformUserError[],
    errors: payloadErrors,
  };
}

/**
 * Makes the change and returns its outcome. After a lost response, returns the outcome that `findChange` reads.
 * @throws OUTCOME_UNKNOWN when `findChange` does not see the change, which may still take effect
 */
export async function recoverLostResponse(
  makeChange: () => Promise<AppliedOutcome>,
  findChange: () => Promise<AppliedOutcome | undefined>,
): Promise<AppliedOutcome> {
  try {
    return await makeChange();
  } catch (changeError) {
    if (!isOutcomeUnknown(changeError)) throw changeError;
    const foundResult = await ignoreServiceError(findChange);
    if (foundResult === undefined) throw changeError;
    return { ...foundResult, isConfirmedByRead: true };
  }
}
