/**
 * One root of a request is evaluated: its ids are taken from the coerced arguments, told apart by who owns such
 * objects, compared where that is possible here, and collected where only the platform knows.
 */
import { formatGid, type Gid, inNamespace, parseGid } from '../../lib/domain/gid.ts';
import { ServiceError } from '../../lib/errors/service-error.ts';
import { contractGid, parseEventNumber } from '../../lib/timeline/event-number.ts';
import { isCatalogueType } from '../compile/ownership/catalogue-types.ts';
import { type InputMapping, idPolicyOf, mapInput } from '../compile/ownership/input-ids.ts';
import { toPlatformId } from '../compile/ownership/rewrite-gid.ts';
import { PATHS } from '../compile/ownership/write-ownership-query.ts';
import type { Variables } from '../plan/client-document.ts';
import { type Identity, isActingCustomer } from '../plan/identity.ts';
import type { RootEvaluation } from '../plan/mutation-run.ts';
import type { CompiledRoot } from '../plan/root-kind.ts';
import { type IdPolicy, isOwnedType } from '../schema/field-policy.ts';
import type { Owner } from '../schema/table/schema-table-format.ts';

export type Findings = {
  isRefused: boolean;
  owned: number;
  readonly nodes: string[];
  readonly addresses: string[];
  readonly contents: { owner: 'LINE' | 'DISCOUNT'; id: string }[];
  readonly ids: Set<string>;
};

/** The findings at the beginning: none. */
export function noFindings(): Findings {
  return { isRefused: false, owned: 0, nodes: [], addresses: [], contents: [], ids: new Set() };
}

/** Evaluates a root for the client's coerced variables. GRAPHQL_VALIDATION_FAILED: an unowned id is none. */
export function evaluateRoot(root: CompiledRoot, variables: Variables, identity: Identity): RootEvaluation {
  const findings = noFindings();
  const mapping = mappingFor(root, findings, identity);
  const values = new Map<string, unknown>();
  for (const argument of root.injected) {
    const value = mapInput(argument.read(variables), argument.entry, mapping);
    if (value !== undefined) values.set(argument.variable, value);
  }
  const isIdMissing = root.access === 'owned' && findings.owned === 0;
  const isRefused = root.access === 'closed' || findings.isRefused || isIdMissing;
  const { nodes, addresses, contents, ids } = findings;
  const ownershipChecks = { nodes, addresses, contents };
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

/** The mapping of a root's arguments; what it finds goes into `findings`. */
export function mappingFor(
  root: Pick<CompiledRoot, 'opensCatalogue'>,
  findings: Findings,
  identity: Identity,
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
        findings.isRefused = true;
        return placeholder(policy, identity);
      }
      const id = formatGid(gid);
      findings.ids.add(id);
      if (isActing) classifyId({ root, id, gid, owner: policy.owner }, findings, identity);
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

function classifyId({ root, id, gid, owner }: FoundId, findings: Findings, identity: Identity): void {
  if (owner === 'NOBODY') return;
  findings.owned += 1;
  if (owner === 'OPERATION') return;
  if (owner === 'ADDRESS') findings.addresses.push(id);
  else if (owner === 'LINE' || owner === 'DISCOUNT') findings.contents.push({ owner, id });
  else if (owner === 'CUSTOMER' || gid.type === 'Customer') {
    if (!isActingCustomer(id, identity)) findings.isRefused = true;
  } else if (gid.type === 'SubscriptionEvent') classifyEvent(gid, findings);
  else if (Object.hasOwn(PATHS, gid.type)) findings.nodes.push(id);
  else if (!isOpenNode(root, gid.type)) findings.isRefused = true;
}

/** An entry of a timeline belongs to whoever its contract belongs to. */
function classifyEvent({ namespace, tail }: Gid, findings: Findings): void {
  const contract = parseEventNumber(tail)?.contract;
  if (contract === undefined) findings.isRefused = true;
  else findings.nodes.push(contractGid(contract, namespace));
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
