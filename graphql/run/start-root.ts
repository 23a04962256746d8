/**
 * Starts a root of a request: reads the arguments, classifies their ids by owner, compares ids of customers, and collects
 * the ids whose owner only the platform knows. The root handlers (graphql/roots) import this file.
 */

import { getArgumentValues } from 'graphql';
import { formatGid, type Gid, parseGid, withNamespace } from '../../lib/domain/gid.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { contractGid, parseEventNumber } from '../../lib/timeline/event-record.ts';
import { isCatalogueType } from '../compile/ownership/catalogue-types.ts';
import {
  type InputMapping,
  idPolicyOfEntry,
  isActingCustomer,
  toPlatformId,
  toPlatformInput,
} from '../compile/ownership/global-ids.ts';
import { PATHS_TO_CUSTOMER } from '../compile/ownership/write-ownership-query.ts';
import { findArgumentEntry } from '../compile/selection/type-reference.ts';
import type { Variables } from '../plan/client-document.ts';
import type { RequestIdentity } from '../plan/identity.ts';
import type { MutationRun, RootEvaluation } from '../plan/mutation-run.ts';
import type { CompiledMutation } from '../plan/plan.ts';
import type { CompiledRoot, IdsToCheck, RunningRoot } from '../plan/root-handler.ts';
import type { RootOutcome } from '../plan/root-response.ts';
import type { RunContext } from '../plan/run-context.ts';
import { type IdPolicy, isOwnedType } from '../schema/field-policy.ts';
import type { IdOwner } from '../schema/table/schema-table-format.ts';

export const FORBIDDEN_OUTCOME: RootOutcome = { kind: 'refused', refusal: 'forbidden' };

export const NO_IDS_TO_CHECK: IdsToCheck = { nodes: [], addresses: [], contents: [] };

/**
 * Starts a root with its handler's `start`, or evaluates its arguments.
 * @throws GRAPHQL_VALIDATION_FAILED when an argument is no valid id, and ids of its type have no owner
 */
export function startRoot(context: RunContext, root: CompiledRoot, variables: Variables): RunningRoot {
  return root.handler.start?.(context, root, variables) ?? startWithArguments(context, root, { variables });
}

type RootStart = {
  readonly variables: Variables;
  /** The outcome that is known without a request to the platform, and applies unless the root is refused. */
  readonly knownOutcome?: RootOutcome | undefined;
};

/** Evaluates a root's arguments. */
export function startWithArguments<Special>(
  { identity }: RunContext,
  root: CompiledRoot<Special>,
  { variables, knownOutcome }: RootStart,
): RunningRoot<Special> {
  const { refusal, idsToCheck, values } = evaluateRootArguments(root, variables, identity);
  // An invalid argument has no owner, so every client gets the message about it.
  const isOutcomeVisible = refusal === undefined || knownOutcome?.kind === 'invalid';
  const rootOutcome = isOutcomeVisible ? knownOutcome : FORBIDDEN_OUTCOME;
  return {
    root,
    idsToCheck: rootOutcome === undefined ? idsToCheck : NO_IDS_TO_CHECK,
    isSent: true,
    values: Object.fromEntries(values),
    outcome: rootOutcome,
  };
}

/** Starts a root that the service resolves without the platform. */
export function startUnsentRoot<Special>(root: CompiledRoot<Special>): RunningRoot<Special> {
  return { root, idsToCheck: NO_IDS_TO_CHECK, isSent: false, values: {}, outcome: undefined };
}

/** The owner of one id's object, as far as the id shows it. */
export type IdOwnership = {
  /** The id in the platform's namespace, or undefined when it is not of an allowed type. */
  readonly id?: string;
  /** Whether objects of this type have an owner. */
  readonly isOwned: boolean;
  readonly isRefused?: boolean;
  /** The id that the ownership query has to check, or undefined when no check by the platform is needed. */
  readonly node?: string;
  readonly address?: string;
  readonly content?: ContentCheck;
};

type ContentCheck = IdsToCheck['contents'][number];

