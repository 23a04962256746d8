/**
 * The measured peak memory of the functions whose responses can be large. tests/infra/synthesised/memory/measure-memory.ts
 * writes measured-memory.json.
 */
import { readFileSync } from 'node:fs';
import type { ScheduledFunctionName } from '../../infra/definition/function-definitions.ts';

/** The peaks include everything before: the start, the largest responses, hostile documents, and both with full caches. */
export type MeasuredMemory = Readonly<
  Record<'memoryMb' | 'startedMb' | 'firstAnswerMb' | 'largestMb' | 'hostileMb' | 'peakMb', number>
> & {
  /** The CPU time of one of the largest responses, passed on as text and parsed. */
  readonly textCpuMs: number;
  readonly parsedCpuMs: number;
};

type MemoryMeasurementFile = {
  readonly measuredAt: string;
  readonly commit: string;
  readonly functions: Readonly<Record<'customer-graphql' | 'admin-graphql', MeasuredMemory>>;
};

export const memoryMeasurement: MemoryMeasurementFile = JSON.parse(
  readFileSync(new URL('measured-memory.json', import.meta.url), 'utf8'),
);

/** The peak includes the start, sign-ins, and the largest bodies that the function accepts. */
export type BodyMemory = Readonly<Record<'memoryMb' | 'startedMb' | 'peakMb', number>>;

/** Written by tests/infra/synthesised/memory/measure-bodies.ts. */
export const bodyMemory: Readonly<Record<'headless-auth' | 'platform-webhooks', BodyMemory>> = JSON.parse(
  readFileSync(new URL('measured-bodies.json', import.meta.url), 'utf8'),
);

/** The peak of a run with the largest load. Written by tests/infra/synthesised/memory/measure-workers.ts. */
export const workerMemory: Readonly<Record<ScheduledFunctionName, BodyMemory>> = JSON.parse(
  readFileSync(new URL('measured-workers.json', import.meta.url), 'utf8'),
);
