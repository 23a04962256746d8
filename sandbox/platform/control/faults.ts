/** Faults to come: each is for the next `count` requests that it fits, in the order they were asked for. */

export const signInOperations = [
  'discovery',
  'jwks',
  'token',
  'code',
  'refresh',
  'logout',
  'customer',
] as const;

export type Fault = {
  readonly target: 'sign-in' | 'admin';
  /** Sign-in: one of signInOperations. Admin: a root field or the operation's name. Absent: any. */
  readonly operation?: string;
  /** The store it is for; absent: any store. */
  readonly shop?: string;
  readonly count: number;
  readonly status?: number;
  readonly delayMs?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is destroyed: before the request was handled, or after. */
  readonly cut?: 'before' | 'after';
  /** The request is handled, and then the fault answered. */
  readonly consume?: boolean;
  /** Admin: as if the bucket were empty. */
  readonly throttle?: boolean;
  /** Admin: another app changes the store's contracts first, so that open drafts are stale. */
  readonly outdate?: boolean;
};

export type FaultedCall = {
  readonly kind: Fault['target'];
  readonly shop: string;
  readonly operations: readonly string[];
};

export type Faults = {
  add(fault: Fault): void;
  /** The fault for this request, if there is one; it then counts as used once. */
  take(call: FaultedCall): Fault | undefined;
  /** What is still to come. */
  list(): readonly Fault[];
  clear(): void;
};

export function createFaults(): Faults {
  let waiting: Fault[] = [];
  return {
    add: (fault) => void waiting.push(fault),
    take(call) {
      const fault = waiting.find((candidate) => fits(candidate, call));
      if (fault === undefined) return undefined;
      waiting = waiting.flatMap((each) => {
        if (each !== fault) return [each];
        return each.count > 1 ? [{ ...each, count: each.count - 1 }] : [];
      });
      return fault;
    },
    list: () => waiting,
    clear() {
      waiting = [];
    },
  };
}

function fits({ target, operation, shop }: Fault, call: FaultedCall): boolean {
  return (
    target === call.kind &&
    (shop === undefined || shop === call.shop) &&
    (operation === undefined || call.operations.includes(operation))
  );
}
