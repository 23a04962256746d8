/** Planned faults. Each applies to the next `count` matching requests, in the order in which the faults were added. */

export const SIGN_IN_OPERATIONS = [
  'discovery',
  'jwks',
  'token',
  'code',
  'refresh',
  'logout',
  'customer',
] as const;

export type PlatformFault = {
  readonly target: 'sign-in' | 'admin';
  /** Sign-in: one of SIGN_IN_OPERATIONS. Admin: a root field or the operation's name. Undefined for all. */
  readonly operation?: string;
  /** The store of the fault; undefined for all stores. */
  readonly shop?: string;
  readonly count: number;
  readonly status?: number;
  readonly delayMs?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Destroys the connection before or after the request is handled. */
  readonly cut?: 'before' | 'after';
  /** Handles the request, and then sends the fault's response. */
  readonly consume?: boolean;
  /** Admin: responds as if the bucket were empty. */
  readonly throttle?: boolean;
  /** Admin: another app changes the store's contracts first, so that open drafts are stale. */
  readonly outdate?: boolean;
  /** Admin: the number, from 1, of the mutation of the document that is refused; the others run. */
  readonly refuseMutation?: number;
};

export type FaultedCall = {
  readonly kind: PlatformFault['target'];
  readonly shop: string;
  readonly operations: readonly string[];
};

export type PlatformFaultPlan = {
  add(fault: PlatformFault): void;
  /** Returns the fault for this request, if any, and counts it as used once. */
  take(call: FaultedCall): PlatformFault | undefined;
  /** Lists the planned faults. */
  list(): readonly PlatformFault[];
  clear(): void;
};

export function createPlatformFaultPlan(): PlatformFaultPlan {
  let waitingFaults: PlatformFault[] = [];
  return {
    add: (fault) => void waitingFaults.push(fault),
    take(call) {
      const matchingFault = waitingFaults.find((candidate) => matchesCall(candidate, call));
      if (matchingFault === undefined) return undefined;
      waitingFaults = waitingFaults.flatMap((each) => {
        if (each !== matchingFault) return [each];
        return each.count > 1 ? [{ ...each, count: each.count - 1 }] : [];
      });
      return matchingFault;
    },
    list: () => waitingFaults,
    clear() {
      waitingFaults = [];
    },
  };
}

function matchesCall({ target, operation, shop }: PlatformFault, call: FaultedCall): boolean {
  return (
    target === call.kind &&
    (shop === undefined || shop === call.shop) &&
    (operation === undefined || call.operations.includes(operation))
  );
}
