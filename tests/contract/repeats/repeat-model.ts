/**
 * What a caller may hear who repeats a change under one key, told from the promise alone: one change, one outcome for
 * all who ask, other arguments refused, for 24 hours. It knows nothing of how the service keeps that.
 */

export type Begun = {
  /** Who asks for which field under which key. */
  readonly scope: string;
  readonly args: string;
  readonly beganAtMs: number;
};

/** A request under a key, and what was seen of it from outside. */
export type Asked = Begun & {
  readonly endedAtMs: number;
  /** Whether the platform was asked to change anything, and whether it did. */
  readonly hasTried: boolean;
  readonly hasChanged: boolean;
  /** Undefined: whoever asked has heard nothing. */
  readonly heard: Heard | undefined;
};

type Heard =
  /** The payload's user errors as text; `[]` means done. */
  { readonly userErrors: string; readonly codes: readonly string[] } | { readonly code: string };

const DAY_MS = 86_400_000;
/** A request may be this old when it uses its key. */
const UNSHARP_MS = 60_000;

/** Codes after which nothing is settled for those who ask again. */
const OPEN = new Set([
  'IDEMPOTENCY_CONCURRENT_REQUEST',
  'TEMPORARILY_UNAVAILABLE',
  'PLATFORM_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
]);
const MISMATCH = 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH';

/** The requests since a key was used, and when that was. */
type Life = { usedAtMs: number | undefined; asked: Asked[] };

/** Everything that was asked, judged in the order in which the answers came. */
export function createRepeatModel() {
  const lives = new Map<string, Life>();
  const begun: Begun[] = [];
  const broken: string[] = [];

  function lifeOf({ scope }: Begun, nowMs: number): Life {
    const known = lives.get(scope);
    const isOver = known?.usedAtMs !== undefined && nowMs - known.usedAtMs >= DAY_MS - UNSHARP_MS;
    const life = known === undefined || isOver ? { usedAtMs: undefined, asked: [] } : known;
    lives.set(scope, life);
    return life;
  }

  function judge(one: Asked, { asked }: Life, endedBefore: ReadonlySet<Asked>): void {
    const { heard, scope, args } = one;
    const complain = (words: string) => broken.push(`${scope} ${args}: ${words}`);
    const made = asked.filter(({ hasChanged }) => hasChanged);
    if (one.hasChanged && made.length > 0) complain('changed again');
    const bound = asked.find((other) => isBinding(other) && endedBefore.has(other));
    if (one.hasTried && bound !== undefined) complain('tried after it was told');
    if (heard === undefined) return;
    if ('code' in heard) {
      const isOther = (other: Begun) => other.scope === scope && other.args !== args && isNear(one, other);
      if (heard.code === MISMATCH ? !begun.some(isOther) : !OPEN.has(heard.code))
        complain(`heard ${heard.code}`);
      return;
    }
    if (bound !== undefined && bound.args !== args) complain('other arguments were taken');
    else if (bound !== undefined && textOf(bound) !== heard.userErrors)
      complain(`told ${heard.userErrors} later`);
    if (isBinding(one) && made.some((other) => other.args !== args)) complain('both arguments were told');
    if (made.some((other) => other.args === args) && heard.userErrors !== '[]') complain('done, and refused');
  }

  return {
    broken,
    /** A request begins; the function that is returned is called with what came of it. */
    begin(one: Begun): (rest: Omit<Asked, keyof Begun>) => void {
      begun.push(one);
      const endedBefore = new Set(lifeOf(one, one.beganAtMs).asked);
      return (rest) => {
        const whole = { ...one, ...rest };
        const life = lifeOf(one, whole.endedAtMs);
        judge(whole, life, endedBefore);
        life.asked.push(whole);
        if (whole.hasTried || isBinding(whole) || isUnknown(whole)) life.usedAtMs ??= whole.endedAtMs;
        if (whole.hasTried) life.usedAtMs = whole.endedAtMs;
      };
    },
  };
}

function isNear({ endedAtMs }: Asked, other: Begun): boolean {
  return endedAtMs - other.beganAtMs < DAY_MS + UNSHARP_MS;
}

/** Whoever is told that nobody knows has used the key, though nothing may have reached the platform. */
function isUnknown({ heard }: Asked): boolean {
  return heard !== undefined && 'code' in heard && heard.code === 'OUTCOME_UNKNOWN';
}

function textOf({ heard }: Asked): string | undefined {
  return heard !== undefined && 'userErrors' in heard ? heard.userErrors : undefined;
}

/**
 * Whether this answer binds all that come later. A refusal that nothing was tried for uses no key, and whoever was
 * overtaken by others was told to try again.
 */
function isBinding({ heard, hasTried }: Asked): boolean {
  if (heard === undefined || 'code' in heard) return false;
  return heard.userErrors === '[]' || (hasTried && !heard.codes.includes('CONCURRENT_UPDATE'));
}
