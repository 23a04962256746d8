/**
 * The handlers of root fields, and the records of mutations. graphql/compile and graphql/run get them from this file, so
 * that they do not import graphql/roots and graphql/mutations, which import them. A container loads the parts for
 * mutations with its first mutation.
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
