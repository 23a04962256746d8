/**
 * Collects the parts of one upstream document while its roots are written: the fragments and the client's variables that are
 * used, and the arguments whose values are computed for each request.
 */
import { type ValueNode, type VariableDefinitionNode, visit } from 'graphql';
import type { ClientDocument } from '../../plan/client-document.ts';
import type { InjectedArgument, UpstreamDocument, UpstreamWriter } from '../../plan/upstream-document.ts';
import type { ArgumentEntry } from '../../schema/table/schema-table-format.ts';
import { SERVICE_ALIAS } from './service-alias.ts';
import { createArgumentReader } from './type-reference.ts';

export function createUpstreamWriter(client: ClientDocument, isActing: boolean): UpstreamWriter {
  return {
    client,
    isActing,
    fragments: new Map(),
    clientVariableNames: new Set(),
    injected: new Map(),
    scope: new Set(),
    typeByInternalVariable: new Map(),
  };
}

/** Copies the text of a node of the client's document. Its variables will be declared and sent. */
export function copyClientText(writer: UpstreamWriter, node: Parameters<typeof visit>[0] & object): string {
  visit(node, {
    Variable: ({ name }) => {
      writer.clientVariableNames.add(name.value);
    },
  });
  return writer.client.textOf(node);
}

/** Declares an internal variable, for example `$_svcRun0: Boolean!`, and returns it with its `$`. */
export function declareVariable(writer: UpstreamWriter, name: string, declaration: string): string {
  writer.typeByInternalVariable.set(name, declaration);
  return `$${name}`;
}

type ArgumentInjection = {
  readonly node: ValueNode | undefined;
  readonly entry: ArgumentEntry;
  /** The type of the variable at the platform, if it is stricter than the schema's. */
  readonly as?: string;
};

/**
 * Replaces an argument's value by an internal variable and returns it with its `$`. Equal values of one
 * argument share a variable, so that fields which the client may merge still merge.
 */
export function replaceArgumentByVariable(
  writer: UpstreamWriter,
  { node, entry, as = entry[0] }: ArgumentInjection,
): string {
  const key = `${as} ${entry[4]} ${entry[5]} ${node && writer.client.textOf(node)}`;
  return injectComputedArgument(writer, { key, entry, as, read: createArgumentReader(node, entry) });
}

type ComputedArgument = Pick<InjectedArgument, 'entry' | 'read'> & {
  /** Identifies the argument and its value: arguments with equal keys share a variable. */
  readonly key: string;
  readonly as?: string;
};

/**
 * Replaces an argument by an internal variable whose value is computed for each request. Returns the variable with
 * its `$`.
 */
export function injectComputedArgument(
  writer: UpstreamWriter,
  { key, entry, as = entry[0], read }: ComputedArgument,
): string {
  const variableName = `${SERVICE_ALIAS}Arg${writer.injected.size}`;
  const argument = writer.injected.get(key) ?? { variable: variableName, entry, read };
  writer.injected.set(key, argument);
  writer.scope.add(argument);
  return declareVariable(writer, argument.variable, as);
}

/** Matches the arguments of a field, but not those of `@include` and `@skip`. */
const FIELD_ARGUMENTS_PATTERN = /(?<!@(?:include|skip))\(/;

/** Writes the complete document. `roots` are the texts of the root fields. */
export function finishUpstreamDocument(writer: UpstreamWriter, roots: readonly string[]): UpstreamDocument {
  const { client, clientVariableNames, typeByInternalVariable, fragments } = writer;
  const usedDefinitions = (client.operation.variableDefinitions ?? []).filter(({ variable }) =>
    clientVariableNames.has(variable.name.value),
  );
  const variableDeclarations = [
    ...usedDefinitions.map((definition) => copyDeclaration(client, definition)),
    ...[...typeByInternalVariable].map(([name, type]) => `$${name}: ${type}`),
  ];
  const declarationText = variableDeclarations.length === 0 ? '' : `(${variableDeclarations.join(', ')})`;
  const { operation } = client.operation;
  const fragmentTexts = [...fragments.values()].map((one) => one.text).join('\n');
  const documentText = `${operation}${declarationText} { ${roots.join(' ')} }\n${fragmentTexts}`;
  return {
    text: documentText,
    variableDeclarations,
    fragments: fragmentTexts,
    clientVariableNames: usedDefinitions.map(({ variable }) => variable.name.value),
    internalVariableNames: [...typeByInternalVariable.keys()],
    mayHaveClientValues:
      usedDefinitions.length > 0 || FIELD_ARGUMENTS_PATTERN.test(`${roots.join(' ')} ${fragmentTexts}`),
    pageSizeVariableNames: [
      ...usedDefinitions.map(({ variable, type }) => [variable.name.value, client.textOf(type)] as const),
      ...typeByInternalVariable,
    ].flatMap(([name, type]) => (/^Int!?$/.test(type) ? [name] : [])),
  };
}

/**
 * Copies the client's declaration of a variable, without directives. The default is kept, because a non-null position
 * may require it.
 */
function copyDeclaration({ textOf }: ClientDocument, definition: VariableDefinitionNode): string {
  const { variable, type, defaultValue } = definition;
  const defaultText = defaultValue === undefined ? '' : ` = ${textOf(defaultValue)}`;
  return `${textOf(variable)}: ${textOf(type)}${defaultText}`;
}
