/**
 * The operator is told what a store has not granted: each access once by a container, however often it is asked for. An
 * alarm rings for what the service cannot do without; the rest a caller may ask for, and only the log has it.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import type { PlatformError } from './admin-answer.ts';
import { missingAccess } from './missing-access.ts';
import { accessOf } from './needed-access.ts';

/** The handles that were told of one store. */
export type ToldLacks = Set<string>;

/** The most handles of a store that are remembered and told; the platform has fewer scopes of ours. */
const MOST_TOLD = 50;

type Told = {
  readonly shopId: ShopId;
  readonly told: ToldLacks;
  readonly errors: readonly PlatformError[];
};

/** Logs what the errors of an answer deny and was not told yet. */
export function tellLack(logger: Logger, { shopId, told, errors }: Told): void {
  const missing = missingAccess(errors).filter((handle) => !told.has(handle));
  if (missing.length === 0 || told.size >= MOST_TOLD) return;
  for (const handle of missing) told.add(handle);
  const isRequired = missing.some((handle) => accessOf(handle)?.need === 'required');
  const facts = { shopId, missing: missing.join(', ') };
  if (isRequired) logger.error('a store lacks access', { ...facts, alarm: 'store_access' });
  else logger.warn('a store lacks access', facts);
}
