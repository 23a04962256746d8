/** The figures of the benchmark, with what they must be and what is aimed at. */
import { type Measured, median } from './run-contenders.ts';

export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Undefined: reported only. */
  readonly must?: number;
  readonly aim?: number;
  /** Whether more is better. */
  readonly isMore?: boolean;
};

/** All figures of a run. */
export function figuresOf({
  rounds,
  cold,
  bytes,
  tableReadUs,
  documents,
  platformRequests,
}: Measured): Figure[] {
  const ours = median(rounds.ours);
  const ratio = (name: keyof typeof rounds) => median(rounds[name]) / ours;
  return [
    {
      name: 'CPU a request, ours / bare JSON forwarder',
      value: 1 / ratio('forwarder'),
      unit: '',
      must: 1.4,
      aim: 1.1,
    },
    {
      name: 'the same where the answer has to be read',
      value: median(rounds['ours-reading']) / median(rounds.forwarder),
      unit: '',
    },
    {
      name: 'CPU a request, Apollo Server / ours',
      value: ratio('apollo'),
      unit: '',
      must: 2.5,
      aim: 3.5,
      isMore: true,
    },
    { name: 'the same, cache control off', value: ratio('apollo-without-cache-control'), unit: '' },
    { name: 'CPU a request, yoga with the same plan / ours', value: ratio('yoga'), unit: '' },
    { name: 'CPU of the table read', value: tableReadUs, unit: 'µs', aim: 350 },
    {
      name: 'cold import and first answer, ours / Apollo Server (CPU)',
      value: cold.ours.cpuMs / cold.apollo.cpuMs,
      unit: '',
      must: 0.7,
      aim: 0.45,
    },
    {
      name: 'the same as deployed, with its reads of table and secrets',
      value: cold.deployed.cpuMs / cold.apollo.cpuMs,
      unit: '',
    },
    { name: 'loaded at start, customer-graphql', value: bytes / 1000, unit: 'KB', must: 900, aim: 500 },
    { name: 'first compilation of a document', value: documents.compileUs, unit: 'µs', must: 1000, aim: 100 },
    { name: 'platform requests for a query', value: platformRequests, unit: '', must: 1, aim: 1 },
    { name: 'memory gained by 10,000 different documents', value: documents.grownMb, unit: 'MB', must: 4 },
    {
      name: `slowest hostile document (${documents.hostile.kind}, ${documents.hostile.surface})`,
      value: documents.hostile.ms,
      unit: 'ms',
      must: 50,
    },
    {
      name: 'slowest of those that keep every limit, are valid, and answered',
      value: documents.hostile.acceptedMs,
      unit: 'ms',
    },
    {
      name: 'hostile documents of 256 KB that are not refused',
      value: documents.hostile.largeAccepted,
      unit: '',
      must: 0,
    },
  ];
}

/** Whether a figure keeps a bound; true if there is none. */
export function keeps({ value, isMore = false }: Figure, bound: number | undefined): boolean {
  if (bound === undefined) return true;
  return isMore ? value >= bound : value <= bound;
}

/** A number as it is shown. */
export function shown(value: number | undefined, unit = ''): string {
  if (value === undefined) return '';
  const text = Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
  return unit === '' ? text : `${text} ${unit}`;
}