/**
 * Evaluates a root's arguments for the client's coerced variables.
 * @throws GRAPHQL_VALIDATION_FAILED when an argument is no valid id, and ids of its type have no owner
 */
export function evaluateRootArguments(
  root: CompiledRoot,
  variables: Variables,
  identity: RequestIdentity,
): RootEvaluation {
  const idFindings: IdOwnership[] = [];
  const idMapping = createIdMapping(root, identity, (finding) => idFindings.push(finding));
  const variableValues = new Map<string, unknown>();
  for (const argument of root.injected) {
    const platformValue = toPlatformInput(argument.read(variables), argument.entry, idMapping);
    if (platformValue !== undefined) variableValues.set(argument.variable, platformValue);
  }
  const isIdMissing = root.access === 'owned' && !idFindings.some(({ isOwned }) => isOwned);
  const isRootForbidden = root.access === 'closed' || isIdMissing || idFindings.some((one) => one.isRefused);
  const nodeIds: string[] = [];
  const addresses: string[] = [];
  const contentChecks: ContentCheck[] = [];
  const ids = new Set<string>();
  for (const { id, node, address, content } of idFindings) {
    if (id !== undefined) ids.add(id);
    if (node !== undefined) nodeIds.push(node);
    if (address !== undefined) addresses.push(address);
    if (content !== undefined) contentChecks.push(content);
  }
  const idsToCheck = { nodes: nodeIds, addresses, contents: contentChecks };
  return {
    refusal: isRootForbidden ? 'FORBIDDEN' : undefined,
    idsToCheck,
    values: variableValues,
    ids: [...ids],
  };
}

/** Returns the values of a root that the client's conditions remove: its variables are still declared. */
export function createExcludedRootVariables(
  { identity }: RunContext,
  root: CompiledRoot,
  variables: Variables,
): Variables {
  const { namespaces } = identity;
  const inputMapping: InputMapping = {
    namespaces,
    actor: 'MERCHANT',
    onId: (text, policy) => toPlatformId(text, namespaces) ?? createPlaceholderId(policy, identity),
  };
  const variableEntries = root.injected.map(({ variable, entry, read }) => {
    const value = toPlatformInput(read(variables), entry, inputMapping);
    return [
      variable,
      value ?? (entry[0] === 'ID' ? createPlaceholderId(idPolicyOfEntry(entry), identity) : undefined),
    ] as const;
  });
  return {
    ...root.idleVariables,
    ...Object.fromEntries(variableEntries.filter(([, value]) => value !== undefined)),
  };
}

/** Returns the coerced arguments of a mutation, with ids in the platform's namespace. */
export function mutationArgumentsOf(
  { variables, context }: MutationRun,
  { root, serviceMutation, forwarded }: CompiledMutation,
): Record<string, unknown> {
  const mutationCall = serviceMutation?.mutationField ?? forwarded?.mutationField;
  if (mutationCall === undefined) throw new Error(`${root.name} has no record`);
  const argumentValues = getArgumentValues(
    mutationCall.definition,
    mutationCall.field,
    variables as Record<string, unknown>,
  );
  const mapping = createIdMapping(root, context.identity, () => undefined);
  const mappedArguments = Object.entries(argumentValues).map(([name, value]) => {
    const argumentEntry = findArgumentEntry('Mutation', root.name, name);
    return [name, argumentEntry === undefined ? value : toPlatformInput(value, argumentEntry, mapping)];
  });
  return Object.fromEntries(mappedArguments);
}

