/**
 * The rules of names. Customers use only names of the customers' schema: a closed name is not in it, so closed and
 * unknown names get the same words. check-variables.ts checks the names in the values of variables.
 */
import {
  getNamedType,
  isInputObjectType,
  type NameNode,
  specifiedScalarTypes,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Surface } from '../schema/schema.ts';
import { invalidDocument, notAvailable } from './errors/document-errors.ts';

/** Refuses fields that the customers' schema does not have where they stand. `noIntrospection` refuses meta fields. */
export const availableFields: ValidationRule = (context) => ({
  Field(node) {
    const name = node.name.value;
    if (name.startsWith('__') || !context.getParentType() || context.getFieldDef()) return;
    context.reportError(notAvailable(name, node));
  },
});

/** Refuses arguments of fields and directives that the customers' schema does not have where they stand. */
export const availableArguments: ValidationRule = (context) => ({
  Argument(node) {
    const isOfKnown = context.getDirective() ?? context.getFieldDef();
    if (isOfKnown && !context.getArgument()) context.reportError(notAvailable(node.name.value, node));
  },
});

/** Refuses fields of input objects that the customers' schema does not have, in literals and in variables' defaults. */
export const availableInputFields: ValidationRule = (context) => ({
  ObjectField(node) {
    const parent = context.getParentInputType();
    if (!parent || !isInputObjectType(getNamedType(parent)) || context.getInputType()) return;
    context.reportError(notAvailable(node.name.value, node));
  },
});

const BUILT_IN = new Set(specifiedScalarTypes.map(({ name }) => name));

/** Refuses types of fragments and variables that the customers' schema does not have. */
export const availableTypes: ValidationRule = (context) => ({
  NamedType(node) {
    const name = node.name.value;
    if (name.startsWith('__') || BUILT_IN.has(name) || context.getSchema().getType(name)) return;
    context.reportError(notAvailable(name, node));
  },
});

/** Refuses directives that the schema does not have. The policy's own directives are no part of the schema. */
export const availableDirectives: ValidationRule = (context) => ({
  Directive(node) {
    const name = node.name.value;
    if (!context.getSchema().getDirective(name)) context.reportError(notAvailable(name, node));
  },
});

/**
 * Refuses every meta field but `__typename`, under any alias, and every type of introspection. Customers learn the
 * schema from the published customer.graphql.
 */
export const noIntrospection: ValidationRule = (context) => ({
  Field(node) {
    const name = node.name.value;
    if (name.startsWith('__') && name !== '__typename') context.reportError(notAvailable(name, node));
  },
  NamedType(node) {
    if (node.name.value.startsWith('__')) context.reportError(notAvailable(node.name.value, node));
  },
});

/** Refuses operations that the schema has no root type for, as GraphQL's subscriptions, in the words of the surface. */
export function knownOperations(surface: Surface): ValidationRule {
  return (context) => ({
    OperationDefinition(node) {
      const { operation } = node;
      if (context.getSchema().getRootType(operation)) return;
      const unknown = `There are no ${operation} operations: send a query or a mutation.`;
      context.reportError(
        surface === 'customer' ? notAvailable(operation, node) : invalidDocument(unknown, node),
      );
    },
  });
}

/**
 * Refuses reserved aliases, variables, fragments' and operations' names. The service adds names that begin with `_svc`
 * to clients' documents, and a key of an answer must never be an object's prototype, `__proto__`.
 */
export const reservedNames: ValidationRule = (context) => ({
  Field: ({ alias }) => refuseReserved(context, 'alias', alias),
  VariableDefinition: ({ variable }) => refuseReserved(context, 'variable', variable.name),
  FragmentDefinition: ({ name }) => refuseReserved(context, 'fragment name', name),
  OperationDefinition: ({ name }) => refuseReserved(context, 'operation name', name),
});

function refuseReserved(context: ValidationContext, kind: string, node: NameNode | undefined): void {
  if (node === undefined || !(node.value.startsWith('_svc') || node.value === '__proto__')) return;
  context.reportError(invalidDocument(`The ${kind} "${node.value}" is reserved: choose another name.`, node));
}
