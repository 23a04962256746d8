/** Lambda puts the trace of each invocation into the environment; its root names the request in X-Ray. */
const ROOT = /(?:^|;)Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?:;|$)/;

/** The trace id of the invocation that runs now; undefined: none that has the form. */
export function currentTraceId(variables: NodeJS.ProcessEnv = process.env): string | undefined {
  return ROOT.exec(variables._X_AMZN_TRACE_ID ?? '')?.[1];
}
