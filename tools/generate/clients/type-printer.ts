/**
 * Prints the TypeScript types of a selection: interfaces whose members have the schema's descriptions, so that editors
 * show them. A fragment is a type of its own name, so that the same data has the same type everywhere.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** The JSON values of the scalars. */
const SCALAR_TYPES: Readonly<Record<string, string>> = {
  ...{ Boolean: 'boolean', Int: 'number', Float: 'number', ID: 'string', String: 'string' },
  ...{ Date: 'string', DateTime: 'string', Decimal: 'string', FormattedString: 'string', URL: 'string' },
};

export type TypePrinterContext = {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The names of the fragments, enums and input types that the printed types refer to. The printer adds to it. */
  readonly used: Set<string>;
};

type TypeMember = {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
  readonly isOptional?: boolean;
};
/** The fields of one possible type of a selection. */
type SelectionShape = {
  readonly typeNames: string[];
  readonly hasTypename: boolean;
  readonly spreads: readonly string[];
  readonly body: string;
};
type SelectedFields = { readonly fields: Map<string, FieldNode[]>; readonly spreads: Set<string> };

/** Returns a comment. Empty without a text. */
export function writeDocComment(text: string | null | undefined, indent = ''): string {
  const commentLines = (text ?? '').trim().replaceAll('*/', '*\\/').split('\n');
  if (commentLines.join('') === '') return '';
  if (commentLines.length === 1) return `${indent}/** ${commentLines[0]} */\n`;
  return `${indent}/**\n${commentLines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Returns the braces with the members. */
export function writeMembers(members: readonly TypeMember[], indent = ''): string {
  if (members.length === 0) return '{}';
  const memberLines = members.map(
    ({ name, type, doc, isOptional = false }) =>
      `${writeDocComment(doc, `${indent}  `)}${indent}  readonly ${name}${isOptional ? '?' : ''}: ${type};\n`,
  );
  return `{\n${memberLines.join('')}${indent}}`;
}

/** Returns the type of a selection on a type of the schema. */
export function writeSelectionType(
  printer: TypePrinterContext,
  parent: GraphQLCompositeType,
  { sets, indent = '' }: { readonly sets: readonly SelectionSetNode[]; readonly indent?: string },
): string {
  const possibleTypes = isAbstractType(parent) ? printer.schema.getPossibleTypes(parent) : [parent];
  const selectionShapes: SelectionShape[] = [];
  for (const type of possibleTypes) {
    const shape = buildSelectionShape(printer, type, { sets, indent });
    const sameShape = selectionShapes.find(
      ({ body, spreads }) => body === shape.body && `${spreads}` === `${shape.spreads}`,
    );
    if (sameShape) sameShape.typeNames.push(type.name);
    else selectionShapes.push(shape);
  }
  const texts = selectionShapes.map((shape) => writeShape(shape, indent));
  return texts.length === 1 ? (texts[0] ?? '') : texts.map((text) => `\n${indent}  | ${text}`).join('');
}

function buildSelectionShape(
  printer: TypePrinterContext,
  type: GraphQLObjectType,
  { sets, indent }: { readonly sets: readonly SelectionSetNode[]; readonly indent: string },
): SelectionShape {
  const selectedFields = collectSelected(printer, type, sets);
  for (const name of selectedFields.spreads) printer.used.add(name);
  const shapeMembers = [...selectedFields.fields].flatMap(([name, nodes]) => {
    const field = type.getFields()[nodes[0]?.name.value ?? ''];
    return field ? [buildMember(printer, { name, nodes, parent: type, field, indent })] : [];
  });
  return {
    typeNames: [type.name],
    hasTypename: selectedFields.fields.has('__typename'),
    spreads: [...selectedFields.spreads],
    body: shapeMembers.length === 0 ? '' : writeMembers(shapeMembers, indent),
  };
}

function writeShape({ typeNames, hasTypename, spreads, body }: SelectionShape, indent: string): string {
  const names = typeNames.map((name) => `'${name}'`).join(' | ');
  const typenameMember = writeMembers(
    [{ name: '__typename', type: names, doc: 'The name of the type.' }],
    indent,
  );
  const ownType = hasTypename
    ? body === ''
      ? typenameMember
      : typenameMember.replace(/\n *\}$/, body.slice(1))
    : body;
  return [...spreads, ...(ownType === '' ? [] : [ownType])].join(' & ') || 'Record<PropertyKey, never>';
}

function buildMember(
  printer: TypePrinterContext,
  given: {
    readonly name: string;
    readonly nodes: readonly FieldNode[];
    readonly parent: GraphQLObjectType;
    readonly field: GraphQLField<unknown, unknown>;
    readonly indent: string;
  },
): TypeMember {
  const { name, nodes, parent, field, indent } = given;
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const namedType = getNamedType(field.type);
  const innerType = isCompositeType(namedType)
    ? writeSelectionType(printer, namedType, { sets: selectionSets, indent: `${indent}  ` })
    : writeLeafType(printer, namedType);
  const deprecation = field.deprecationReason ? `\n@deprecated ${field.deprecationReason}` : '';
  // The platform's types repeat fields of their interfaces without a description.
  const inheritedDescriptions = parent
    .getInterfaces()
    .map((parentInterface) => parentInterface.getFields()[field.name]?.description);
  const doc = field.description ?? inheritedDescriptions.find(Boolean) ?? '';
  return { name, type: wrapType(field.type, innerType), doc: `${doc}${deprecation}` };
}

/** Returns the fields that the type gets, and the fragments that it is part of. */
function collectSelected(
  printer: TypePrinterContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  selectedFields: SelectedFields = { fields: new Map(), spreads: new Set() },
): SelectedFields {
  for (const selection of sets.flatMap(({ selections }) => selections)) {
    if (selection.kind === Kind.FIELD) {
      const responseName = (selection.alias ?? selection.name).value;
      selectedFields.fields.set(responseName, [
        ...(selectedFields.fields.get(responseName) ?? []),
        selection,
      ]);
    } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const condition = printer.fragments.get(selection.name.value)?.typeCondition.name.value;
      if (matchesTypeCondition(printer, type, condition)) selectedFields.spreads.add(selection.name.value);
    } else if (matchesTypeCondition(printer, type, selection.typeCondition?.name.value ?? type.name))
      collectSelected(printer, type, [selection.selectionSet], selectedFields);
  }
  return selectedFields;
}

function matchesTypeCondition(
  { schema }: TypePrinterContext,
  type: GraphQLObjectType,
  condition: string | undefined,
): boolean {
  const conditionType = schema.getType(condition ?? '');
  return conditionType === type || (isAbstractType(conditionType) && schema.isSubType(conditionType, type));
}

/** Results can have values of enums that an app does not know, and it can give them back in arguments. */
function writeLeafType(printer: TypePrinterContext, type: GraphQLNamedType): string {
  if (isEnumType(type)) {
    printer.used.add(type.name);
    return `Open<${type.name}>`;
  }
  const scalar = SCALAR_TYPES[type.name];
  if (scalar === undefined) throw new Error(`The client's types have no scalar ${type.name}.`);
  return scalar;
}

function wrapType(type: GraphQLOutputType, inner: string): string {
  if (!isNonNullType(type)) return `${wrapNonNullType(type, inner)} | null`;
  return wrapNonNullType(type.ofType, inner);
}

function wrapNonNullType(type: GraphQLOutputType, inner: string): string {
  return isListType(type) ? `ReadonlyArray<${wrapType(type.ofType, inner)}>` : inner;
}

/** Returns the type of an argument. */
export function writeInputType(printer: TypePrinterContext, type: GraphQLInputType): string {
  if (!isNonNullType(type)) return `${writeNonNullInputType(printer, type)} | null | undefined`;
  return writeNonNullInputType(printer, type.ofType);
}

function writeNonNullInputType(printer: TypePrinterContext, type: GraphQLInputType): string {
  if (isListType(type)) return `ReadonlyArray<${writeInputType(printer, type.ofType)}>`;
  const namedType = getNamedType(type);
  if (!isInputObjectType(namedType)) return writeLeafType(printer, namedType);
  printer.used.add(namedType.name);
  return namedType.name;
}
