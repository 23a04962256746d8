/**
 * The rules of names. Customers can use only names of the customers' schema, which has no closed names, so closed and
 * unknown names get the same message. check-variables.ts checks the names in the values of variables.
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
import { createInvalidDocumentError, createNotAvailableError } from './errors/document-errors.ts';

/** Refuses fields that the customers' schema does not have at their place. `noIntrospectionRule` refuses meta fields. */
export const availableFieldsRule: ValidationRule = (context) => ({
  Field(node) {
    const name = node.name.value;
    if (name.startsWith('__') || !context.getParentType() || context.getFieldDef()) return;
    context.reportError(createNotAvailableError(name, node));
  },
});

/** Refuses arguments of fields and directives that the customers' schema does not have at their place. */
export const availableArgumentsRule: ValidationRule = (context) => ({
  Argument(node) {
    const knownParent = context.getDirective() ?? context.getFieldDef();
    if (knownParent && !context.getArgument())
      context.reportError(createNotAvailableError(node.name.value, node));
  },
});

/** Refuses fields of input objects that the customers' schema does not have, in literals and in variables' defaults. */
export const availableInputFieldsRule: ValidationRule = (context) => ({
  ObjectField(node) {
    const inputType = context.getParentInputType();
    if (!inputType || !isInputObjectType(getNamedType(inputType)) || context.getInputType()) return;
    context.reportError(createNotAvailableError(node.name.value, node));
  },
});

const BUILT_IN_SCALAR_NAMES = new Set(specifiedScalarTypes.map(({ name }) => name));

/** Refuses types of fragments and variables that the customers' schema does not have. */
export const availableTypesRule: ValidationRule = (context) => ({
  NamedType(node) {
    const name = node.name.value;
    if (name.startsWith('__') || BUILT_IN_SCALAR_NAMES.has(name) || context.getSchema().getType(name)) return;
    context.reportError(createNotAvailableError(name, node));
  },
});

/** Refuses directives that the schema does not have. The policy's own directives are not part of the schema. */
export const availableDirectivesRule: ValidationRule = (context) => ({
  Directive(node) {
    const name = node.name.value;
    if (!context.getSchema().getDirective(name)) context.reportError(createNotAvailableError(name, node));
  },
});

/**
 * Refuses all meta fields except `__typename`, under any alias, and all types of introspection. Customers read the
 * schema in the published customer.graphql.
 */
export const noIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    const name = node.name.value;
    if (name.startsWith('__') && name !== '__typename')
      context.reportError(createNotAvailableError(name, node));
  },
  NamedType(node) {
    if (node.name.value.startsWith('__')) context.reportError(createNotAvailableError(node.name.value, node));
  },
});

/**
 * Refuses operations without a root type in the schema, such as GraphQL subscriptions, with the message of the
 * surface.
 */
export function knownOperationsRule(surface: Surface): ValidationRule {
  return (context) => ({
    OperationDefinition(node) {
      const { operation } = node;
      if (context.getSchema().getRootType(operation)) return;
      const unknownOperationMessage = `There are no ${operation} operations: send a query or a mutation.`;
      context.reportError(
        surface === 'customer'
          ? createNotAvailableError(operation, node)
          : createInvalidDocumentError(unknownOperationMessage, node),
      );
    },
  });
}

/**
 * Refuses reserved names of aliases, variables, fragments and operations. The service adds names with the prefix
 * `_svc` to clients' documents, and a response key must never be an object's prototype, `__proto__`.
 */
export const reservedNamesRule: ValidationRule = (context) => ({
  Field: ({ alias }) => rejectReservedName(context, 'alias', alias),
  VariableDefinition: ({ variable }) => rejectReservedName(context, 'variable', variable.name),
  FragmentDefinition: ({ name }) => rejectReservedName(context, 'fragment name', name),
  OperationDefinition: ({ name }) => rejectReservedName(context, 'operation name', name),
});

function rejectReservedName(context: ValidationContext, kind: string, node: NameNode | undefined): void {
  if (node === undefined || !(node.value.startsWith('_svc') || node.value === '__proto__')) return;
  context.reportError(
    createInvalidDocumentError(`The ${kind} "${node.value}" is reserved: choose another name.`, node),
  );
}
