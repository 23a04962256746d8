/**
 * Checks every rejection of a test like an app with its own messages: its code is in the schema, and has the details
 * that the tables document.
 */
import {
  type FieldNode,
  getNamedType,
  isEnumType,
  isObjectType,
  Kind,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { findMutation } from '../../../graphql/mutations/mutations.ts';
import { getSchema } from '../../../graphql/schema/schema.ts';
import {
  detailsByCode,
  detailsByPlatformCode,
  type ErrorDetails,
} from '../../../lib/subscriptions/error-details.ts';
import type { PlanRequest } from '../../graphql/world/harness.ts';

type Acting = PlanRequest['as'];

export type TranslatedRefusal = { readonly code: string; readonly details: Partial<ErrorDetails> | null };

const [TYPE, CODE, DETAILS] = ['toldType', 'toldCode', 'toldDetails'];
const EXTRA = fieldsOf(
  `{ ${TYPE}: __typename ${CODE}: code ${DETAILS}: details {
    earliest latest limit actual date cycleIndex lineIds discountIds rejectionReason status revertableUntil
    offeredIntervals { interval intervalCount deliveriesPerPayment sellingPlanId name }
  } }`,
);

const requested = new Map<string, string>();

/** Returns the document with a selection of all details of the service's rejections. */
export function selectDetails(query: string): string {
  const known = requested.get(query);
  if (known !== undefined) return known;
  const written = withDetails(query);
  requested.set(query, written);
  return written;
}

function withDetails(query: string): string {
  if (!/userErrors/.test(query)) return query;
  const types = new TypeInfo(getSchema('admin'));
  const roots: string[] = [];
  const hasServiceRoot = () =>
    roots.map(findMutation).some((record) => record?.kind === 'service' && record.objectFields.length > 0);
  return print(
    visit(
      parse(query),
      visitWithTypeInfo(types, {
        Field(node) {
          if (types.getParentType()?.name === 'Mutation') roots.push(node.name.value);
          const type = getNamedType(types.getType());
          if (node.name.value !== 'userErrors' || !hasServiceRoot() || !isObjectType(type)) return undefined;
          const fields = type.getFields();
          const extra = EXTRA.filter(({ name }) => name.value === '__typename' || name.value in fields);
          const { selectionSet } = node;
          const selections = [...(selectionSet?.selections ?? []), ...extra];
          return { ...node, selectionSet: { kind: Kind.SELECTION_SET, selections } };
        },
      }),
    ),
  );
}

function fieldsOf(selection: string): FieldNode[] {
  const [definition] = parse(selection).definitions;
  const set = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  return set.filter((one) => one.kind === Kind.FIELD);
}

/**
 * Removes the fields that `selectDetails` added from a response.
 * @throws Error for a rejection without its documented details.
 */
export function takeDetails(answer: unknown, as: Acting): TranslatedRefusal[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const found = Object.values(answer).flatMap((value) => takeDetails(value, as));
  if (!(TYPE in answer)) return found;
  const reported = answer as Record<string, unknown>;
  const { [TYPE]: type, [CODE]: code, [DETAILS]: details = null } = reported;
  for (const key of [TYPE, CODE, DETAILS]) delete reported[key];
  if (typeof code !== 'string') return found;
  checkCode(String(type), code, as);
  const given = Object.fromEntries(Object.entries(details ?? {}).filter(([, value]) => value !== null));
  if (hasDetails(String(type))) checkDetails(code, Object.keys(given));
  return [...found, { code, details: details === null ? null : given }];
}

function hasDetails(typeName: string): boolean {
  const type = getSchema('admin').getType(typeName);
  return isObjectType(type) && 'details' in type.getFields();
}

function checkCode(typeName: string, code: string, as: Acting): void {
  const type = getSchema(as === 'customer' ? 'customer' : 'admin').getType(typeName);
  const codes = isObjectType(type) ? getNamedType(type.getFields().code?.type) : undefined;
  if (codes === undefined) return;
  if (!isEnumType(codes) || !codes.getValue(code)) throw new Error(`${code} is no code of ${typeName}`);
}

type Guaranteed = { readonly always?: readonly string[]; readonly sometimes?: readonly string[] };

function checkDetails(code: string, given: readonly string[]): void {
  const tables: Readonly<Record<string, Guaranteed>> = { ...detailsByCode, ...detailsByPlatformCode };
  const { always = [], sometimes = [] } = tables[code] ?? {};
  const missing = always.filter((name) => !given.includes(name));
  const more = code in tables ? given.filter((name) => ![...always, ...sometimes].includes(name)) : [];
  if (missing.length + more.length > 0) {
    throw new Error(
      `${code} lacks ${missing.join(', ') || 'nothing'}, and has ${more.join(', ') || 'nothing'} more`,
    );
  }
}
