/**
 * Builds the payload of a retry: reads the current state of its objects, by the ids in the arguments or the
 * idempotency record, and checks their ownership.
 */
import type { PlatformError } from '../../../lib/platform/admin-api/admin-response.ts';
import { failedReadError } from '../../../lib/platform/admin-api/missing-access.ts';
import type { StoredResponse } from '../../../lib/storage/idempotency-record.ts';
import {
  CONTRACT_FACTS_SELECTION,
  type ContractFacts,
  requireOwnership,
} from '../../../lib/subscriptions/contract-facts.ts';
import type { ClientSelection } from '../../../lib/subscriptions/operation.ts';
import { buildDocumentWithSelection } from '../../../lib/subscriptions/send-change.ts';
import { type ContractNumber, contractGid, type EventRecord } from '../../../lib/timeline/event-record.ts';
import type { MutationArguments } from '../../plan/forwarded-change.ts';
import type { RunContext } from '../../plan/run-context.ts';

/** The outcome of the first request. `contract`: the contract whose timeline records it, in `entry`. */
export type FirstRequestOutcome = {
  readonly storedResponse: StoredResponse;
  readonly contract: ContractNumber | undefined;
  readonly entry: EventRecord | undefined;
};

type RetryPayloadRequest = {
  readonly mutationName: string;
  readonly args: MutationArguments;
  readonly firstOutcome: FirstRequestOutcome;
  readonly selection: ClientSelection;
};

/** How an object of the payload is read: a root of the query, and the object's field below it. */
type PayloadObjectRead = { readonly root: string; readonly below?: string; readonly on?: string };

const READ_BY_FIELD: Readonly<Record<string, PayloadObjectRead>> = {
  address: { root: 'node(id: $_svcAddressId)', on: 'MailingAddress' },
  billingCycle: { root: 'subscriptionBillingCycle(billingCycleInput: $_svcCycleInput)' },
  contract: { root: 'subscriptionContract(id: $_svcContractId)' },
  customer: { root: 'customerPaymentMethod(id: $_svcMethodId, showRevoked: true)', below: 'customer' },
  job: { root: 'job(id: $_svcJobId)' },
  subscriptionBillingAttempt: { root: 'subscriptionBillingAttempt(id: $_svcAttemptId)' },
};

const TYPE_BY_VARIABLE: Readonly<Record<string, string>> = {
  _svcCycleInput: 'SubscriptionBillingCycleInput!',
};

/**
 * Returns the objects by the selection's response keys, and the platform's errors below them.
 * @throws the errors of the platform's client
 */
export async function readRetryPayload(
  context: RunContext,
  request: RetryPayloadRequest,
): Promise<{
  readonly selectedFields: Readonly<Record<string, unknown>>;
  readonly errors: readonly PlatformError[];
}> {
  const { mutationName, selection } = request;
  const idVariables = buildIdVariables(context, request);
  const areIdsKnown = selection.payloadFields.every(
    ({ field: payloadField }) => (findIdVariable(payloadField) ?? '') in idVariables,
  );
  if (selection.payloadFields.length === 0 || !areIdsKnown) return { selectedFields: {}, errors: [] };
  const isOwnershipChecked =
    context.identity.actingCustomerId !== undefined && idVariables._svcContractId !== undefined;
  const fieldTexts = selection.payloadFields.map(
    (payloadField) => `${payloadField.key}: ${writeObjectRead(payloadField)}`,
  );
  if (isOwnershipChecked)
    fieldTexts.push(`_svcContractOwner: ${READ_BY_FIELD.contract?.root} { ${CONTRACT_FACTS_SELECTION} }`);
  const usedVariables = Object.keys(idVariables).filter((name) =>
    fieldTexts.some((text) => text.includes(`$${name}`)),
  );
  const { data, errors } = await context.send({
    store: context.store,
    document: buildDocumentWithSelection(selection, {
      operationType: 'query',
      operationDeclarations: usedVariables.map((name) => `$${name}: ${TYPE_BY_VARIABLE[name] ?? 'ID!'}`),
      body: fieldTexts.join(' '),
    }),
    variables: {
      ...selection.variables,
      ...Object.fromEntries(usedVariables.map((name) => [name, idVariables[name]])),
    },
    mutates: false,
    callerNamespaces: context.identity.namespaces,
    deadlineAtMs: context.deadlineAtMs,
    costKey: `${mutationName} again ${fieldTexts.join(' ')}`,
  });
  if (data === null) throw failedReadError('nothing to repeat', errors);
  if (isOwnershipChecked) checkOwnership(context, { data, errors });
  return extractPayloadObjects(selection, { data, errors });
}

