/**
 * A customer's document makes one change, so that an answer never has to say that one change was made and one was
 * not.
 */
import {
  type FieldNode,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { invalidDocument } from '../errors/invalid-document.ts';

/** The fields of a selection set and of the fragments in it, each fragment once. */
function* rootFields(
  context: ValidationContext,
  set: SelectionSetNode,
  seen: Set<string>,
): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      yield* rootFields(context, selection.selectionSet, seen);
    else {
      const fragment = context.getFragment(selection.name.value);
      if (!fragment || seen.has(fragment.name.value)) continue;
      seen.add(fragment.name.value);
      yield* rootFields(context, fragment.selectionSet, seen);
    }
  }
}

/** Refuses a document with more than one mutation root, `__typename` not counted. */
export const singleMutationRoot: ValidationRule = (context) => {
  const roots: FieldNode[] = [];
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.MUTATION) return;
      const fields = [...rootFields(context, selectionSet, new Set())];
      roots.push(...fields.filter(({ name }) => name.value !== '__typename'));
    },
    Document: {
      leave() {
        if (roots.length <= 1) return;
        const message = `A document may hold one mutation, not ${roots.length}: send them one after another.`;
        context.reportError(invalidDocument(message, roots.slice(1, 2)));
      },
    },
  };
};
