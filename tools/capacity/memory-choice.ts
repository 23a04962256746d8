/** The paragraph of docs/costs.md that says how much memory the functions have, and what they were seen to use. */
import {
  type FunctionName,
  functionDefinitions,
  routedFunctions,
  scheduledFunctions,
} from '../../infra/definition/function-definitions.ts';
import { type MeasuredWork, measured } from './measured.ts';
import { costOfMillion } from './request-costs.ts';

const works: readonly MeasuredWork[] = Object.values(measured);

/** What the measured work of these functions had at its peak, in MB. */
function peakOf(functions: readonly FunctionName[]): number {
  const own = works.filter((work) => functions.includes(work.function));
  return Math.max(...own.map(({ peakMemoryMb }) => peakMemoryMb));
}

/** Of the functions that requests reach, which have the same; then of each of the others. */
export function memoryChoice(): string {
  const { memoryMb } = functionDefinitions['customer-graphql'];
  const lambda = (mb: number) => costOfMillion(measured.customerQuery, mb).lambda;
  const others = scheduledFunctions.map((name) => {
    const given = functionDefinitions[name].memoryMb.toLocaleString('en-US');
    return `${name} ${given} MB (${peakOf([name])} at the peak)`;
  });
  return `The functions that requests reach have ${memoryMb} MB: half of it would save ${(lambda(memoryMb) - lambda(memoryMb / 2)).toFixed(2)} per million queries and leave too little
above the ${peakOf(routedFunctions)} MB that they were seen to use at the peak, for the largest answers (5 MB from the platform) and a cold start.
Those of the timetable have their own, by what one run may have to do (decision 277): ${others.join(', ')}.`;
}
