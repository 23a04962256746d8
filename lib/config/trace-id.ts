/**
 * Lambda sets the X-Ray trace header of each invocation as an environment variable. Its root identifies the request.
 */
const TRACE_ROOT_PATTERN = /(?:^|;)Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?:;|$)/;

/**
 * Returns the trace id of the present invocation.
 * @returns undefined when there is none, or it has another form
 */
export function currentTraceId(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return TRACE_ROOT_PATTERN.exec(variables._X_AMZN_TRACE_ID ?? '')?.[1];
}
