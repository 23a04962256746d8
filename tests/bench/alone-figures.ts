/** The gateway's own figures, without its read of the table, after a long warm-up. */
import type { Figure } from './figures.ts';
import { type Measured, median } from './run-contenders.ts';

/** The figures of the gateway alone. */
export function aloneFigures({
  rounds,
  tableReadUs,
  documents,
  platformRequests,
  openingTrips,
}: Measured): Figure[] {
  const service = median(rounds.service);
  const ratio = (name: keyof typeof rounds) => median(rounds[name]) / service;
  return [
    {
      name: 'CPU a request, this service / bare JSON forwarder',
      value: 1 / ratio('forwarder'),
      unit: '',
      must: 1.4,
      aim: 1.1,
    },
    {
      name: 'the same, if the response has to be parsed',
      value: median(rounds['service-reading']) / median(rounds.forwarder),
      unit: '',
    },
    {
      name: 'CPU a request, Apollo Server / this service',
      value: ratio('apollo'),
      unit: '',
      must: 2.5,
      aim: 3.5,
      isMore: true,
    },
    { name: 'the same, cache control off', value: ratio('apollo-without-cache-control'), unit: '' },
    { name: 'CPU a request, yoga with the same plan / this service', value: ratio('yoga'), unit: '' },
    { name: 'CPU of the table read', value: tableReadUs, unit: 'µs', aim: 350 },
    { name: 'first compilation of a document', value: documents.compileUs, unit: 'µs', must: 1000, aim: 100 },
    { name: 'platform requests for a query', value: platformRequests, unit: '', must: 1, aim: 1 },
    {
      name: 'sequential platform round trips, opening screen, first visit',
      value: openingTrips.first,
      ...{ unit: '', must: 2, aim: 2 },
    },
    {
      name: 'sequential platform round trips, opening screen, returning',
      value: openingTrips.returning,
      ...{ unit: '', must: 1, aim: 1 },
    },
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
