/**
 * A customer's document makes only one change, so that a response never has to report one change as made and another
 * as not made.
 */
import { type FieldNode, OperationTypeNode, type ValidationRule } from 'graphql';
import { createInvalidDocumentError } from '../errors/document-errors.ts';
import { iterateRootFields } from './root-fields.ts';

/** Refuses a document with more than one mutation root, not counting `__typename`. */
export const singleMutationRootRule: ValidationRule = (context) => {
  const rootFields: FieldNode[] = [];
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.MUTATION) return;
      const fields = [...iterateRootFields(context, selectionSet)];
      rootFields.push(...fields.filter(({ name }) => name.value !== '__typename'));
    },
    Document: {
      leave() {
        if (rootFields.length <= 1) return;
        const message = `A document can contain one mutation, not ${rootFields.length}. Send them one after another.`;
        context.reportError(createInvalidDocumentError(message, rootFields.slice(1, 2)));
      },
    },
  };
};
