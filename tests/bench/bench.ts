/**
 * `npm run bench`: measures the cost of a request, as deployed and in the gateway alone, and compares it with other
 * implementations. Prints the tables, writes docs/performance.md, and exits with 1 if a figure exceeds its bound. `--
 * --quick` only checks that it runs; `-- client` measures the client that apps install.
 */
import { aloneFigures } from './alone-figures.ts';
import { measuredCommit } from './builds/measured-commit.ts';
import { printClientFigures } from './client-figures.ts';
import { cold, deployedFigures, middle, warmed } from './deployed-figures.ts';
import { displayed, type Figure, formatValue, isWithin } from './figures.ts';
import type { Sizes } from './order.ts';
import { isPinned } from './process.ts';
import { early } from './run-containers.ts';
import { CONTENDERS, type Contender, median, runContenders } from './run-contenders.ts';
import { SERVERS, type Server } from './run-deployed.ts';
import { writeReport } from './write-report.ts';

if (process.argv.includes('client')) {
  await printClientFigures();
  process.exit();
}

const isQuick = process.argv.includes('--quick');
const sizes: Sizes = isQuick
  ? { warmUp: 20, calls: 10, rounds: 1, starts: 1, containers: 1, isQuick }
  : { warmUp: 25_000, calls: 400, rounds: 31, starts: 9, containers: 15, isQuick };

const startedAt = performance.now();
const commit = measuredCommit();
const measured = await runContenders(sizes, (text) => {
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);
});
const figures = { deployed: deployedFigures(measured.deployed), alone: aloneFigures(measured) };

console.log(`\nAs deployed, CPU${isPinned ? '' : ' (not pinned to one CPU: the ratios are blurred)'}`);
for (const [name, label] of Object.entries(SERVERS)) {
  const containers = measured.deployed.containers[name as Server];
  const spans = [
    `cold ${displayed(middle(containers, cold) / 1000, 'ms')}`,
    `first answer ${displayed(middle(containers, ({ first }) => first) / 1000, 'ms')}`,
    `2–200 ${displayed(middle(containers, early), 'µs')}`,
    `warm ${displayed(warmed(measured.deployed, name as Server), 'µs')}`,
  ];
  console.log(`  ${label.padEnd(36)} ${spans.map((span) => span.padEnd(24)).join('')}`);
}
print(figures.deployed);
console.log('\nThe gateway alone, CPU a request');
for (const [name, label] of Object.entries(CONTENDERS)) {
  const coldMs = measured.coldMs[name as Contender];
  console.log(
    `  ${label.padEnd(36)} ${displayed(median(measured.rounds[name as Contender])).padStart(8)} µs   cold ${displayed(coldMs).padStart(6)} ms`,
  );
}
print(figures.alone);
console.log(`\nHeap after 10,000 documents: ${displayed(measured.documents.heapMb, 'MB')}`);
const { accepted } = measured.documents.hostile;
if (accepted.length > 0) console.log(`Answered, being small and valid: ${accepted.join(', ')}`);
if (measured.deployed.changes === undefined && !isQuick)
  console.log('Not compared with the commit before: this clone does not reach back to it.');

if (!isQuick) {
  writeReport({ measured, figures, commit });
  const missed = [...figures.deployed, ...figures.alone].filter((figure) => !isWithin(figure, figure.must));
  if (missed.length > 0) {
    console.error(`\nMissed: ${missed.map(({ name }) => name).join('; ')}.`);
    process.exitCode = 1;
  }
}

function print(list: readonly Figure[]): void {
  console.log(`\n${'Figure'.padEnd(66)} ${'value'.padStart(10)} ${'must'.padStart(8)} ${'aim'.padStart(8)}`);
  for (const figure of list) {
    const { name, must, aim } = figure;
    const verdict = must === undefined ? '' : isWithin(figure, must) ? 'kept' : 'MISSED';
    console.log(
      `${name.padEnd(66)} ${formatValue(figure).padStart(10)} ${displayed(must).padStart(8)} ${displayed(aim).padStart(8)}  ${verdict}`,
    );
  }
}
