/**
 * Fields must be open to customers. A closed field is not in the customers' schema, so closed and unknown fields get
 * the same words. no-introspection.ts judges meta fields.
 */
import type { ValidationRule } from 'graphql';
import { notAvailable } from '../errors/not-available.ts';

/** Refuses fields that the customers' schema does not have where they stand. */
export const availableFields: ValidationRule = (context) => ({
  Field(node) {
    const name = node.name.value;
    if (name.startsWith('__') || !context.getParentType() || context.getFieldDef()) return;
    context.reportError(notAvailable(name, node));
  },
});
