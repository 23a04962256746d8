/**
 * Passes the kinds of roots, the records of mutations and the added fields to the folders of graphql that call them.
 */
import { createDocuments } from '../../graphql/compile/prepare-document.ts';
import { serviceFields } from '../../graphql/fields/service-fields.ts';
import type { GraphqlDeps } from '../../graphql/run/execute-request.ts';
import { loadOnce } from '../../lib/domain/load-once.ts';
import { settleAll } from '../../lib/domain/settle-all.ts';
import { rootKindOf } from './root-kinds.ts';

/** Creates a container's empty document cache, and the fields that the service adds. */
export function composeGraphql(): Pick<GraphqlDeps, 'prepareDocument' | 'serviceFields' | 'loadRepeating'> {
  return {
    prepareDocument: createDocuments({ rootKindOf, loadMutations }),
    serviceFields,
    loadRepeating,
  };
}

const loadMutations = loadOnce(() => import('../../graphql/mutations/mutations.ts'));

async function loadRepeating() {
  const [{ findReplay }, { makeOnce }] = await settleAll([
    import('../../graphql/roots/idempotency/find-replay.ts'),
    import('../../graphql/roots/idempotency/make-once.ts'),
  ]);
  return { findReplay, makeOnce };
}
