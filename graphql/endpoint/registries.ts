/**
 * The parts of the service that the rooms below call for root fields and mutations: the one place that imports in the
 * other direction. Containers load the parts for mutations with the first one.
 */
import { loadOnce } from '../../lib/domain/load-once.ts';
import type { CompileRegistries } from '../compile/compile-roots.ts';
import { findRootHandler } from './root-handlers.ts';

export const COMPILE_REGISTRIES: CompileRegistries = {
  findRootHandler,
  loadMutations: loadOnce(() => import('../mutations/mutations.ts')),
};

/** Loads the function that finds the response of a retry. */
export const loadFindReplay = loadOnce(
  async () => (await import('../roots/idempotency/find-replay.ts')).findReplay,
);
