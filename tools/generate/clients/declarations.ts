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
  type TypePrinterContext,
  writeDocComment,
  writeInputType,
  writeMembers,
  writeSelectionType,
} from './type-printer.ts';

/** Returns the declaration of an enum or of an input type. */
export function declareType(printer: TypePrinterContext, type: GraphQLNamedType): string {
  if (isEnumType(type)) {
    const enumValues = type.getValues().map(({ name }) => `\n  | '${name}'`);
    return `${writeDocComment(type.description)}export type ${type.name} =${enumValues.join('')};\n`;
  }
  if (!isInputObjectType(type)) throw new Error(`${type.name} is no enum and no input type.`);
  const typeMembers = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    type: writeInputType(printer, field.type),
    doc: `${field.description ?? ''}${field.deprecationReason ? `\n@deprecated ${field.deprecationReason}` : ''}`,
    isOptional: !isRequiredInputField(field),
  }));
  return `${writeDocComment(type.description)}export interface ${type.name} ${writeMembers(typeMembers)}\n`;
}

/** Returns the declaration of a fragment's type. Its comment is the one above the fragment, else that of its type. */
export function declareFragment(printer: TypePrinterContext, fragment: FragmentDefinitionNode): string {
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
  const commentLines: string[] = [];
  let [token, line] = [loc?.startToken.prev, loc?.startToken.line ?? 0];
  while (token && String(token.kind) === 'Comment' && token.line === line - 1) {
    commentLines.unshift(token.value.trim());
    ({ line } = token);
    token = token.prev;
  }
  return commentLines.join('\n');
}

/** The fields of a payload about a change that was not made. A function of the client throws them. */
const UNCHANGED_PAYLOAD_FIELDS: readonly string[] = ['userErrors', 'deliveryOptions'];

/** Returns the declarations of an operation: of its variables, of the payload of a mutation, and of its result. */
export function declareOperation(printer: TypePrinterContext, operation: OperationDefinitionNode): string[] {
  const operationName = operation.name?.value ?? '';
  const root = printer.schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}.`);
  const variablesDeclaration = `/** The variables of \`${operationName}\`. */\nexport interface ${operationName}Variables ${writeVariablesType(printer, operation)}\n`;
  const resultComment = `/** The data of \`${operationName}\`. */\n`;
  const [rootSelection] = operation.selectionSet.selections;
  if (
    operation.operation !== 'mutation' ||
    rootSelection?.kind !== Kind.FIELD ||
    !rootSelection.selectionSet
  ) {
    const resultType = writeSelectionType(printer, root, { sets: [operation.selectionSet] });
    return [
      variablesDeclaration,
      `${resultComment}${writeDeclaration(`${operationName}Result`, resultType)}`,
    ];
  }
  const { name: fieldName, alias = fieldName, selectionSet } = rootSelection;
  const fieldDefinition = root.getFields()[fieldName.value];
  const payloadType = fieldDefinition && getNamedType(fieldDefinition.type);
  if (!isCompositeType(payloadType)) throw new Error(`${operationName} has no payload.`);
  const isRefusal = (selection: SelectionNode) =>
    selection.kind === Kind.FIELD && UNCHANGED_PAYLOAD_FIELDS.includes(selection.name.value);
  const writeTypeOfSelections = (selections: readonly SelectionNode[], indent = '') =>
    writeSelectionType(printer, payloadType, { sets: [{ ...selectionSet, selections }], indent });
  const successType = writeTypeOfSelections(
    selectionSet.selections.filter((selection) => !isRefusal(selection)),
  );
  const refusalType = writeTypeOfSelections(selectionSet.selections.filter(isRefusal), '  ');
  const type = `(${operationName}Payload & ${refusalType}) | null`;
  return [
    variablesDeclaration,
    `/** The payload of \`${operationName}\` without its errors. */\n${writeDeclaration(`${operationName}Payload`, successType)}`,
    `${resultComment}export interface ${operationName}Result ${writeMembers([{ name: alias.value, type, doc: fieldDefinition?.description ?? '' }])}\n`,
  ];
}

function writeVariablesType(printer: TypePrinterContext, operation: OperationDefinitionNode): string {
  const docByName = collectVariableDocs(printer, operation);
  const variableMembers = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const { value: variableName } = variable.name;
    const inputNode = typeFromAST(printer.schema, type);
    if (!isInputType(inputNode)) throw new Error(`The variable ${variableName} has no input type.`);
    const text = writeInputType(printer, inputNode);
    const isOptional = defaultValue !== undefined || type.kind !== Kind.NON_NULL_TYPE;
    return { name: variableName, type: text, doc: docByName.get(variableName) ?? '', isOptional };
  });
  return variableMembers.length === 0 ? '{ readonly [name: string]: never }' : writeMembers(variableMembers);
}

/** Returns the description of the first argument or input field that each variable is given to. */
function collectVariableDocs(
  printer: TypePrinterContext,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, string> {
  const docByName = new Map<string, string>();
  const addDoc = (name: string, doc: string | null | undefined) => {
    if (doc && !docByName.has(name)) docByName.set(name, doc);
  };
  const visitedFragments = new Set<string>();
  const collectDocs = (definition: OperationDefinitionNode | FragmentDefinitionNode) => {
    const typeInfo = new TypeInfo(printer.schema);
    visit(
      definition,
      visitWithTypeInfo(typeInfo, {
        Argument({ value }) {
          if (value.kind === Kind.VARIABLE) addDoc(value.name.value, typeInfo.getArgument()?.description);
        },
        ObjectField({ name, value }) {
          const parent = typeInfo.getParentInputType() && getNamedType(typeInfo.getParentInputType());
          if (value.kind === Kind.VARIABLE && isInputObjectType(parent))
            addDoc(value.name.value, parent.getFields()[name.value]?.description);
        },
        FragmentSpread({ name }) {
          const fragment = printer.fragments.get(name.value);
          if (fragment && !visitedFragments.has(name.value)) {
            visitedFragments.add(name.value);
            collectDocs(fragment);
          }
        },
      }),
    );
  };
  collectDocs(operation);
  return docByName;
}
