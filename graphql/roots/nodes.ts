/**
 * `node`, `nodes` and `event`: each id is evaluated separately. A refused id becomes null with an error at its position.
 * Objects are read from the platform by their ids. Timeline entries and webhook objects are the service's; only the
 * objects inside an entry, such as the acting customer, are read from the platform.
 */
import { loadOnce } from '../../lib/domain/load-once.ts';
import { compileServiceSelection } from '../compile/selection/build-response-shape.ts';
import { SERVICE_ALIAS } from '../compile/selection/service-alias.ts';
import { findPlatformParts } from '../compile/selection/service-selection.ts';
import { listPossibleTypes, typeOfField, unwrapTypeReference } from '../compile/selection/type-reference.ts';
import { declareVariable } from '../compile/selection/upstream-writer.ts';
import { writePlatformPart } from '../compile/selection/write-selection.ts';
import { buildUnsentRoot, writeRootFields } from '../compile/write-root.ts';
import type { FlattenedField, Variables } from '../plan/client-document.ts';
import type { ServiceSelection } from '../plan/response-shape.ts';
import type { ResponsePath } from '../plan/result-error.ts';
import type {
  CompiledRoot,
  RootCompileContext,
  RootHandler,
  RootResponse,
  RootResponseRequest,
  RunningRoot,
} from '../plan/root-handler.ts';
import type { LocatedError, RootRefusal } from '../plan/root-response.ts';
import type { RunContext } from '../plan/run-context.ts';
import type { InjectedArgument } from '../plan/upstream-document.ts';
import {
  buildPlatformValueResponse,
  listPlatformErrorsBelow,
  refuseRoot,
  toRefusalOptions,
} from '../response/build-response.ts';
import { projectServiceValue } from '../response/project-service-value.ts';
import { createRefusalError } from '../response/refusal.ts';
import { evaluateRootArguments, FORBIDDEN_OUTCOME, startUnsentRoot } from '../run/start-root.ts';
import {
  evaluateIds,
  type IdsEvaluation,
  listContractIdsOfEvents,
  STORE_NODE_TYPES,
} from './evaluate-ids.ts';
import {
  type EventPlatformParts,
  findEventNodes,
  type NodesByPosition,
  TIMELINE_EVENT_TYPE,
} from './find-event-nodes.ts';

const loadFindStoreNodes = loadOnce(() => import('./find-store-nodes.ts'));

/** The compiled data of a root that accepts ids of any type. */
type NodesRoot = {
  readonly argument: InjectedArgument;
  readonly isList: boolean;
  /** The selections of the service's objects that are possible in this root, by types. */
  readonly selections: ReadonlyMap<string, ServiceSelection>;
  /**
   * The platform's root field that reads the objects inside timeline entries, by contract. Undefined when the client
   * selects none.
   */
  readonly eventParts: EventPlatformParts | undefined;
};

export const nodesRoot: RootHandler<NodesRoot, NodesByPosition> = {
  compile(context, { key, fields, access }) {
    const { writer } = context;
    const { texts, runVariables } = writeRootFields(context, { key, fields, isDecided: true, overrides: {} });
    const idsArgument = [...writer.scope].find(
      ({ entry }) => entry[4] === 'NODE' && /^(ID!|\[ID!\]!)$/.test(entry[0]),
    );
    if (idsArgument === undefined) throw new Error(`${key} takes no id`);
    const takesIdList = idsArgument.entry[0].startsWith('[');
    const { text, parts } = writeEventParts(context, fields);
    const root = buildUnsentRoot(context, key, fields);
    const selectionByType = compileServiceSelections(context, root.name, fields);
    return {
      texts: parts === undefined ? texts : [...texts, text],
      root: {
        ...root,
        access,
        runVariables,
        idleVariables: parts === undefined ? {} : { [parts.idsVariable]: [], [parts.runVariable]: false },
        clientPathByPlatformKey: new Map([key, ...(parts ? [parts.key] : [])].map((one) => [one, [one]])),
        read: (data) => data[key],
        opensCatalogue: root.name !== 'event',
        special: {
          argument: idsArgument,
          isList: takesIdList,
          selections: selectionByType,
          eventParts: parts,
        },
      },
    };
  },
  start: startNodesRoot,
  async follow(context, roots, first) {
    const foundEvents = await findEventNodes(context, roots, first);
    if (!foundEvents.some(({ ids }) => ids.storeObjects.size > 0)) return foundEvents;
    return (await loadFindStoreNodes()).findStoreNodes(context, foundEvents);
  },
  respond: buildNodesResponse,
};

