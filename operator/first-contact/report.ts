/** The report of a run, as Markdown that can be kept and shared: ids, times, codes and numbers alone. */
import type { Finding, Step } from './step.ts';

export type StepResult = {
  readonly step: Step;
  readonly finding: Finding;
  /** The platform failed while the step was measured. */
  readonly isBroken: boolean;
};

/** The lines of a report on the store of this name, measured under these circumstances. */
export function reportLines(domain: string, circumstances: string, results: readonly StepResult[]): string[] {
  const rows = results.map(({ step, finding }) => `| \`${step.name}\` | ${verdictText(finding)} |`);
  const table = ['| step | found |', '|---|---|', ...rows];
  return [`# First contact with ${domain}`, '', circumstances, '', ...table, ...results.flatMap(stepLines)];
}

function verdictText({ verdict, differs }: Finding): string {
  if (differs) return '**is not so: differs**';
  if (verdict === 'not so') return 'is not so; the service is built for that, too';
  return verdict === 'so' ? 'is so' : 'could not be measured';
}

function stepLines({ step, finding }: StepResult): string[] {
  const { message, observed, differs } = finding;
  const relies = differs ? '**Differs from what the service takes for granted**' : 'The service';
  return [
    ...['', `## \`${step.name}\``, '', `> ${step.claim}`, '', message],
    ...(observed.length > 0 ? ['', ...observed.map((line) => `- ${line}`)] : []),
    ...['', `${relies}: ${step.taken}`],
  ];
}
