/** API Gateway's quotas for HTTP APIs, and Lambda's for what passes through them. None can be raised. */
export const limits = {
  /** The largest body of a request. */
  bodyBytes: 10 * 1024 * 1024,
  /** The largest request line with all headers. */
  headerBytes: 10_240,
  integrationTimeoutMs: 30_000,
  /** The largest event, and the largest answer of a function. */
  invocationBytes: 6 * 1024 * 1024,
} as const;
