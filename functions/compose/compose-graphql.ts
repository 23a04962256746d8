/** What the service does itself with root fields and with fields of its own, handed to the rooms that call it. */
import { createDocuments } from '../../graphql/compile/prepare-document.ts';
import { serviceFields } from '../../graphql/fields/service-fields.ts';
import { forwardedChange } from '../../graphql/roots/forwarded-changes.ts';
import { ownMutation } from '../../graphql/roots/own-mutations.ts';
import type { GraphqlDeps } from '../../graphql/run/execute-request.ts';
import { rootKindOf } from './root-kinds.ts';

/** The documents of one container: none as yet; and the fields that the service adds. */
export function composeGraphql(): Pick<GraphqlDeps, 'prepareDocument' | 'serviceFields'> {
  return { prepareDocument: createDocuments({ rootKindOf, ownMutation, forwardedChange }), serviceFields };
}
