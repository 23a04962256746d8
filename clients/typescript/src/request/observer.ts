/** The app's own view of each request: for logs and metrics. It never contains a token, variables or a response. */

/** One attempt of a request, before it is sent. */
export type RequestInfo = {
  /** The HTTP method. */
  readonly method: 'POST' | 'DELETE';
  /** The GraphQL operation's name, or the step of the sign-in: `start`, `exchange`, `refresh`, `revoke`. */
  readonly operationName: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
};

/** The outcome of one attempt. */
export type ResponseInfo = RequestInfo & {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The time until the response, or until the attempt failed. */
  readonly durationMs: number;
  /** The request's id, to quote to the service's operator. */
  readonly requestId: string | undefined;
};

/** Listeners whose exceptions are ignored. */
export type Observer = {
  readonly onRequest?: ((request: RequestInfo) => unknown) | undefined;
  readonly onResponse?: ((response: ResponseInfo) => unknown) | undefined;
};

/** Calls the listener. Its exceptions must not end a request. */
export function notify<Info>(listener: ((info: Info) => unknown) | undefined, info: Info): void {
  try {
    listener?.(info);
  } catch {}
}