/** Creates the mapping of a root's arguments. It calls `onFinding` for each id, in the order of the arguments. */
export function createIdMapping(
  root: Pick<CompiledRoot, 'opensCatalogue'>,
  identity: RequestIdentity,
  onFinding: (finding: IdOwnership) => void,
): InputMapping {
  const actsForCustomer = identity.actingCustomerId !== undefined;
  return {
    namespaces: identity.namespaces,
    actor: actsForCustomer ? 'CUSTOMER' : 'MERCHANT',
    onId: (text, policy) => {
      const { client, platform } = identity.namespaces;
      const parsedGid = parseGid(text);
      const gidWithModel = parsedGid && actsForCustomer ? addAddressModel(parsedGid, policy) : parsedGid;
      const gid = gidWithModel?.namespace === client ? withNamespace(gidWithModel, platform) : undefined;
      if (gid === undefined || !isAllowedType(gid, policy)) {
        if (!actsForCustomer || policy.owner === 'NOBODY') throw createInvalidIdError(text, policy, identity);
        onFinding({ isOwned: false, isRefused: true });
        return createPlaceholderId(policy, identity);
      }
      const id = formatGid(gid);
      const idToClassify = { root, id, gid, owner: policy.owner };
      onFinding(actsForCustomer ? classifyId(idToClassify, identity) : { id, isOwned: false });
      return id;
    },
  };
}

/**
 * Adds the model name to the id of an address: the platform names a customer's address `624407574?model_name=CustomerAddress`,
 * and documents ids of digits alone.
 */
function addAddressModel(gid: Gid, { owner }: IdPolicy): Gid {
  if (owner !== 'ADDRESS' || !/^[1-9]\d*$/.test(gid.tail)) return gid;
  return { ...gid, tail: `${gid.tail}?model_name=CustomerAddress` };
}

type IdToClassify = {
  readonly root: Pick<CompiledRoot, 'opensCatalogue'>;
  readonly id: string;
  readonly gid: Gid;
  readonly owner: IdOwner;
};

function classifyId({ root, id, gid, owner }: IdToClassify, identity: RequestIdentity): IdOwnership {
  if (owner === 'NOBODY') return { id, isOwned: false };
  const ownedResult = { id, isOwned: true };
  if (owner === 'OPERATION') return ownedResult;
  if (owner === 'ADDRESS') return { ...ownedResult, address: id };
  if (owner === 'LINE' || owner === 'DISCOUNT') return { ...ownedResult, content: { owner, id } };
  if (owner === 'CUSTOMER' || gid.type === 'Customer') {
    return { ...ownedResult, isRefused: !isActingCustomer(id, identity) };
  }
  if (gid.type === 'SubscriptionEvent') return { ...ownedResult, ...classifyEvent(gid) };
  if (Object.hasOwn(PATHS_TO_CUSTOMER, gid.type)) return { ...ownedResult, node: id };
  return { ...ownedResult, isRefused: !isOpenNode(root, gid.type) };
}

/** A timeline entry has the owner of its contract. */
function classifyEvent({ namespace, tail }: Gid): Pick<IdOwnership, 'isRefused' | 'node'> {
  const contract = parseEventNumber(tail)?.contract;
  return contract === undefined ? { isRefused: true } : { node: contractGid(contract, namespace) };
}

/** Whether the root accepts ids of this type because a catalogue root shows such objects to every client. */
function isOpenNode({ opensCatalogue }: Pick<CompiledRoot, 'opensCatalogue'>, typeName: string): boolean {
  return opensCatalogue && !isOwnedType(typeName) && isCatalogueType(typeName);
}

function isAllowedType({ type }: Gid, { types }: IdPolicy): boolean {
  return types === undefined || types.includes(type);
}

/** Returns a valid id for a field that does not run. */
function createPlaceholderId({ types }: IdPolicy, { namespaces }: RequestIdentity): string {
  return `gid://${namespaces.platform}/${types?.[0] ?? 'Product'}/1`;
}

const MAX_PRINTED_ID_CHARACTERS = 100;
/** Examples of the part after the type, for ids without a number. */
const EXAMPLE_TAILS: Readonly<Record<string, string>> = { CustomerSession: '123.Jf4pQ0vWmT2x7bK9sYcR1A' };

function createInvalidIdError(
  text: string,
  { types }: IdPolicy,
  { namespaces }: RequestIdentity,
): ServiceError {
  const type = types?.[0] ?? 'Product';
  const example = `gid://${namespaces.client}/${type}/${EXAMPLE_TAILS[type] ?? '123'}`;
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message: `"${text.slice(0, MAX_PRINTED_ID_CHARACTERS)}" is not an id that can stand here. It must look like ${example}.`,
  });
}
