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
  (explainKeyRefusal: ExplainIdempotencyKeyRefusal): ValidationRule =>
  (context) => ({
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.MUTATION) return;
      const directiveTextByKey = new Map<string, string>();
      for (const rootField of iterateRootFields(context, selectionSet)) {
        const responseKey = rootField.alias?.value ?? rootField.name.value;
        const idempotentDirective = findIdempotentDirective(rootField);
        const directiveText = idempotentDirective === undefined ? '' : print(idempotentDirective);
        if ((directiveTextByKey.get(responseKey) ?? directiveText) !== directiveText) {
          const message = `The fields called "${responseKey}" are one change: give all of them the same @idempotent.`;
          context.reportError(createInvalidDocumentError(message, [rootField]));
        }
        directiveTextByKey.set(responseKey, directiveText);
      }
    },
    Field(field) {
      const idempotentDirective = findIdempotentDirective(field);
      if (idempotentDirective === undefined) return;
      const isMutationRoot = context.getParentType()?.name === 'Mutation';
      const problem = isMutationRoot
        ? findIdempotencyKeyError(explainKeyRefusal, field, idempotentDirective)
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
  explainKeyRefusal: ExplainIdempotencyKeyRefusal,
  { name }: FieldNode,
  directive: DirectiveNode,
): string | undefined {
  const refusalReason = explainKeyRefusal(name.value);
  if (refusalReason !== undefined) return `"${name.value}" takes no @idempotent: ${refusalReason}.`;
  const valueNode = directive.arguments?.find((one) => one.name.value === 'key')?.value;
  return valueNode?.kind === Kind.STRING ? findIdempotencyKeyProblem(valueNode.value) : undefined;
}
