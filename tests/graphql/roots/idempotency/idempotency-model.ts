/**
 * Models the responses that a caller may get who retries a change with the same key. It uses only the documented
 * promise: one change, one outcome for all requests, other arguments rejected, for 24 hours. It does not know the
 * implementation.
 */

export type StartedRequest = {
  /** The actor, the field and the key of the request. */
  readonly scope: string;
  readonly args: string;
  readonly beganAtMs: number;
};

/** A request under a key, and what was seen of it from outside. */
export type SentRequest = StartedRequest & {
  readonly endedAtMs: number;
  /** Whether the platform received a change of this request, and whether it made the change. */
  readonly hasTried: boolean;
  readonly hasChanged: boolean;
  /** Undefined if the caller got no response. */
  readonly received: Received | undefined;
};

type Received =
  /** The payload's user errors as text; `[]` means done. */
  { readonly userErrors: string; readonly codes: readonly string[] } | { readonly code: string };

const DAY_MS = 86_400_000;
/** A request may be this old when it uses its key. */
const UNSHARP_MS = 60_000;

/** Codes after which a retry may have any outcome. */
const OPEN = new Set([
  'IDEMPOTENCY_CONCURRENT_REQUEST',
  'TEMPORARILY_UNAVAILABLE',
  'PLATFORM_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
]);
const MISMATCH = 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH';

/** The requests since a key was used, and when that was. */
type KeyUsage = { usedAtMs: number | undefined; requests: SentRequest[] };

/** Checks all requests in the order of their responses. */
export function createIdempotencyModel() {
  const lives = new Map<string, KeyUsage>();
  const startedRequests: StartedRequest[] = [];
  const broken: string[] = [];

  function usageOf({ scope }: StartedRequest, nowMs: number): KeyUsage {
    const known = lives.get(scope);
    const isOver = known?.usedAtMs !== undefined && nowMs - known.usedAtMs >= DAY_MS - UNSHARP_MS;
    const usage = known === undefined || isOver ? { usedAtMs: undefined, requests: [] } : known;
    lives.set(scope, usage);
    return usage;
  }

  function checkRequest(
    one: SentRequest,
    { requests }: KeyUsage,
    endedBefore: ReadonlySet<SentRequest>,
  ): void {
    const { received, scope, args } = one;
    const complain = (message: string) => broken.push(`${scope} ${args}: ${message}`);
    const made = requests.filter(({ hasChanged }) => hasChanged);
    if (one.hasChanged && made.length > 0) complain('changed again');
    const bound = requests.find((other) => isBinding(other) && endedBefore.has(other));
    if (one.hasTried && bound !== undefined) complain('tried after it was told');
    if (received === undefined) return;
    if ('code' in received) {
      const isOther = (other: StartedRequest) =>
        other.scope === scope && other.args !== args && isNear(one, other);
      if (received.code === MISMATCH ? !startedRequests.some(isOther) : !OPEN.has(received.code))
        complain(`heard ${received.code}`);
      return;
    }
    if (bound !== undefined && bound.args !== args) complain('other arguments were taken');
    else if (bound !== undefined && textOf(bound) !== received.userErrors)
      complain(`told ${received.userErrors} later`);
    if (isBinding(one) && made.some((other) => other.args !== args)) complain('both arguments were told');
    if (made.some((other) => other.args === args) && received.userErrors !== '[]')
      complain('done, and refused');
  }

  return {
    broken,
    /** Records the start of a request; call the returned function with its result. */
    begin(one: StartedRequest): (rest: Omit<SentRequest, keyof StartedRequest>) => void {
      startedRequests.push(one);
      const endedBefore = new Set(usageOf(one, one.beganAtMs).requests);
      return (rest) => {
        const whole = { ...one, ...rest };
        const usage = usageOf(one, whole.endedAtMs);
        checkRequest(whole, usage, endedBefore);
        usage.requests.push(whole);
        if (whole.hasTried || isBinding(whole) || isUnknown(whole)) usage.usedAtMs ??= whole.endedAtMs;
        if (whole.hasTried) usage.usedAtMs = whole.endedAtMs;
      };
    },
  };
}

function isNear({ endedAtMs }: SentRequest, other: StartedRequest): boolean {
  return endedAtMs - other.beganAtMs < DAY_MS + UNSHARP_MS;
}

/** An OUTCOME_UNKNOWN has used the key, though possibly no request reached the platform. */
function isUnknown({ received }: SentRequest): boolean {
  return received !== undefined && 'code' in received && received.code === 'OUTCOME_UNKNOWN';
}

function textOf({ received }: SentRequest): string | undefined {
  return received !== undefined && 'userErrors' in received ? received.userErrors : undefined;
}

/**
 * Whether this response determines all later ones. A rejection before the first attempt uses no key, and a
 * CONCURRENT_UPDATE allows another attempt.
 */
function isBinding({ received, hasTried }: SentRequest): boolean {
  if (received === undefined || 'code' in received) return false;
  return received.userErrors === '[]' || (hasTried && !received.codes.includes('CONCURRENT_UPDATE'));
}
