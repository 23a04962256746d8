/** Writes the report of a run as Markdown that can be shared: it contains only ids, times, codes and numbers. */
import type { MeasurementFinding, PlatformMeasurement } from './measurement.ts';

export type MeasurementResult = {
  readonly step: PlatformMeasurement;
  readonly finding: MeasurementFinding;
  /** The platform failed while the step was measured. */
  readonly isBroken: boolean;
};

/** Returns the lines of the report on the store `domain`. `circumstances` describes the run. */
export function formatReport(
  domain: string,
  circumstances: string,
  results: readonly MeasurementResult[],
): string[] {
  const resultRows = results.map(({ step, finding }) => `| \`${step.name}\` | ${formatVerdict(finding)} |`);
  const table = ['| step | found |', '|---|---|', ...resultRows];
  return [
    `# First contact with ${domain}`,
    '',
    circumstances,
    '',
    ...table,
    ...results.flatMap(formatMeasurement),
  ];
}

function formatVerdict({ verdict, differs }: MeasurementFinding): string {
  if (differs) return '**is not so: differs**';
  if (verdict === 'not so') return 'is not so; the service is built for that, too';
  return verdict === 'so' ? 'is so' : 'could not be measured';
}

function formatMeasurement({ step, finding }: MeasurementResult): string[] {
  const { message, observed, differs } = finding;
  const opening = differs ? '**Differs from what the service takes for granted**' : 'The service';
  return [
    ...['', `## \`${step.name}\``, '', `> ${step.claim}`, '', message],
    ...(observed.length > 0 ? ['', ...observed.map((line) => `- ${line}`)] : []),
    ...['', `${opening}: ${step.reliance}`],
  ];
}
