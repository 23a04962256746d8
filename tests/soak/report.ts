/** The report at the end of a soak, and the check that it was hard enough to count. */
import { failures } from './ledger.ts';
import type { SoakResult } from './run-soak.ts';

const WHOLE = { customers: 300, rounds: 60 };
const MIN_OF_EACH = 50;
const MIN_CRASHES = 1_000;
const MIN_PARALLEL = 4_000;
const MIN_THIEVES_SHARE = 0.01;
const MIN_REFRESHES = WHOLE.customers * WHOLE.rounds;
const MUST_HAPPEN = [
  'answers lost',
  'late repeats',
  'thieves',
  'sessions expired',
  'refreshes across a rotation of the ring',
  'access tokens used after a rotation',
];

/** The minima apply to a whole soak; a smaller one is checked only for counts of zero. */
export function report(
  result: SoakResult,
  size: { readonly customers: number; readonly rounds: number },
): { readonly lines: readonly string[]; readonly passed: boolean } {
  const { counts, injected } = result;
  const isWhole = size.customers >= WHOLE.customers && size.rounds >= WHOLE.rounds;
  const crashes = sum(Object.entries(injected).filter(([name]) => name.startsWith('crash ')));
  const tooFew = isWhole ? findTooFew(result, crashes) : [];
  const others = failures.slice(3).filter((name) => (counts[name] ?? 0) > 0);
  const lines = [
    ...['', 'Faults injected'],
    ...tableOf({ ...injected, 'crashes in all': crashes }),
    ...['', 'What happened'],
    ...tableOf(
      Object.fromEntries(Object.entries(counts).filter(([name]) => !failures.some((one) => one === name))),
    ),
    ...[
      '',
      `${result.searchedSecrets} secrets looked for in ${(result.bytesSearched / 1e6).toFixed(1)} MB of logs, table and refusals: ${result.secretsFound.length} found`,
      ...result.secretsFound.slice(0, 10).map((found) => `  ${found}`),
      ...others.map((name) => `${name} ${counts[name]}`),
      ...result.details.map((line) => `  ${line}`),
      ...tooFew.map((line) => `too few: ${line}`),
      `${result.seconds.toFixed(0)} s`,
      failures
        .slice(0, 3)
        .map((name) => `${name} ${counts[name] ?? 0}`)
        .join(', '),
    ],
  ];
  return { lines, passed: result.isClean && tooFew.length === 0 };
}

function findTooFew({ counts, injected }: SoakResult, crashes: number): string[] {
  const happened = MUST_HAPPEN.map((name) => [name, counts[name] ?? 0] as const);
  const few = [...Object.entries(injected), ...happened]
    .filter(([, count]) => count < MIN_OF_EACH)
    .map(([name, count]) => `${name} ${count} of ${MIN_OF_EACH}`);
  const parallel = counts['parallel refreshes'] ?? 0;
  const refreshes = counts.refreshes ?? 0;
  if (refreshes < MIN_REFRESHES) few.push(`refreshes ${refreshes} of ${MIN_REFRESHES}`);
  const thieves = counts.thieves ?? 0;
  const minThieves = Math.ceil((counts['sign-ins'] ?? 0) * MIN_THIEVES_SHARE);
  if (thieves < minThieves) few.push(`thieves ${thieves} of ${minThieves}`);
  if (crashes < MIN_CRASHES) few.push(`crashes ${crashes} of ${MIN_CRASHES}`);
  if (parallel < MIN_PARALLEL) few.push(`parallel refreshes ${parallel} of ${MIN_PARALLEL}`);
  return few;
}

function sum(entries: readonly (readonly [string, number])[]): number {
  return entries.reduce((total, [, count]) => total + count, 0);
}

function tableOf(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).map(([name, count]) => `  ${String(count).padStart(7)}  ${name}`);
}
