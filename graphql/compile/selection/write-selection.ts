/**
 * Writes the client's selection for the platform. Service fields are replaced by the fields they need, owner
 * checks are added, and arguments with ids become internal variables. Fragments stay fragments.
 */
import type { ArgumentNode, FieldNode, SelectionNode, SelectionSetNode } from 'graphql';
import type { IncludeCondition } from '../../plan/client-document.ts';
import type { UpstreamWriter } from '../../plan/upstream-document.ts';
import { isServiceType } from '../../schema/field-policy.ts';
import {
  decideFieldTreatment,
  EVENT_CONTRACT_KEY,
  METAFIELD_TYPE_KEY,
  needsNoOwnerCheck,
  PAYLOAD_EVENT_COORDINATE,
  writeSaleCheck,
  writeVisibilityCheck,
} from './field-treatment.ts';
import { readConditions } from './flatten-selection.ts';
import { isBlankSelection } from './is-blank.ts';
import { needsInputMapping } from './needs-mapping.ts';
import { writePageArguments } from './page-arguments.ts';
import { SERVICE_ALIAS } from './service-alias.ts';
import {
  findPlatformParts,
  PLATFORM_PART_ID,
  type PlatformPart,
  platformPartAlias,
} from './service-selection.ts';
import { findArgumentEntry, typeOfField, unwrapTypeReference } from './type-reference.ts';
import { copyClientText, replaceArgumentByVariable } from './upstream-writer.ts';

/** The object on which a selection set is selected. */
export type SelectionContext = {
  readonly typeName: string;
  /** Whether it is read from a connection of the customer, so that its owner is known. */
  readonly isFromCustomer: boolean;
};

/** Writes the selection between the braces. It is never empty, because GraphQL requires at least one field. */
export function writeSelection(
  writer: UpstreamWriter,
  set: SelectionSetNode,
  context: SelectionContext,
): string {
  const selectionTexts = set.selections
    .map((selection) => writeSelectionNode(writer, selection, context))
    .filter((text) => text !== '');
  return selectionTexts.length === 0 ? `${SERVICE_ALIAS}Empty: __typename` : selectionTexts.join(' ');
}

function writeSelectionNode(
  writer: UpstreamWriter,
  selection: SelectionNode,
  context: SelectionContext,
): string {
  if (readConditions(selection) === 'never') return '';
  switch (selection.kind) {
    case 'Field':
      return writeField(writer, selection, context);
    case 'InlineFragment': {
      const typeName = selection.typeCondition?.name.value ?? context.typeName;
      if (isServiceType(typeName) || isBlankSelection(selection.selectionSet, writer.client.fragments))
        return '';
      const typeCondition = selection.typeCondition === undefined ? '' : ` on ${typeName}`;
      const body = writeSelection(writer, selection.selectionSet, { ...context, typeName });
      return `...${typeCondition}${writeDirectives(writer, selection)} { ${body} }`;
    }
    default: {
      const name = selection.name.value;
      return writeFragment(writer, name) ? `...${name}${writeDirectives(writer, selection)}` : '';
    }
  }
}

/**
 * Adds the fragment's definition to the document, once.
 * @returns false when nothing of the fragment is sent to the platform, so that its spread must be omitted
 */
function writeFragment(writer: UpstreamWriter, name: string): boolean {
  const writtenFragment = writer.fragments.get(name);
  if (writtenFragment !== undefined) {
    for (const argument of writtenFragment.injected) writer.scope.add(argument);
    return true;
  }
  const fragment = writer.client.fragments.get(name);
  const typeName = fragment?.typeCondition.name.value;
  if (fragment === undefined || typeName === undefined || isServiceType(typeName)) return false;
  if (isBlankSelection(fragment.selectionSet, writer.client.fragments)) return false;
  // A fragment can be spread in several places, so it never counts as read from a customer's connection.
  const outerScope = writer.scope;
  writer.scope = new Set();
  const selectionText = writeSelection(writer, fragment.selectionSet, { typeName, isFromCustomer: false });
  writer.fragments.set(name, {
    text: `fragment ${name} on ${typeName} { ${selectionText} }`,
    injected: writer.scope,
  });
  writer.scope = new Set([...outerScope, ...writer.scope]);
  return true;
}

