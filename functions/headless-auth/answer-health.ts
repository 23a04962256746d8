/**
 * GET /healthz tells that the service is there, and which version of it. It reads nothing, so it says nothing of the table
 * or the platform: whoever watches from outside learns that requests reach functions that start.
 */
import { toResult } from '../../lib/http/answer.ts';
import type { Step } from '../../lib/http/exchange.ts';

export const HEALTH_PATH = '/healthz';
export const HEALTH_METHODS: readonly string[] = ['GET', 'HEAD'];

type Deployed = {
  /** The project's own version. */
  readonly version: string;
  /** Lambda's number of what was deployed. */
  readonly functionVersion: string;
};

/** The answer of the health's address, whose method has been checked. */
export function answerHealth({ version, functionVersion }: Deployed): Step {
  return {
    name: 'answerHealth',
    before: ({ event: { exchange } }) => {
      if (exchange.request.path !== HEALTH_PATH) return;
      return toResult(exchange, { status: 200, body: { status: 'ok', version, functionVersion } });
    },
  };
}
