/**
 * Aliases and variables beginning with `_svc` are the service's own, added to clients' documents, so no client may
 * use them. `__proto__` is refused with them: an answer's key must never be an object's prototype.
 */
import type { NameNode, ValidationContext, ValidationRule } from 'graphql';
import { invalidDocument } from '../errors/invalid-document.ts';

const isReserved = (name: string): boolean => name.startsWith('_svc') || name === '__proto__';

function refuse(context: ValidationContext, kind: string, node: NameNode | undefined): void {
  if (node === undefined || !isReserved(node.value)) return;
  context.reportError(invalidDocument(`The ${kind} "${node.value}" is reserved: choose another name.`, node));
}

/** Refuses reserved aliases, variables, fragments' and operations' names. */
export const reservedNames: ValidationRule = (context) => ({
  Field: ({ alias }) => refuse(context, 'alias', alias),
  VariableDefinition: ({ variable }) => refuse(context, 'variable', variable.name),
  FragmentDefinition: ({ name }) => refuse(context, 'fragment name', name),
  OperationDefinition: ({ name }) => refuse(context, 'operation name', name),
});
