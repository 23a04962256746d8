/** The service's requests, oldest first, without secrets: no body of a token request, no query of an address. */

export type RequestRecord = {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly shop: string;
  readonly kind: 'sign-in' | 'admin';
  readonly method: string;
  readonly path: string;
  /** 0 before the response, and permanently if the connection was cut. */
  status: number;
  query?: string;
  variables?: unknown;
  cost?: number;
};

export type RequestLog = {
  /** Adds a request as it arrives; the caller completes it. */
  begin(record: Omit<RequestRecord, 'status'>): RequestRecord;
  list(): readonly RequestRecord[];
  clear(): void;
};

export function createRequestLog(): RequestLog {
  let requestRecords: RequestRecord[] = [];
  return {
    begin(record) {
      const startedRecord = { ...record, status: 0 };
      requestRecords.push(startedRecord);
      return startedRecord;
    },
    list: () => requestRecords,
    clear() {
      requestRecords = [];
    },
  };
}
