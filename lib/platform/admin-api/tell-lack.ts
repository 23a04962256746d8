/**
 * Logs for the operator which access a store has not granted: each access once in a container, for any number of
 * requests. Missing required access raises an alarm; callers may also request fields with other access, which is only
 * logged.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import type { PlatformError } from './admin-answer.ts';
import { missingAccess } from './missing-access.ts';
import { accessOf } from './needed-access.ts';

/** The handles that were reported for one store. */
export type ToldLacks = Set<string>;

/** The maximum number of handles of a store that are stored and reported; the service uses fewer scopes. */
const MOST_TOLD = 50;

type Told = {
  readonly shopId: ShopId;
  readonly told: ToldLacks;
  readonly errors: readonly PlatformError[];
};

/** Logs the denied access of a response's errors that was not reported yet. */
export function tellLack(logger: Logger, { shopId, told, errors }: Told): void {
  const missing = missingAccess(errors).filter((handle) => !told.has(handle));
  if (missing.length === 0 || told.size >= MOST_TOLD) return;
  for (const handle of missing) told.add(handle);
  const isRequired = missing.some((handle) => accessOf(handle)?.need === 'required');
  const facts = { shopId, missing: missing.join(', ') };
  if (isRequired) logger.error('a store lacks access', { ...facts, alarm: 'store_access' });
  else logger.warn('a store lacks access', facts);
}
