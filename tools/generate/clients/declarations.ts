/** Prints the named types of the client's operations: of enums, input types, fragments, variables and results. */
import {
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import {
  type TypePrinter,
  writeDocComment,
  writeInputType,
  writeMembers,
  writeSelectionType,
} from './type-printer.ts';

/** Returns the declaration of an enum or of an input type. */
export function declareType(printer: TypePrinter, type: GraphQLNamedType): string {
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => `\n  | '${name}'`);
    return `${writeDocComment(type.description)}export type ${type.name} =${values.join('')};\n`;
  }
  if (!isInputObjectType(type)) throw new Error(`${type.name} is no enum and no input type.`);
  const members = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    type: writeInputType(printer, field.type),
    doc: `${field.description ?? ''}${field.deprecationReason ? `\n@deprecated ${field.deprecationReason}` : ''}`,
    isOptional: !isRequiredInputField(field),
  }));
  return `${writeDocComment(type.description)}export interface ${type.name} ${writeMembers(members)}\n`;
}

/** Returns the declaration of a fragment's type. Its comment is the one above the fragment, else that of its type. */
export function declareFragment(printer: TypePrinter, fragment: FragmentDefinitionNode): string {
  const name = fragment.name.value;
  const type = printer.schema.getType(fragment.typeCondition.name.value);
  if (!isCompositeType(type)) throw new Error(`The fragment ${name} is of no type with fields.`);
  const doc = writeDocComment(readLeadingComment(fragment) || type.description);
  return doc + writeDeclaration(name, writeSelectionType(printer, type, { sets: [fragment.selectionSet] }));
}

/** An interface shows its name in editors. A type is only needed for a union, or for fields that also a fragment has. */
function writeDeclaration(name: string, text: string): string {
  const [, spreads, body] = /^((?:\w+ & )*)(\{[\s\S]*\})$/.exec(text) ?? [];
  if (body === undefined || text.startsWith('\n')) return `export type ${name} = ${text.trimStart()};\n`;
  const parents = spreads?.split(' & ').filter(Boolean) ?? [];
  return `export interface ${name} ${parents.length > 0 ? `extends ${parents.join(', ')} ` : ''}${body}\n`;
}

/** Returns the comment lines directly above a definition. */
function readLeadingComment({ loc }: FragmentDefinitionNode): string {
  const lines: string[] = [];
  let [token, line] = [loc?.startToken.prev, loc?.startToken.line ?? 0];
  while (token && String(token.kind) === 'Comment' && token.line === line - 1) {
    lines.unshift(token.value.trim());
    ({ line } = token);
    token = token.prev;
  }
  return lines.join('\n');
}

/** The fields of a payload about a change that was not made. A function of the client throws them. */
const UNCHANGED_PAYLOAD_FIELDS: readonly string[] = ['userErrors', 'deliveryOptions'];

/** Returns the declarations of an operation: of its variables, of the payload of a mutation, and of its result. */
export function declareOperation(printer: TypePrinter, operation: OperationDefinitionNode): string[] {
  const name = operation.name?.value ?? '';
  const root = printer.schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}.`);
  const variables = `/** The variables of \`${name}\`. */\nexport interface ${name}Variables ${writeVariablesType(printer, operation)}\n`;
  const doc = `/** The data of \`${name}\`. */\n`;
  const [field] = operation.selectionSet.selections;
  if (operation.operation !== 'mutation' || field?.kind !== Kind.FIELD || !field.selectionSet) {
    const result = writeSelectionType(printer, root, { sets: [operation.selectionSet] });
    return [variables, `${doc}${writeDeclaration(`${name}Result`, result)}`];
  }
  const { name: fieldName, alias = fieldName, selectionSet } = field;
  const definition = root.getFields()[fieldName.value];
  const payloadType = definition && getNamedType(definition.type);
  if (!isCompositeType(payloadType)) throw new Error(`${name} has no payload.`);
  const isRefusal = (one: SelectionNode) =>
    one.kind === Kind.FIELD && UNCHANGED_PAYLOAD_FIELDS.includes(one.name.value);
  const typeOf = (selections: readonly SelectionNode[], indent = '') =>
    writeSelectionType(printer, payloadType, { sets: [{ ...selectionSet, selections }], indent });
  const done = typeOf(selectionSet.selections.filter((one) => !isRefusal(one)));
  const refusal = typeOf(selectionSet.selections.filter(isRefusal), '  ');
  const type = `(${name}Payload & ${refusal}) | null`;
  return [
    variables,
    `/** The payload of \`${name}\` without its errors. */\n${writeDeclaration(`${name}Payload`, done)}`,
    `${doc}export interface ${name}Result ${writeMembers([{ name: alias.value, type, doc: definition?.description ?? '' }])}\n`,
  ];
}

function writeVariablesType(printer: TypePrinter, operation: OperationDefinitionNode): string {
  const docs = collectVariableDocs(printer, operation);
  const members = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const { value: name } = variable.name;
    const inputNode = typeFromAST(printer.schema, type);
    if (!isInputType(inputNode)) throw new Error(`The variable ${name} has no input type.`);
    const text = writeInputType(printer, inputNode);
    const isOptional = defaultValue !== undefined || type.kind !== Kind.NON_NULL_TYPE;
    return { name, type: text, doc: docs.get(name) ?? '', isOptional };
  });
  return members.length === 0 ? '{ readonly [name: string]: never }' : writeMembers(members);
}

/** Returns the description of the first argument or input field that each variable is given to. */
function collectVariableDocs(
  printer: TypePrinter,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, string> {
  const docs = new Map<string, string>();
  const add = (name: string, doc: string | null | undefined) => {
    if (doc && !docs.has(name)) docs.set(name, doc);
  };
  const visited = new Set<string>();
  const read = (definition: OperationDefinitionNode | FragmentDefinitionNode) => {
    const info = new TypeInfo(printer.schema);
    visit(
      definition,
      visitWithTypeInfo(info, {
        Argument({ value }) {
          if (value.kind === Kind.VARIABLE) add(value.name.value, info.getArgument()?.description);
        },
        ObjectField({ name, value }) {
          const parent = info.getParentInputType() && getNamedType(info.getParentInputType());
          if (value.kind === Kind.VARIABLE && isInputObjectType(parent))
            add(value.name.value, parent.getFields()[name.value]?.description);
        },
        FragmentSpread({ name }) {
          const fragment = printer.fragments.get(name.value);
          if (fragment && !visited.has(name.value)) {
            visited.add(name.value);
            read(fragment);
          }
        },
      }),
    );
  };
  read(operation);
  return docs;
}
