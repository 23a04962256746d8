/** The network of the app, which can fail: a fault is used once, by the next request whose document has its text. */
import type { Environment } from '../../../../clients/typescript/src/client.ts';
import type { FaultKind } from '../steps.ts';

export type Fault = {
  /** A part of the document, such as the operation's name. */
  readonly of: string;
  readonly kind: FaultKind;
  readonly delayMs?: number;
};

export function createNetwork() {
  let faults: Fault[] = [];
  const requests: string[] = [];
  let pending = 0;
  const send: Environment['fetch'] = async (url, init) => {
    const [, operation = url] = /"(?:query|mutation) (\w+)/.exec(init.body) ?? [];
    requests.push(operation);
    const fault = faults.find(({ of }) => operation.includes(of));
    faults = faults.filter((one) => one !== fault);
    if (fault?.kind === 'cut') throw new TypeError('The request was not sent.');
    const response = await fetch(url, init as RequestInit);
    const text = await response.text();
    if (fault?.kind === 'lost') throw new TypeError('The response was lost.');
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    return { status: response.status, headers: response.headers, text: async () => text };
  };
  return {
    fetch: async (...request: Parameters<Environment['fetch']>) => {
      pending++;
      try {
        return await send(...request);
      } finally {
        pending--;
      }
    },
    /** How many requests have no response. */
    pending: () => pending,
    /** The operations of all requests, in order. */
    requests,
    fail: (...more: readonly Fault[]) => void faults.push(...more),
    restore: () => {
      faults = [];
    },
  };
}
