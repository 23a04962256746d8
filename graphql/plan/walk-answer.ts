/**
 * The one walk over an answer: ids into the clients' namespace, what belongs to another customer out, our own
 * keys out, the places of local fields noted. It touches only what the shape names.
 */
import { type Identity, isActingCustomer } from './evaluate-root.ts';
import { isReferenceType, rewriteJsonValue, rewriteTextValue, toClientId } from './rewrite-gid.ts';
import { conditionsHold, type FieldShape, type LocalField, type Shape } from './shape.ts';
import { METAFIELD_TYPE, ORDER_OWNER, OWNER, SELF } from './treat-field.ts';
import { isNonNull, itemOf } from './type-reference.ts';
import type { Variables } from './upstream-writer.ts';

export type Path = readonly (string | number)[];
/** A path that is being walked: no array is made for it unless somebody asks. */
type Trail = { readonly above: Trail | undefined; readonly step: string | number };
type Json = Record<string, unknown>;

/** A local field's place in the answer; `parent` is the platform's object, with our keys, `path` the platform's. */
export type LocalTask = {
  readonly local: LocalField;
  readonly walk: Walk;
  readonly parent: Readonly<Json>;
  readonly target: Json;
  readonly key: string;
  readonly path: Path;
};

/** What was taken out of the answer, at paths of the platform's answer below its root. */
export type Removal = { readonly path: Path; readonly isItem: boolean };

/** An object of the platform's answer that stands somewhere else in the client's, inside a value of ours. */
export type Graft = { readonly from: Path; readonly to: Path };

export type Walk = {
  readonly identity: Identity;
  readonly variables: Variables;
  readonly tasks: LocalTask[];
  readonly removals: Removal[];
  readonly grafts: Graft[];
};

/** A walk at its beginning. */
export function startWalk(identity: Identity, variables: Variables): Walk {
  return { identity, variables, tasks: [], removals: [], grafts: [] };
}

/** Belongs to another customer: left out of lists, null where null may stand, else it takes its parent along. */
export const FOREIGN = Symbol('foreign');

/** The value of a root as the client gets it, or FOREIGN. */
export function walkRoot(walk: Walk, value: unknown, field: FieldShape): unknown {
  return walkField(walk, value, field, { above: undefined, step: field.key });
}

/** The value of a field that stands at `path`, or FOREIGN. */
export function walkAt(
  walk: Walk,
  value: unknown,
  { field, path }: { field: FieldShape; path: Path },
): unknown {
  const trail = path.reduce<Trail | undefined>((above, step) => ({ above, step }), undefined);
  return walkField(walk, value, field, trail ?? { above: undefined, step: field.key });
}

function pathOf(trail: Trail): Path {
  const path: (string | number)[] = [];
  for (let at: Trail | undefined = trail; at !== undefined; at = at.above) path.push(at.step);
  return path.reverse();
}

function walkField(walk: Walk, value: unknown, field: FieldShape, trail: Trail): unknown {
  if (value === null || value === undefined) return value;
  if (field.kind === 'plain') return value;
  const walked = walkValue(walk, value, { field, type: field.type, trail });
  if (walked !== FOREIGN) return walked;
  walk.removals.push({ path: pathOf(trail), isItem: false });
  return isNonNull(field.type) ? FOREIGN : null;
}

type Position = { readonly field: FieldShape; readonly type: string; readonly trail: Trail };

function walkValue(walk: Walk, value: unknown, position: Position): unknown {
  if (value === null || value === undefined) return value;
  const item = itemOf(position.type);
  if (item !== undefined) return walkList(walk, value, { ...position, type: item });
  const { field, trail } = position;
  if (field.kind === 'id') return toClientId(value, walk.identity.namespaces);
  return field.shape === undefined ? value : walkObject(walk, value as Json, field.shape, trail);
}

function walkList(walk: Walk, list: unknown, { field, type, trail }: Position): unknown {
  if (!Array.isArray(list)) return list;
  const kept: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const at = { above: trail, step: index };
    const walked = walkValue(walk, item, { field, type, trail: at });
    if (walked !== FOREIGN) kept.push(walked);
    else {
      const isRemoved = isNonNull(type);
      walk.removals.push({ path: pathOf(at), isItem: isRemoved });
      if (!isRemoved) kept.push(null);
    }
  }
  return kept;
}

function walkObject(walk: Walk, object: Json, shape: Shape, trail: Trail): unknown {
  const owner = ownerOf(walk, object);
  if (owner === 'another') return FOREIGN;
  if (shape.isRebuilt) return rebuild(walk, object, { shape, trail, hidesContact: owner === 'nobody' });
  for (const field of shape.active) {
    const value = object[field.key];
    if (value === null || value === undefined) continue;
    const walked = walkField(walk, value, field, { above: trail, step: field.key });
    if (walked === FOREIGN) return FOREIGN;
    object[field.key] = walked;
  }
  return object;
}

type Ownership = 'unchecked' | 'own' | 'another' | 'nobody';

/** Whose an object is, where it was asked for. An order alone may be nobody's. */
function ownerOf({ identity }: Walk, object: Json): Ownership {
  const isOrder = Object.hasOwn(object, ORDER_OWNER);
  if (isOrder && object[ORDER_OWNER] === null) return 'nobody';
  if (isOrder || Object.hasOwn(object, OWNER)) {
    const owner = (isOrder ? object[ORDER_OWNER] : object[OWNER]) as Json | null;
    return isActingCustomer(owner?.id, identity) ? 'own' : 'another';
  }
  if (!Object.hasOwn(object, SELF)) return 'unchecked';
  return isActingCustomer(object[SELF], identity) ? 'own' : 'another';
}

type Rebuild = { readonly shape: Shape; readonly trail: Trail; readonly hidesContact: boolean };

/** The object with the client's keys alone, in the client's order. */
function rebuild(walk: Walk, object: Json, { shape, trail, hidesContact }: Rebuild): unknown {
  const target: Json = {};
  for (const field of shape.fields) {
    const { key } = field;
    const local = field.locals.find((one) => isPresent(walk, object, one));
    if (local !== undefined) {
      target[key] = null;
      const path = pathOf({ above: trail, step: key });
      walk.tasks.push({ local, walk, parent: object, target, key, path });
      continue;
    }
    if (!Object.hasOwn(object, key)) continue;
    const value = hidesContact && field.isContact ? null : rewriteMetafield(walk, object, field);
    const walked = walkField(walk, value, field, { above: trail, step: key });
    if (walked === FOREIGN) return FOREIGN;
    target[key] = walked;
  }
  return target;
}

function isPresent({ variables }: Walk, object: Json, { marker, when }: LocalField): boolean {
  return Object.hasOwn(object, marker) && when.some((one) => conditionsHold(one, variables));
}

/** A metafield's value is an id, or holds some, if its type says so. */
function rewriteMetafield({ identity }: Walk, object: Json, { key, kind }: FieldShape): unknown {
  const value = object[key];
  if (!kind.startsWith('metafield') || !isReferenceType(object[METAFIELD_TYPE])) return value;
  const rewrite = (id: unknown) => toClientId(id, identity.namespaces);
  return kind === 'metafield-json' ? rewriteJsonValue(value, rewrite) : rewriteTextValue(value, rewrite);
}
