/** Evaluates the ownership query: every id of a root must belong to the acting customer. */
import { formatGid, type Gid, parseGid } from '../../lib/domain/gid.ts';
import type { PlatformError } from '../../lib/platform/admin-api/admin-response.ts';
import { isActingCustomer } from '../compile/ownership/global-ids.ts';
import {
  CHECK_ADDRESSES_VARIABLE,
  CHECK_NODES_VARIABLE,
  OWN_ADDRESSES_KEY,
  OWNED_NODES_KEY,
  PATHS_TO_CUSTOMER,
} from '../compile/ownership/write-ownership-query.ts';
import { SERVICE_ALIAS } from '../compile/selection/service-alias.ts';
import type { RequestIdentity } from '../plan/identity.ts';
import type { IdsToCheck } from '../plan/root-handler.ts';
import type { RootRefusal } from '../plan/root-response.ts';
import { classifyRefusal } from '../response/refusal.ts';

type OwnershipData = Readonly<Record<string, unknown>> | null;

/** Returns the internal variables of the ownership query for these ids. */
export function buildOwnershipVariables(idsToCheck: readonly IdsToCheck[]): Record<string, unknown> {
  const ids = new Set(idsToCheck.flatMap(({ nodes }) => nodes));
  const variables: Record<string, unknown> = {};
  variables[OWNED_NODES_KEY] = [...ids];
  variables[CHECK_NODES_VARIABLE] = ids.size > 0;
  variables[CHECK_ADDRESSES_VARIABLE] = idsToCheck.some(({ addresses }) => addresses.length > 0);
  return variables;
}

type OwnershipEvidence = {
  readonly data: OwnershipData;
  readonly errors: readonly PlatformError[];
  /** The ids in the order of the ownership query. */
  readonly ids: readonly string[];
  readonly identity: RequestIdentity;
};

/**
 * Returns the refusal of a root: `forbidden` if an object certainly belongs to another customer, else the reason why
 * the platform returned no owner.
 * @returns undefined when all its objects belong to the acting customer
 */
export function findOwnershipRefusal(
  idsToCheck: IdsToCheck,
  evidence: OwnershipEvidence,
): RootRefusal | undefined {
  const { data, ids, identity } = evidence;
  const ownedNodes = data?.[OWNED_NODES_KEY];
  const returnedNodes = Array.isArray(ownedNodes) ? ownedNodes : [];
  const nodeOf = (id: string): unknown => returnedNodes[ids.indexOf(id)];
  const rootRefusals: RootRefusal[] = [];
  const refuseAt = (...path: readonly (string | number)[]) =>
    void rootRefusals.push(classifyMissingValue(evidence, path));
  for (const id of idsToCheck.nodes) {
    const owner = findOwner(nodeOf(id), parseGid(id)?.type ?? '');
    if (owner === undefined) refuseAt(OWNED_NODES_KEY, ids.indexOf(id));
    else if (!isActingCustomer(formatGid(owner), identity)) rootRefusals.push('forbidden');
  }
  const ownAddressIds = collectOwnAddressIds(data);
  if (!idsToCheck.addresses.every((id) => ownAddressIds.has(id))) refuseAt(OWN_ADDRESSES_KEY);
  for (const { owner, id } of idsToCheck.contents) {
    if (idsToCheck.nodes.some((parent) => collectContentIds(nodeOf(parent), owner).has(id))) continue;
    if (idsToCheck.nodes.length === 0) rootRefusals.push('forbidden');
    for (const parentId of idsToCheck.nodes) refuseAt(OWNED_NODES_KEY, ids.indexOf(parentId));
  }
  return REFUSAL_PRECEDENCE.find((one) => rootRefusals.includes(one));
}

const REFUSAL_PRECEDENCE: readonly RootRefusal[] = ['forbidden', 'denied', 'unavailable'];

/** Returns the reason why the ownership query has no value here: an error at, above or below it, or no response. */
function classifyMissingValue(
  { data, errors }: OwnershipEvidence,
  checkPath: readonly (string | number)[],
): RootRefusal {
  const isInResponse = data?.[String(checkPath[0])] !== undefined;
  const errorsOnPath = errors.filter(({ path = [] }) => {
    const sharedDepth = Math.min(path.length, checkPath.length);
    return path.length > 0 && checkPath.slice(0, sharedDepth).every((step, index) => path[index] === step);
  });
  // If the ownership query returned no value at all, any of the errors can be the reason.
  if (isInResponse) return classifyRefusal(errorsOnPath);
  const refusal = classifyRefusal(errors);
  return refusal === 'forbidden' ? 'unavailable' : refusal;
}

type JsonObject = Readonly<Record<string, unknown>> | null | undefined;

/**
 * Returns the customer of an object in the ownership query.
 * @returns undefined when the object does not exist or has no customer
 */
function findOwner(node: unknown, type: string): Gid | undefined {
  const [, ...nextFields] = PATHS_TO_CUSTOMER[type] ?? [];
  let ownedObject = (node as JsonObject)?.[`${SERVICE_ALIAS}${type}`] as JsonObject;
  for (const name of nextFields) ownedObject = ownedObject?.[name] as JsonObject;
  return typeof ownedObject?.id === 'string' ? parseGid(ownedObject.id) : undefined;
}

/** Returns the ids of the lines or discounts of an object in the ownership query. */
function collectContentIds(node: unknown, owner: 'LINE' | 'DISCOUNT'): ReadonlySet<string> {
  const listName = owner === 'LINE' ? 'Lines' : 'Discounts';
  const page = ((node as JsonObject)?.[`${SERVICE_ALIAS}Contract${listName}`] ??
    (node as JsonObject)?.[`${SERVICE_ALIAS}Draft${listName}`]) as JsonObject;
  return collectNodeIds(page);
}

/** Returns the ids of the acting customer's addresses. */
function collectOwnAddressIds(data: JsonObject): ReadonlySet<string> {
  const customer = data?.[OWN_ADDRESSES_KEY] as JsonObject;
  return collectNodeIds(customer?.addressesV2 as JsonObject);
}

function collectNodeIds(page: JsonObject): ReadonlySet<string> {
  const nodes = Array.isArray(page?.nodes) ? (page.nodes as JsonObject[]) : [];
  return new Set(nodes.map((node) => String(node?.id)));
}