/**
 * Compiles the selection of each type of the service's own objects that this root can return: timeline entries in every
 * root, the others only in `node` and `nodes`.
 */
function compileServiceSelections(
  context: RootCompileContext,
  name: string,
  fields: readonly FlattenedField[],
) {
  const possibleTypeNames = listPossibleTypes(unwrapTypeReference(typeOfField('QueryRoot', name) ?? ''));
  const types = [TIMELINE_EVENT_TYPE, ...STORE_NODE_TYPES].filter((type) => possibleTypeNames.includes(type));
  return new Map(types.map((type) => [type, compileServiceSelection(context, fields, type)]));
}

/** Writes the root that reads the entries' contracts, with the platform's objects inside an entry. */
function writeEventParts({ writer, index }: RootCompileContext, fields: readonly FlattenedField[]) {
  const nestedFields = fields.flatMap((one) =>
    findPlatformParts(writer.client.fragments, { ...one, typeName: TIMELINE_EVENT_TYPE }),
  );
  if (nestedFields.length === 0) return { text: '', parts: undefined };
  const platformParts: EventPlatformParts = {
    key: `${SERVICE_ALIAS}AtEvents${index}`,
    idsVariable: `${SERVICE_ALIAS}EventContracts${index}`,
    runVariable: `${SERVICE_ALIAS}EventRun${index}`,
  };
  const idsVariable = declareVariable(writer, platformParts.idsVariable, '[ID!]!');
  const runVariable = declareVariable(writer, platformParts.runVariable, 'Boolean!');
  const body = nestedFields.map((part) => writePlatformPart(writer, part)).join(' ');
  const text = `${platformParts.key}: nodes(ids: ${idsVariable}) @include(if: ${runVariable}) { ... on SubscriptionContract { ${body} } }`;
  return { text, parts: platformParts };
}

function startNodesRoot(
  { identity }: RunContext,
  root: CompiledRoot<NodesRoot>,
  variables: Variables,
): RunningRoot<NodesRoot> {
  const { argument, isList, eventParts } = root.special;
  const ids = evaluateIds(root, argument, { variables, identity });
  const otherArguments = root.injected.filter((one) => one !== argument);
  const otherArgumentsEvaluation = evaluateRootArguments(
    { ...root, access: 'open', injected: otherArguments },
    variables,
    identity,
  );
  const contracts = listContractIdsOfEvents(ids, identity);
  const sentIds = [...ids.sentIds.values()];
  // The variable of an id is non-null. Without an id to send it gets a placeholder, and the root does not run.
  const singleIdOrPlaceholder = sentIds[0] ?? `gid://${identity.namespaces.platform}/Product/1`;
  const nodeVariables = {
    ...Object.fromEntries(otherArgumentsEvaluation.values),
    [argument.variable]: isList ? sentIds : singleIdOrPlaceholder,
    ...(eventParts && {
      [eventParts.idsVariable]: contracts,
      [eventParts.runVariable]: contracts.length > 0,
    }),
  };
  const runningRoot = {
    ...startUnsentRoot(root),
    values: nodeVariables,
    needsRequest: eventParts !== undefined && contracts.length > 0,
  };
  if (root.access === 'closed' || otherArgumentsEvaluation.refusal !== undefined)
    return { ...runningRoot, outcome: FORBIDDEN_OUTCOME };
  const { idsToCheck } = otherArgumentsEvaluation;
  return {
    ...runningRoot,
    idsToCheck,
    isSent: ids.sentIds.size > 0,
    separateChecks: createSingleOwnershipChecks(ids),
  };
}

/** Checks the ownership of each id separately, so that a refused id does not refuse the others. */
function createSingleOwnershipChecks(ids: IdsEvaluation): NonNullable<RunningRoot['separateChecks']> {
  return {
    ids: [...ids.idsToCheck.values()].flat(),
    resolve(findRefusal) {
      const refusalByPosition = new Map(
        [...ids.refusedPositions].map((position): [number, RootRefusal] => [position, 'forbidden']),
      );
      for (const [position, checkedIds] of ids.idsToCheck) {
        const refusal = findRefusal(checkedIds);
        if (refusal !== undefined) refusalByPosition.set(position, refusal);
      }
      const refusals = [...refusalByPosition.values()];
      const isWholeRootRefused =
        refusals.length > 0 &&
        refusals.length === ids.length &&
        refusals.every((refusal) => refusal === 'denied');
      return {
        kind: 'found',
        found: { ids, refusalByPosition, nodesByPosition: new Map() } satisfies NodesByPosition,
        isDenied: isWholeRootRefused,
      };
    },
  };
}

