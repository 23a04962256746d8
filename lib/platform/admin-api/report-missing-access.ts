/**
 * Logs for the operator which access a store has not granted: each access once in a container, for any number of
 * requests. Missing required access raises an alarm; callers may also request fields with other access, which is only
 * logged.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Logger } from '../../observability/logger.ts';
import type { PlatformError } from './admin-response.ts';
import { listMissingAccess } from './missing-access.ts';
import { findAccessByHandle } from './needed-access.ts';

/** The handles that were reported for one store. */
export type ReportedAccessHandles = Set<string>;

/** The maximum number of handles of a store that are stored and reported; the service uses fewer scopes. */
const MAX_REPORTED_HANDLES = 50;

type DeniedAccess = {
  readonly shopId: ShopId;
  readonly reportedHandles: ReportedAccessHandles;
  readonly errors: readonly PlatformError[];
};

/** Logs the denied access of a response's errors that was not reported yet. */
export function reportMissingAccess(logger: Logger, { shopId, reportedHandles, errors }: DeniedAccess): void {
  const unreportedHandles = listMissingAccess(errors).filter((handle) => !reportedHandles.has(handle));
  if (unreportedHandles.length === 0 || reportedHandles.size >= MAX_REPORTED_HANDLES) return;
  for (const handle of unreportedHandles) reportedHandles.add(handle);
  const isAnyRequired = unreportedHandles.some((handle) => findAccessByHandle(handle)?.need === 'required');
  const logFields = { shopId, missing: unreportedHandles.join(', ') };
  if (isAnyRequired) logger.error('store.missing_access_detected', { ...logFields, alarm: 'store_access' });
  else logger.warn('store.missing_access_detected', logFields);
}
