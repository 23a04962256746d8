/**
 * What the service does with root fields and mutations, for the rooms below that call it: the one place where an arrow
 * points up. Containers load the parts for mutations with the first one.
 */
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { CompileRegistries } from '../compile/compile-roots.ts';
import { rootKindOf } from './root-kinds.ts';

export const registries: CompileRegistries = {
  rootKindOf,
  loadMutations: loadOnce(() => import('../mutations/mutations.ts')),
};

/** Loads what finds the response of a retry. */
export const loadFindReplay = loadOnce(
  async () => (await import('../roots/idempotency/find-replay.ts')).findReplay,
);