type NodesRootWithObjects = { readonly root: CompiledRoot<NodesRoot>; readonly found: NodesByPosition };

/** Answers the root by position, with the platform's objects and the service's. */
function buildNodesResponse(
  request: RootResponseRequest,
  root: CompiledRoot<NodesRoot>,
  found: NodesByPosition,
): RootResponse {
  const { isList } = root.special;
  const { ids, refusalByPosition } = found;
  const pathOf = (position: number): ResponsePath => (isList ? [root.key, position] : [root.key]);
  const [singleRefusal] = isList ? [] : refusalByPosition.values();
  if (singleRefusal !== undefined) return refuseRoot(request, root, singleRefusal);
  const sentPositions = [...ids.sentIds.keys()];
  const platformObjects = placePlatformObjects(request, { root, found }, sentPositions);
  const errors = listPlatformErrorsBelow(request, root).flatMap((one) =>
    moveErrorToPosition(one, { root, found }, sentPositions),
  );
  const platformResponse = buildPlatformValueResponse(request, root, {
    value: isList ? platformObjects : platformObjects[0],
    errors,
  });
  const visibleResponse = insertServiceNodes(platformResponse, { root, found, pathOf });
  const refusalsInOrder = [...refusalByPosition].sort(([one], [other]) => one - other);
  const refusalErrors = refusalsInOrder.map(([position, refusal]) =>
    createRefusalError(refusal, pathOf(position), toRefusalOptions(request)),
  );
  return {
    ...platformResponse,
    value: visibleResponse,
    errors: [...platformResponse.errors, ...refusalErrors],
    hidesCost: refusalByPosition.size > 0,
  };
}

/** Returns the value with the service's objects at their positions. */
function insertServiceNodes(
  { value, walked }: RootResponse,
  { root, found, pathOf }: NodesRootWithObjects & { readonly pathOf: (position: number) => ResponsePath },
): unknown {
  if (walked === undefined) return value;
  const { isList, selections } = root.special;
  const nodeValues = isList ? [...(value as readonly unknown[])] : [value];
  for (const [position, one] of found.nodesByPosition) {
    const selection = selections.get(one.typeName);
    if (selection === undefined) continue;
    nodeValues[position] = projectServiceValue(walked.walk, one.value, { selection, path: pathOf(position) });
  }
  return isList ? nodeValues : nodeValues[0];
}

/** Returns the platform's objects at their positions in the client's list, null where nothing is shown. */
function placePlatformObjects(
  { platformResponse }: RootResponseRequest,
  { root, found: { ids, refusalByPosition } }: NodesRootWithObjects,
  positions: readonly number[],
): unknown[] {
  const rootValue = root.read(platformResponse?.data ?? {});
  const list = root.special.isList ? (Array.isArray(rootValue) ? rootValue : []) : [rootValue];
  const nodeValues = Array.from<unknown>({ length: ids.length }).fill(null);
  for (const [index, position] of positions.entries()) {
    if (!refusalByPosition.has(position)) nodeValues[position] = list[index] ?? null;
  }
  return nodeValues;
}

/**
 * Moves the error to its position in the client's list, because the platform's list has only the ids that were sent.
 * Errors of refused positions are dropped.
 */
function moveErrorToPosition(
  { error, path }: LocatedError,
  { root, found }: NodesRootWithObjects,
  positions: readonly number[],
): LocatedError[] {
  const [key, pathIndex, ...pathRest] = path;
  if (key !== root.key || !root.special.isList) return [{ error, path }];
  if (typeof pathIndex !== 'number') {
    const isAnyPositionVisible = positions.some((one) => !found.refusalByPosition.has(one));
    return isAnyPositionVisible ? [{ error, path }] : [];
  }
  const position = positions[pathIndex];
  if (position === undefined || found.refusalByPosition.has(position)) return [];
  return [{ error, path: [key, position, ...pathRest] }];
}
