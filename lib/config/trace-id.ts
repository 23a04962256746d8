/** Lambda sets the trace of each invocation in the environment; its root identifies the request in X-Ray. */
const ROOT = /(?:^|;)Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?:;|$)/;

/**
 * Returns the trace id of the current invocation.
 * @returns undefined when there is none in this format
 */
export function currentTraceId(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return ROOT.exec(variables._X_AMZN_TRACE_ID ?? '')?.[1];
}