function writeField(writer: UpstreamWriter, field: FieldNode, context: SelectionContext): string {
  const { typeName } = context;
  const fieldTreatment = decideFieldTreatment(typeName, field.name.value, writer.isActing);
  if (fieldTreatment.kind === 'service') {
    const selectionTexts =
      fieldTreatment.coordinate === PAYLOAD_EVENT_COORDINATE
        ? writeEventParts(writer, field, typeName)
        : writePlatformParts(writer, field, fieldTreatment);
    const text = `${fieldTreatment.needs}${selectionTexts}`;
    const conditions = fieldTreatment.isExpensive ? readConditions(field) : [];
    return conditions === 'never' ? '' : wrapInConditions(writer, conditions, text);
  }
  const text = writeForwardedField(writer, field, context);
  return fieldTreatment.as.startsWith('metafield') ? `${text} ${METAFIELD_TYPE_KEY}: type` : text;
}

/**
 * A service field whose platform parts are written. `when`: the client's conditions for the field, if the place where the
 * parts are written is not itself under these conditions.
 */
type ServiceFieldContext = {
  readonly coordinate: string;
  readonly type: string;
  readonly when?: readonly IncludeCondition[];
};

/** Writes the platform objects inside a service value, as fields of the object that has the value. */
export function writePlatformParts(
  writer: UpstreamWriter,
  field: FieldNode,
  { coordinate, type, when = [] }: ServiceFieldContext,
): string {
  if (coordinate === 'closed' || field.selectionSet === undefined) return '';
  const top = { field, when, typeName: unwrapTypeReference(type) };
  const platformParts = findPlatformParts(writer.client.fragments, top);
  return platformParts.map((part) => ` ${writePlatformPart(writer, part)}`).join('');
}

/** The fields of the platform's payloads that lead to the changed contract, and the contract's field below them. */
const CONTRACT_FIELD_BY_PAYLOAD_FIELD: Readonly<Record<string, string | undefined>> = {
  contract: undefined,
  billingCycle: 'sourceContract',
  billingCycles: 'sourceContract',
  subscriptionBillingAttempt: 'subscriptionContract',
};

/** Writes the platform objects of a payload's timeline entry, as fields of the changed contract. */
function writeEventParts(writer: UpstreamWriter, field: FieldNode, payloadType: string): string {
  const platformTexts = writePlatformParts(writer, field, {
    coordinate: PAYLOAD_EVENT_COORDINATE,
    type: 'SubscriptionEvent',
  });
  const objectFieldName = Object.keys(CONTRACT_FIELD_BY_PAYLOAD_FIELD).find(
    (name) => typeOfField(payloadType, name) !== undefined,
  );
  if (platformTexts === '' || objectFieldName === undefined) return '';
  const contract = CONTRACT_FIELD_BY_PAYLOAD_FIELD[objectFieldName];
  const subselection =
    contract === undefined ? platformTexts : `${EVENT_CONTRACT_KEY}: ${contract} {${platformTexts} }`;
  return ` ${EVENT_CONTRACT_KEY}: ${objectFieldName} { ${subselection} }`;
}

/** Writes a platform part under its unique alias and the client's conditions. */
export function writePlatformPart(writer: UpstreamWriter, { field, when, typeName }: PlatformPart): string {
  if (field.selectionSet === undefined) return '';
  const selectionText = writeSelection(writer, field.selectionSet, { typeName, isFromCustomer: false });
  const checkTexts = writer.isActing ? writeVisibilityCheck(typeName) : '';
  return wrapInConditions(
    writer,
    when,
    `${platformPartAlias(field)}: ${field.name.value} { ${PLATFORM_PART_ID}: id ${selectionText}${checkTexts} }`,
  );
}

/** Wraps a text in the client's conditions. Each has its own inline fragment, because several may be of one kind. */
export function wrapInConditions(
  writer: UpstreamWriter,
  when: readonly IncludeCondition[],
  text: string,
): string {
  return when.reduceRight((inner, { variable, includes }) => {
    writer.clientVariableNames.add(variable);
    return `... @${includes ? 'include' : 'skip'}(if: $${variable}) { ${inner} }`;
  }, text);
}

