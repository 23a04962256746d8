/**
 * GET /healthz reports that the service runs, and which release. It reads nothing, so it reports nothing about the table
 * or the platform: a monitor outside learns that requests reach functions that start. Lambda's version number is left out,
 * because it would show the public how often the service is deployed.
 */
import { toResult } from '../../lib/http/answer.ts';
import type { Step } from '../../lib/http/exchange.ts';

export const HEALTH_PATH = '/healthz';
export const HEALTH_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Answers requests to the health path; their method has been checked. `version`: the project's version. */
export function answerHealth({ version }: { readonly version: string }): Step {
  return {
    name: 'answerHealth',
    before: ({ event: { exchange } }) => {
      if (exchange.request.path !== HEALTH_PATH) return;
      return toResult(exchange, { status: 200, body: { status: 'ok', version } });
    },
  };
}