/** Returns the variable that identifies the object of this field. */
function findIdVariable(field: string): string | undefined {
  return /\$(\w+)/.exec(READ_BY_FIELD[field]?.root ?? '')?.[1];
}

function writeObjectRead({ field, selection }: ClientSelection['payloadFields'][number]): string {
  const objectRead = READ_BY_FIELD[field];
  if (objectRead === undefined) throw new Error(`nobody reads ${field} again`);
  const { root, below, on } = objectRead;
  // A condition may precede the selection.
  const [, condition = '', rest = ''] = /^(\s*@include\(if: false\))?([\s\S]*)$/.exec(selection) ?? [];
  if (below !== undefined) return `${root}${condition} { ${below}${rest} }`;
  return on === undefined ? `${root}${selection}` : `${root}${condition} { ... on ${on}${rest} }`;
}

/** Returns the values that identify the objects, by variable name. Objects without a known id have no entry. */
function buildIdVariables(
  { identity }: RunContext,
  { args, firstOutcome }: RetryPayloadRequest,
): Record<string, unknown> {
  const { storedResponse, contract } = firstOutcome;
  const { ids } = storedResponse;
  const contractIdArgument = args.contractId ?? args.subscriptionContractId;
  const contractId = contract === undefined ? undefined : contractGid(contract, identity.namespaces.platform);
  const cycle = { contractId: args.contractId, selector: { index: args.billingCycleIndex } };
  const idVariables = {
    _svcAddressId: ids.address ?? args.addressId,
    _svcAttemptId: ids.subscriptionBillingAttempt,
    _svcContractId: ids.contract ?? contractIdArgument ?? contractId,
    _svcCycleInput: args.billingCycleInput ?? (args.billingCycleIndex === undefined ? undefined : cycle),
    _svcJobId: ids.job,
    _svcMethodId: args.customerPaymentMethodId,
  };
  return Object.fromEntries(Object.entries(idVariables).filter(([, value]) => value != null));
}

type ObjectReadResponse = {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly PlatformError[];
};

/**
 * Checks the owner of the contract.
 * @throws FORBIDDEN when the contract belongs to another customer by now
 */
function checkOwnership({ identity }: RunContext, { data, errors }: ObjectReadResponse): void {
  const contractFacts = data._svcContractOwner as ContractFacts | null | undefined;
  const ownerErrors = errors.filter(({ path }) => path?.[0] === '_svcContractOwner');
  if (!contractFacts && ownerErrors.length > 0) throw failedReadError('no proof', ownerErrors);
  const { actingCustomerId, namespaces } = identity;
  requireOwnership({ actingCustomerId, platformGidNamespace: namespaces.platform }, contractFacts);
}

function extractPayloadObjects({ payloadFields }: ClientSelection, { data, errors }: ObjectReadResponse) {
  const objectEntries = payloadFields.map(({ key, field }) => {
    const objectField = READ_BY_FIELD[field]?.below;
    const value = data[key] as Readonly<Record<string, unknown>> | null | undefined;
    return [key, (objectField === undefined ? value : value?.[objectField]) ?? null] as const;
  });
  const visibleErrors = errors.flatMap((error): PlatformError[] => {
    const [key, ...rest] = error.path ?? [];
    const payloadField = payloadFields.find((one) => one.key === key);
    if (payloadField === undefined) return [];
    const isReadThroughOwner = READ_BY_FIELD[payloadField.field]?.below !== undefined;
    return [{ ...error, path: [payloadField.key, ...(isReadThroughOwner ? rest.slice(1) : rest)] }];
  });
  return { selectedFields: Object.fromEntries(objectEntries), errors: visibleErrors };
}
