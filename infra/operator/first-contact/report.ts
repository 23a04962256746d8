/** The report of a run, as Markdown that can be kept and shared: ids, times, codes and numbers alone. */
import { timeText } from '../show-table.ts';
import type { Played } from './play-steps.ts';
import { shareable } from './shareable.ts';
import { differs } from './step.ts';

export type ReportFacts = {
  readonly domain: string;
  readonly shopId: number;
  readonly plan: string;
  readonly isDevelopment: boolean;
  readonly platformApiVersion: string;
  readonly environment: string;
  readonly startedAtMs: number;
  readonly contracts: readonly string[];
};

/** The lines of the report. */
export function reportLines(facts: ReportFacts, played: readonly Played[]): string[] {
  return [
    `# First contact with ${facts.domain}`,
    '',
    `Shop ${facts.shopId}, plan ${facts.plan}${facts.isDevelopment ? ' (development store)' : ' (**no development store**)'}; API ${facts.platformApiVersion}; environment ${facts.environment}; ${timeText(facts.startedAtMs)}; contracts: ${facts.contracts.join(', ') || 'none'}.`,
    '',
    ...tableLines(played),
    ...played.flatMap(stepLines),
  ];
}

/** One line for each step. */
export function tableLines(played: readonly Played[]): string[] {
  const rows = played.map((each) => `| \`${each.step.name}\` | ${verdictWords(each)} |`);
  return ['| step | found |', '|---|---|', ...rows];
}

/** Something is other than the service takes it, could not be put back, or broke off. */
export function isBad(played: readonly Played[]): boolean {
  return played.some(
    ({ outcome, failed }) =>
      failed.length > 0 || outcome.isBroken === true || ('observed' in outcome && differs(outcome)),
  );
}

/** A few words for the table. */
function verdictWords({ outcome }: Played): string {
  switch (outcome.verdict) {
    case 'so':
      return 'is so';
    case 'not so':
      return differs(outcome) ? '**is not so: differs**' : 'is not so; the service is built for that, too';
    case 'not measured':
      return 'could not be measured';
    default:
      return outcome.verdict;
  }
}

function stepLines(each: Played): string[] {
  const { step, outcome, putBack, left, failed } = each;
  const observed = 'observed' in outcome ? outcome.observed : [];
  const isDifferent = 'observed' in outcome && differs(outcome);
  const see = `See ${step.see.map((path) => `\`${path}\``).join(', ')}.`;
  return [
    '',
    `## \`${step.name}\`: ${verdictWords(each).replaceAll('**', '')}`,
    '',
    `> ${step.claim}`,
    '',
    `${outcome.verdict === 'not measured' ? 'Because: ' : ''}${line(outcome.words)}`,
    ...(observed.length > 0 ? ['', ...observed.map((words) => `- ${line(words)}`)] : []),
    ...(isDifferent ? ['', `**Differs from what the service takes for granted**: ${step.taken} ${see}`] : []),
    ...(isDifferent ? [] : ['', `The service: ${step.taken} ${see}`]),
    ...(putBack.length > 0 ? ['', ...putBack.map((words) => `- Changed and put back: ${line(words)}`)] : []),
    ...(left.length > 0
      ? [
          '',
          ...left.map(
            (words) => `- ${failed.includes(words) ? '**Left changed**' : 'Stays'}: ${line(words)}`,
          ),
        ]
      : []),
  ];
}

function line(words: string): string {
  return shareable(words, 1_000);
}

/** One row of the whole, for --json. */
export function reportJson(facts: ReportFacts, played: readonly Played[]) {
  return {
    ...facts,
    steps: played.map(({ step, outcome, putBack, left, failed }) => ({
      name: step.name,
      claim: step.claim,
      ...outcome,
      differs: 'observed' in outcome && differs(outcome),
      putBack,
      left,
      failed,
    })),
  };
}
