/**
 * Checks whether the platform counts the points of a query like the service does: sends the service's most expensive
 * query, with ids that do not exist. The platform does not publish how it counts, so each store is checked.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { findingAboutMissingData, type ProbeQueryResult, type SendProbeQuery } from './check-access.ts';
import type { StoreFinding } from './store-finding.ts';

/** A query with ids that do not exist. `points` is what the service counts for it. */
export type LargestQueryOfService = {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly points: number;
};

const LARGE_QUERY_FINDING_NAME = 'Large query';

/**
 * Compares the points of the platform with those of the service. The query finds no objects, so it uses up almost no
 * points.
 */
export async function checkLargeQueryCost(
  sendProbe: SendProbeQuery,
  { document, variables, points }: LargestQueryOfService,
): Promise<StoreFinding> {
  return findingAboutCountedPoints(
    await sendProbe(document.replace(/^query/, 'query StoreCheckLargeQuery'), variables),
    points,
  );
}

const REPORT_TO_DEVELOPERS_TEXT =
  'Report to the developers of the service that it counts this store’s points too low (docs/decisions/0148).';

function findingAboutCountedPoints(result: ProbeQueryResult, servicePoints: number): StoreFinding {
  if ('failed' in result) {
    const { failed } = result;
    const isQueryTooComplex = failed instanceof ServiceError && failed.code === 'QUERY_TOO_COMPLEX';
    if (!isQueryTooComplex) return findingAboutMissingData(LARGE_QUERY_FINDING_NAME, result);
    return {
      name: LARGE_QUERY_FINDING_NAME,
      state: 'missing',
      found: `refused: ${failed.message}`,
      fix: REPORT_TO_DEVELOPERS_TEXT,
    };
  }
  if (result.cost === undefined)
    return { name: LARGE_QUERY_FINDING_NAME, state: 'unknown', found: 'the response has no cost' };
  const { requestedQueryCost: requestedPoints } = result.cost;
  const foundText = `${requestedPoints} points; the service counts ${servicePoints}`;
  if (requestedPoints > servicePoints)
    return {
      name: LARGE_QUERY_FINDING_NAME,
      state: 'optional',
      found: foundText,
      fix: REPORT_TO_DEVELOPERS_TEXT,
    };
  // The service counts each id of `nodes(ids:)`. At half the points or less, the platform counted all ids as one lookup.
  const isCountedOnce = requestedPoints <= servicePoints / 2;
  return {
    name: LARGE_QUERY_FINDING_NAME,
    state: 'ok',
    found: isCountedOnce ? `${foundText}, because ids count once here` : foundText,
  };
}
