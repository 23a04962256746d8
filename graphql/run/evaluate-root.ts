/**
 * One root of a request is evaluated: its ids are taken from the coerced arguments, told apart by who owns such
 * objects, compared where that is possible here, and collected where only the platform knows.
 */
import { formatGid, type Gid, inNamespace, parseGid } from '../../lib/domain/gid.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { contractGid, parseEventNumber } from '../../lib/timeline/event-record.ts';
import { isCatalogueType } from '../compile/ownership/catalogue-types.ts';
import {
  type InputMapping,
  idPolicyOf,
  isActingCustomer,
  mapInput,
  toPlatformId,
} from '../compile/ownership/global-ids.ts';
import { PATHS } from '../compile/ownership/write-ownership-query.ts';
import type { Variables } from '../plan/client-document.ts';
import type { Identity } from '../plan/identity.ts';
import type { RootEvaluation } from '../plan/mutation-run.ts';
import type { CompiledRoot, OpenOwnershipChecks } from '../plan/root-kind.ts';
import { type IdPolicy, isOwnedType } from '../schema/field-policy.ts';
import type { Owner } from '../schema/table/schema-table-format.ts';

/** What one id of the arguments says of who owns its object. */
export type IdFinding = {
  /** The id as the platform names it; undefined: it names nothing that can stand there. */
  readonly id?: string;
  /** Whether objects like this have an owner. */
  readonly isOwned: boolean;
  readonly isRefused?: boolean;
  /** What the platform has to prove, if anything. */
  readonly node?: string;
  readonly address?: string;
  readonly content?: OpenOwnershipChecks['contents'][number];
};

/** Evaluates a root for the client's coerced variables. GRAPHQL_VALIDATION_FAILED: an unowned id is none. */
export function evaluateRoot(root: CompiledRoot, variables: Variables, identity: Identity): RootEvaluation {
  const findings: IdFinding[] = [];
  const mapping = mappingFor(root, identity, (finding) => findings.push(finding));
  const values = new Map<string, unknown>();
  for (const argument of root.injected) {
    const value = mapInput(argument.read(variables), argument.entry, mapping);
    if (value !== undefined) values.set(argument.variable, value);
  }
  const isIdMissing = root.access === 'owned' && !findings.some(({ isOwned }) => isOwned);
  const isRefused = root.access === 'closed' || isIdMissing || findings.some((one) => one.isRefused);
  const ownershipChecks = {
    nodes: findings.flatMap(({ node }) => node ?? []),
    addresses: findings.flatMap(({ address }) => address ?? []),
    contents: findings.flatMap(({ content }) => content ?? []),
  };
  const ids = new Set(findings.flatMap(({ id }) => id ?? []));
  return { refusal: isRefused ? 'FORBIDDEN' : undefined, ownershipChecks, values, ids: [...ids] };
}

/** The values for a root that the client's own conditions leave out: its variables are declared all the same. */
export function unusedValues(
  root: CompiledRoot,
  variables: Variables,
  identity: Identity,
): Map<string, unknown> {
  const { namespaces } = identity;
  const mapping: InputMapping = {
    namespaces,
    actor: 'MERCHANT',
    onId: (text, policy) => toPlatformId(text, namespaces) ?? placeholder(policy, identity),
  };
  const entries = root.injected.map(({ variable, entry, read }) => {
    const value = mapInput(read(variables), entry, mapping);
    return [
      variable,
      value ?? (entry[0] === 'ID' ? placeholder(idPolicyOf(entry), identity) : undefined),
    ] as const;
  });
  return new Map(entries.filter(([, value]) => value !== undefined));
}