/**
 * Writes a forwarded field with its alias, arguments, directives and selection. Adds an owner check while a customer
 * is acting.
 */
function writeForwardedField(writer: UpstreamWriter, field: FieldNode, context: SelectionContext): string {
  const { typeName } = context;
  const fieldName = field.name.value;
  const aliasText = field.alias === undefined ? '' : `${field.alias.value}: `;
  const fieldText = `${aliasText}${fieldName}${writeArguments(writer, field, typeName)}${writeDirectives(writer, field)}`;
  if (field.selectionSet === undefined) return fieldText;
  const fieldTypeName = unwrapTypeReference(decideFieldTreatment(typeName, fieldName, writer.isActing).type);
  const nestedContext = {
    typeName: fieldTypeName,
    isFromCustomer: needsNoOwnerCheck(typeName, fieldName, context.isFromCustomer),
  };
  const needsVisibilityCheck = writer.isActing && !nestedContext.isFromCustomer;
  const checkTexts = needsVisibilityCheck ? writeVisibilityCheck(fieldTypeName) : '';
  return `${fieldText} { ${writeSelection(writer, field.selectionSet, nestedContext)}${checkTexts} }`;
}

/**
 * Writes the field's arguments in parentheses. Empty when it has none. `overrides` has texts by argument name that replace
 * or add arguments; undefined removes one.
 */
export function writeArguments(
  writer: UpstreamWriter,
  field: FieldNode,
  typeName: string,
  overrides: Readonly<Record<string, string | undefined>> = {},
): string {
  const addsMissingSize = writer.client.surface === 'customer';
  const replacedArguments = {
    ...writePageArguments(writer, field, { typeName, addsMissingSize }),
    ...overrides,
  };
  const argumentsByName = new Map((field.arguments ?? []).map((one) => [one.name.value, one]));
  const argumentNames = new Set([
    ...argumentsByName.keys(),
    ...listRequiredInjections(typeName, field.name.value),
  ]);
  const argumentTexts = [...argumentNames]
    .filter((name) => !Object.hasOwn(replacedArguments, name))
    .map((name) => writeArgument(writer, name, { node: argumentsByName.get(name), field, typeName }));
  for (const [name, text] of Object.entries(replacedArguments))
    if (text !== undefined) argumentTexts.push(`${name}: ${text}`);
  return argumentTexts.length === 0 ? '' : `(${argumentTexts.join(', ')})`;
}

type ArgumentContext = {
  readonly node: ArgumentNode | undefined;
  readonly field: FieldNode;
  readonly typeName: string;
};

function writeArgument(writer: UpstreamWriter, name: string, context: ArgumentContext): string {
  const { node, field, typeName } = context;
  const argumentEntry = findArgumentEntry(typeName, field.name.value, name);
  if (argumentEntry === undefined || !needsInputMapping(argumentEntry[0])) {
    return node === undefined ? '' : `${name}: ${copyClientText(writer, node.value)}`;
  }
  return `${name}: ${replaceArgumentByVariable(writer, { node: node?.value, entry: argumentEntry })}`;
}

/** Returns the arguments that are set even if the client omits them: the actor of a change. */
function listRequiredInjections(typeName: string, fieldName: string): readonly string[] {
  return findArgumentEntry(typeName, fieldName, 'actor') === undefined ? [] : ['actor'];
}

function writeDirectives(writer: UpstreamWriter, { directives = [] }: Pick<FieldNode, 'directives'>): string {
  return directives.map((directive) => ` ${copyClientText(writer, directive)}`).join('');
}

/**
 * Writes the selection of a root field, or of an object in a mutation's payload, in braces. Empty for a field without
 * subfields. While a customer is acting, adds the check that a product is for sale, but no owner check, because the
 * ownership query checks the ids in the arguments.
 */
export function writeBracedSelection(
  writer: UpstreamWriter,
  field: FieldNode,
  context: SelectionContext,
): string {
  if (field.selectionSet === undefined) return '';
  const saleChecks = writer.isActing ? writeSaleCheck(context.typeName) : '';
  return ` { ${writeSelection(writer, field.selectionSet, context)}${saleChecks} }`;
}
