/**
 * `npm run bench`: what a request costs, against other ways to build the same. Prints a table, writes
 * docs/performance.md, and ends with 1 if a figure is not what it must be. `-- --quick` only shows that it runs.
 */
import { figuresOf, keeps, shown } from './figures.ts';
import { isPinned } from './process.ts';
import { CONTENDERS, type Contender, median, runContenders, type Sizes } from './run-contenders.ts';
import { writeReport } from './write-report.ts';

const isQuick = process.argv.includes('--quick');
const sizes: Sizes = isQuick
  ? { warmUp: 20, calls: 10, rounds: 1, starts: 1, isQuick }
  : { warmUp: 25_000, calls: 400, rounds: 31, starts: 9, isQuick };

const startedAt = performance.now();
const measured = await runContenders(sizes, (text) => {
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);
});
const figures = figuresOf(measured);

console.log(`\nCPU a request${isPinned ? '' : ' (not pinned to one CPU: the ratios are blurred)'}`);
for (const [name, label] of Object.entries(CONTENDERS)) {
  const cold = measured.cold[name as Contender];
  console.log(
    `  ${label.padEnd(36)} ${shown(median(measured.rounds[name as Contender])).padStart(8)} µs   cold ${shown(cold.cpuMs).padStart(6)} ms CPU, ${shown(cold.wallMs).padStart(6)} ms`,
  );
}
console.log(`\n${'Figure'.padEnd(62)} ${'value'.padStart(10)} ${'must'.padStart(8)} ${'aim'.padStart(8)}`);
for (const figure of figures) {
  const { name, value, unit, must, aim } = figure;
  const verdict = must === undefined ? '' : keeps(figure, must) ? 'kept' : 'MISSED';
  console.log(
    `${name.padEnd(62)} ${shown(value, unit).padStart(10)} ${shown(must).padStart(8)} ${shown(aim).padStart(8)}  ${verdict}`,
  );
}
console.log(`\nHeap after 10,000 documents: ${shown(measured.documents.heapMb, 'MB')}`);
const { accepted } = measured.documents.hostile;
if (accepted.length > 0) console.log(`Answered, being small and valid: ${accepted.join(', ')}`);

if (!isQuick) {
  writeReport(measured, figures);
  const missed = figures.filter((figure) => !keeps(figure, figure.must));
  if (missed.length > 0) {
    console.error(`\nMissed: ${missed.map(({ name }) => name).join('; ')}.`);
    process.exitCode = 1;
  }
}
