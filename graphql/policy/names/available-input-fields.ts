/**
 * Input fields must be open to customers, in literals and in variables' defaults; check-variables.ts checks the
 * values.
 */
import { getNamedType, isInputObjectType, type ValidationRule } from 'graphql';
import { notAvailable } from '../errors/not-available.ts';

/** Refuses fields of input objects that the customers' schema does not have. */
export const availableInputFields: ValidationRule = (context) => ({
  ObjectField(node) {
    const parent = context.getParentInputType();
    if (!parent || !isInputObjectType(getNamedType(parent)) || context.getInputType()) return;
    context.reportError(notAvailable(node.name.value, node));
  },
});
