/** Types of fragments and variables must be open to customers. */
import { specifiedScalarTypes, type ValidationRule } from 'graphql';
import { notAvailable } from '../errors/not-available.ts';

const BUILT_IN = new Set(specifiedScalarTypes.map(({ name }) => name));

/** Refuses types that the customers' schema does not have. no-introspection.ts judges the types of introspection. */
export const availableTypes: ValidationRule = (context) => ({
  NamedType(node) {
    const name = node.name.value;
    if (name.startsWith('__') || BUILT_IN.has(name) || context.getSchema().getType(name)) return;
    context.reportError(notAvailable(name, node));
  },
});
