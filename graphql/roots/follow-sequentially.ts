/** The `follow` phase of root handlers whose roots send their own further requests, one root after another. */
import type { AdminResponse } from '../../lib/platform/admin-api/admin-response.ts';
import type { FirstResponse, RootHandler } from '../plan/root-handler.ts';
import type { LocatedError } from '../plan/root-response.ts';
import type { RunContext } from '../plan/run-context.ts';
import { listPlatformErrorsBelow } from '../response/build-response.ts';

/** The request of one root, after its ownership check. */
export type FollowUpRequest = Omit<FirstResponse, 'platformResponse'> & {
  readonly context: RunContext;
  readonly platformResponse: AdminResponse;
  /** The platform's errors below the root, with paths in the client's response. */
  readonly errors: readonly LocatedError[];
};

/** Returns a `follow` that calls the function for each root, one after another. */
export function followSequentially<Special, Found>(
  follow: (request: FollowUpRequest, special: Special) => Promise<Found>,
): NonNullable<RootHandler<Special, Found>['follow']> {
  return async (context, roots, firstResponse) => {
    const { platformResponse, planId } = firstResponse;
    const foundResults: Found[] = [];
    for (const { root } of roots) {
      if (platformResponse === undefined) throw new Error(`${root.name} has no response`);
      const errors = listPlatformErrorsBelow({ platformResponse }, root);
      const request = {
        ...firstResponse,
        platformResponse,
        context,
        errors,
        planId: `${planId} ${root.key}`,
      };
      foundResults.push(await follow(request, root.special));
    }
    return foundResults;
  };
}
