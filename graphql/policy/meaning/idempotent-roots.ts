/** `@idempotent` is allowed on the fields of a mutation that accepts a key. Fields of one change have the same key. */
import {
  type DirectiveNode,
  type FieldNode,
  Kind,
  OperationTypeNode,
  print,
  type ValidationRule,
} from 'graphql';
import { IDEMPOTENT_DIRECTIVE_NAME } from '../../schema/table/idempotent-directive.ts';
import { createInvalidDocumentError } from '../errors/document-errors.ts';
import { findIdempotencyKeyProblem } from './idempotency-key.ts';
import { iterateRootFields } from './root-fields.ts';

/** Returns the reason why a mutation takes no idempotency key; undefined when it takes one. */
export type ExplainIdempotencyKeyRefusal = (mutation: string) => string | undefined;

/** Rejects invalid keys, and keys of fields that accept none. */
export const idempotentRootsRule =
  (keyRefusal: ExplainIdempotencyKeyRefusal): ValidationRule =>
  (context) => ({
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.MUTATION) return;
      const rootByKey = new Map<string, string>();
      for (const rootField of iterateRootFields(context, selectionSet)) {
        const rootName = rootField.alias?.value ?? rootField.name.value;
        const idempotentDirective = findIdempotentDirective(rootField);
        const text = idempotentDirective === undefined ? '' : print(idempotentDirective);
        if ((rootByKey.get(rootName) ?? text) !== text) {
          const message = `The fields called "${rootName}" are one change: give all of them the same @idempotent.`;
          context.reportError(createInvalidDocumentError(message, [rootField]));
        }
        rootByKey.set(rootName, text);
      }
    },
    Field(field) {
      const idempotentDirective = findIdempotentDirective(field);
      if (idempotentDirective === undefined) return;
      const isMutationRoot = context.getParentType()?.name === 'Mutation';
      const problem = isMutationRoot
        ? findIdempotencyKeyError(keyRefusal, field, idempotentDirective)
        : MISPLACED_DIRECTIVE_MESSAGE;
      if (problem !== undefined)
        context.reportError(createInvalidDocumentError(problem, [idempotentDirective]));
    },
  });

const MISPLACED_DIRECTIVE_MESSAGE =
  '@idempotent stands on a field of the mutation itself, for example on subscriptionBillingCycleSkip. Queries need none.';

function findIdempotentDirective({ directives = [] }: FieldNode): DirectiveNode | undefined {
  return directives.find(({ name }) => name.value === IDEMPOTENT_DIRECTIVE_NAME);
}

function findIdempotencyKeyError(
  keyRefusal: ExplainIdempotencyKeyRefusal,
  { name }: FieldNode,
  directive: DirectiveNode,
): string | undefined {
  const why = keyRefusal(name.value);
  if (why !== undefined) return `"${name.value}" takes no @idempotent: ${why}.`;
  const valueNode = directive.arguments?.find((one) => one.name.value === 'key')?.value;
  return valueNode?.kind === Kind.STRING ? findIdempotencyKeyProblem(valueNode.value) : undefined;
}