/** The mapping of a root's arguments. `onFinding` is called for each id, in the order of the arguments. */
export function mappingFor(
  root: Pick<CompiledRoot, 'opensCatalogue'>,
  identity: Identity,
  onFinding: (finding: IdFinding) => void,
): InputMapping {
  const isActing = identity.actingCustomerId !== undefined;
  return {
    namespaces: identity.namespaces,
    actor: isActing ? 'CUSTOMER' : 'MERCHANT',
    onId: (text, policy) => {
      const { client, platform } = identity.namespaces;
      const given = parseGid(text);
      const own = given && isActing ? withModel(given, policy) : given;
      const gid = own?.namespace === client ? inNamespace(own, platform) : undefined;
      if (gid === undefined || !isOfType(gid, policy)) {
        if (!isActing || policy.owner === 'NOBODY') throw invalidId(text, policy, identity);
        onFinding({ isOwned: false, isRefused: true });
        return placeholder(policy, identity);
      }
      const id = formatGid(gid);
      const found = { root, id, gid, owner: policy.owner };
      onFinding(isActing ? classifyId(found, identity) : { id, isOwned: false });
      return id;
    },
  };
}

/**
 * Adds the model name to the id of an address: the platform names a customer's address `624407574?model_name=CustomerAddress`,
 * and documents ids of digits alone.
 */
function withModel(gid: Gid, { owner }: IdPolicy): Gid {
  if (owner !== 'ADDRESS' || !/^[1-9]\d*$/.test(gid.tail)) return gid;
  return { ...gid, tail: `${gid.tail}?model_name=CustomerAddress` };
}

type FoundId = {
  readonly root: Pick<CompiledRoot, 'opensCatalogue'>;
  readonly id: string;
  readonly gid: Gid;
  readonly owner: Owner;
};

function classifyId({ root, id, gid, owner }: FoundId, identity: Identity): IdFinding {
  if (owner === 'NOBODY') return { id, isOwned: false };
  const owned = { id, isOwned: true };
  if (owner === 'OPERATION') return owned;
  if (owner === 'ADDRESS') return { ...owned, address: id };
  if (owner === 'LINE' || owner === 'DISCOUNT') return { ...owned, content: { owner, id } };
  if (owner === 'CUSTOMER' || gid.type === 'Customer') {
    return { ...owned, isRefused: !isActingCustomer(id, identity) };
  }
  if (gid.type === 'SubscriptionEvent') return { ...owned, ...classifyEvent(gid) };
  if (Object.hasOwn(PATHS, gid.type)) return { ...owned, node: id };
  return { ...owned, isRefused: !isOpenNode(root, gid.type) };
}

/** An entry of a timeline belongs to whoever its contract belongs to. */
function classifyEvent({ namespace, tail }: Gid): Pick<IdFinding, 'isRefused' | 'node'> {
  const contract = parseEventNumber(tail)?.contract;
  return contract === undefined ? { isRefused: true } : { node: contractGid(contract, namespace) };
}

/** Whether an object of this type is shown to anybody by a catalogue root, and may be named here. */
function isOpenNode({ opensCatalogue }: Pick<CompiledRoot, 'opensCatalogue'>, typeName: string): boolean {
  return opensCatalogue && !isOwnedType(typeName) && isCatalogueType(typeName);
}

function isOfType({ type }: Gid, { types }: IdPolicy): boolean {
  return types === undefined || types.includes(type);
}

/** An id that stands for one that is not sent: its field does not run. */
function placeholder({ types }: IdPolicy, { namespaces }: Identity): string {
  return `gid://${namespaces.platform}/${types?.[0] ?? 'Product'}/1`;
}

const MAX_PRINTED = 100;
/** Examples of what stands behind the type, where it is no number. */
const TAILS: Readonly<Record<string, string>> = { CustomerSession: '123.Jf4pQ0vWmT2x7bK9sYcR1A' };

function invalidId(text: string, { types }: IdPolicy, { namespaces }: Identity): ServiceError {
  const type = types?.[0] ?? 'Product';
  const example = `gid://${namespaces.client}/${type}/${TAILS[type] ?? '123'}`;
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message: `"${text.slice(0, MAX_PRINTED)}" is not an id that can stand here. It must look like ${example}.`,
  });
}
