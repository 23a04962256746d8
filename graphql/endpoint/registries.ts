/**
 * What the service does with root fields and mutations, for the rooms below that call it: the one place where an arrow
 * points up. Containers load the parts for mutations with the first one.
 */
import { loadOnce } from '../../lib/domain/load-once.ts';
import { settleAll } from '../../lib/domain/settle-all.ts';
import type { CompileRegistries } from '../compile/compile-roots.ts';
import type { Repeating } from '../plan/mutation-run.ts';
import { rootKindOf } from './root-kinds.ts';

export const registries: CompileRegistries = {
  rootKindOf,
  loadMutations: loadOnce(() => import('../mutations/mutations.ts')),
};

/** Loads what mutations with an idempotency key need. */
export async function loadRepeating(): Promise<Repeating> {
  const [{ findReplay }, { makeOnce }] = await settleAll([
    import('../roots/idempotency/find-replay.ts'),
    import('../roots/idempotency/make-once.ts'),
  ]);
  return { findReplay, makeOnce };
}
