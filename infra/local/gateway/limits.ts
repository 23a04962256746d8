/** API Gateway's quotas for HTTP APIs, and Lambda's for what passes through them. None can be raised. */
export const limits = {
  /** Of a request's body. */
  bodyBytes: 10 * 1024 * 1024,
  /** Of the request line and all headers together. */
  headerBytes: 10_240,
  integrationTimeoutMs: 30_000,
  /** Of an event, and of a function's answer. */
  invocationBytes: 6 * 1024 * 1024,
} as const;
