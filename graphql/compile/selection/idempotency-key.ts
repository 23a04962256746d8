/** Reads a mutation's idempotency key (`@idempotent`) from the client's document. */
import { type ValueNode, valueFromASTUntyped } from 'graphql';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { FlattenedField } from '../../plan/client-document.ts';
import type { ReadIdempotencyKey } from '../../plan/plan.ts';
import { findIdempotencyKeyProblem } from '../../policy/meaning/idempotency-key.ts';
import { IDEMPOTENT_DIRECTIVE_NAME } from '../../schema/table/idempotent-directive.ts';

/**
 * Returns the node of the key's value. All fields have the same key, because they are one change.
 * @returns undefined when the mutation has no key.
 */
export function findIdempotencyKeyNode(fields: readonly FlattenedField[]): ValueNode | undefined {
  const directive = fields[0]?.field.directives?.find(({ name }) => name.value === IDEMPOTENT_DIRECTIVE_NAME);
  return directive?.arguments?.find(({ name }) => name.value === 'key')?.value;
}

export function createIdempotencyKeyReader(node: ValueNode): ReadIdempotencyKey {
  return (variables) => {
    const value = valueFromASTUntyped(node, variables);
    const problem =
      typeof value === 'string' ? findIdempotencyKeyProblem(value) : 'The key of @idempotent is a text.';
    if (problem !== undefined) throw new ServiceError('GRAPHQL_VALIDATION_FAILED', { message: problem });
    return String(value);
  };
}
