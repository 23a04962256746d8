/**
 * Checks whether the platform counts the points of a query like the service does: sends the service's most expensive
 * query, with ids that do not exist. The platform does not publish how it counts, so each store is checked.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { findingAboutMissingData, type QueryResult, type SendProbeQuery } from './check-access.ts';
import type { StoreFinding } from './store-finding.ts';

/** A query with ids that do not exist. `points` is what the service counts for it. */
export type LargestQuery = {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly points: number;
};

const FINDING_NAME = 'Large query';

/**
 * Compares the points of the platform with those of the service. The query finds no objects, so it uses up almost no
 * points.
 */
export async function checkLargeQuery(
  ask: SendProbeQuery,
  { document, variables, points }: LargestQuery,
): Promise<StoreFinding> {
  return findingAboutPoints(
    await ask(document.replace(/^query/, 'query StoreCheckLargeQuery'), variables),
    points,
  );
}

const REPORT_TO_DEVELOPERS_TEXT =
  'Report to the developers of the service that it counts this store’s points too low (docs/decisions/0148).';

function findingAboutPoints(result: QueryResult, own: number): StoreFinding {
  if ('failed' in result) {
    const { failed } = result;
    const isRefused = failed instanceof ServiceError && failed.code === 'QUERY_TOO_COMPLEX';
    if (!isRefused) return findingAboutMissingData(FINDING_NAME, result);
    return {
      name: FINDING_NAME,
      state: 'missing',
      found: `refused: ${failed.message}`,
      fix: REPORT_TO_DEVELOPERS_TEXT,
    };
  }
  if (result.cost === undefined)
    return { name: FINDING_NAME, state: 'unknown', found: 'the response has no cost' };
  const { requestedQueryCost: points } = result.cost;
  const found = `${points} points; the service counts ${own}`;
  if (points > own) return { name: FINDING_NAME, state: 'optional', found, fix: REPORT_TO_DEVELOPERS_TEXT };
  // At half the points or less, the platform has counted the lookups of all variants as one.
  const isOnce = points <= own / 2;
  return { name: FINDING_NAME, state: 'ok', found: isOnce ? `${found}, because ids count once here` : found };
}
