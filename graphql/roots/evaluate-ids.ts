/**
 * The roots that accept ids of any type (`node`, `nodes`, `event`). Each id is evaluated separately, so that a refused
 * id does not refuse the others. Timeline entries and webhook objects are the service's; they never come from the
 * platform.
 */
import { parseGid } from '../../lib/domain/gid.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import type { EventNumberParts } from '../../lib/timeline/event-record.ts';
import { contractGid, parseEventNumber } from '../../lib/timeline/event-record.ts';
import { idPolicyOfEntry } from '../compile/ownership/global-ids.ts';
import type { Variables } from '../plan/client-document.ts';
import type { RequestIdentity } from '../plan/identity.ts';
import type { CompiledRoot } from '../plan/root-handler.ts';
import type { InjectedArgument } from '../plan/upstream-document.ts';
import { MAX_NODE_IDS } from '../policy/limits/limits.ts';
import { createIdMapping, type IdOwnership } from '../run/start-root.ts';
import { isServiceType } from '../schema/field-policy.ts';

/** The ids of a root by their positions in the client's list. A root with one id has one position. */
export type IdsEvaluation = {
  readonly length: number;
  /** The ids that the platform is asked for, by position. */
  readonly sentIds: ReadonlyMap<number, string>;
  /** The timeline entries by position. Undefined for an id that no entry can have. */
  readonly events: ReadonlyMap<number, EventNumberParts | undefined>;
  /** Ids of the store's own objects in the service (`STORE_NODE_TYPES`), whether these exist or not. */
  readonly storeObjects: ReadonlyMap<number, string>;
  /** The ids whose ownership must be confirmed before the position is shown. */
  readonly idsToCheck: ReadonlyMap<number, readonly string[]>;
  readonly refusedPositions: ReadonlySet<number>;
};

type IdsRequest = { readonly variables: Variables; readonly identity: RequestIdentity };

/**
 * Evaluates each id.
 * @throws GRAPHQL_VALIDATION_FAILED when a value is not an id and no customer is acting
 * @throws QUERY_TOO_COMPLEX when there are too many ids
 */
export function evaluateIds(
  root: Pick<CompiledRoot, 'opensCatalogue'>,
  argument: InjectedArgument,
  { variables, identity }: IdsRequest,
): IdsEvaluation {
  const argumentValue = argument.read(variables);
  const ids = Array.isArray(argumentValue) ? argumentValue : [argumentValue];
  if (ids.length > MAX_NODE_IDS) throw createTooManyIdsError(ids.length);
  const sentIdByPosition = new Map<number, string>();
  const eventByPosition = new Map<number, EventNumberParts | undefined>();
  const storeObjectByPosition = new Map<number, string>();
  const idsToCheckByPosition = new Map<number, readonly string[]>();
  const refusedPositions = new Set<number>();
  for (const [idPosition, id] of ids.entries()) {
    const idFindings: IdOwnership[] = [];
    const idMapping = createIdMapping(root, identity, (finding) => idFindings.push(finding));
    const platformId = idMapping.onId(String(id), idPolicyOfEntry(argument.entry));
    const isAnyIdRefused = idFindings.some((one) => one.isRefused);
    const nodeIds = idFindings.flatMap(({ node }) => node ?? []);
    const gid = parseGid(platformId);
    if (isAnyIdRefused) refusedPositions.add(idPosition);
    else if (gid?.type === 'SubscriptionEvent') eventByPosition.set(idPosition, parseEventNumber(gid.tail));
    else if (gid !== undefined && isStoreNodeType(gid.type))
      storeObjectByPosition.set(idPosition, platformId);
    // The platform does not know the service's other types, and they are no nodes.
    else if (gid !== undefined && isServiceType(gid.type)) eventByPosition.set(idPosition, undefined);
    else sentIdByPosition.set(idPosition, platformId);
    if (nodeIds.length > 0 && !isAnyIdRefused) idsToCheckByPosition.set(idPosition, nodeIds);
  }
  return {
    length: ids.length,
    sentIds: sentIdByPosition,
    events: eventByPosition,
    storeObjects: storeObjectByPosition,
    idsToCheck: idsToCheckByPosition,
    refusedPositions,
  };
}

/** The types of the objects that `findStoreNodes` finds. */
export const STORE_NODE_TYPES = [
  'BillingCharge',
  'BillingRun',
  'WebhookEndpoint',
  'WebhookDelivery',
] as const;

function isStoreNodeType(typeName: string): boolean {
  return (STORE_NODE_TYPES as readonly string[]).includes(typeName);
}

function createTooManyIdsError(actual: number): ServiceError {
  const message = `The query requests ${actual} ids, but the limit is ${MAX_NODE_IDS}. Split it into several requests.`;
  return new ServiceError('QUERY_TOO_COMPLEX', {
    message,
    extensions: { limit: 'ids', max: MAX_NODE_IDS, actual },
  });
}

/** Returns the unique ids of the entries' contracts, in the platform's namespace. */
export function listContractIdsOfEvents(
  { events }: IdsEvaluation,
  { namespaces }: RequestIdentity,
): string[] {
  const contracts = [...events.values()].flatMap((event) => event?.contract ?? []);
  return [...new Set(contracts)].map((contract) => contractGid(contract, namespaces.platform));
}
