/** docs/performance.md and its chart, from one run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Figure, keeps, shown } from './figures.ts';
import { isPinned } from './process.ts';
import { CONTENDERS, type Contender, type Measured, median } from './run-contenders.ts';

const docs = join(import.meta.dirname, '../../docs');
const labels = Object.entries(CONTENDERS) as [Contender, string][];

/** Writes both files. */
export function writeReport(measured: Measured, figures: readonly Figure[]): void {
  mkdirSync(join(docs, 'images'), { recursive: true });
  writeFileSync(join(docs, 'images/performance.svg'), chartOf(measured));
  writeFileSync(join(docs, 'performance.md'), pageOf(measured, figures));
}

function pageOf(measured: Measured, figures: readonly Figure[]): string {
  const rows = labels.map(([name, label]) => {
    const own = median(measured.rounds[name]);
    const cold = measured.cold[name];
    const times = own / median(measured.rounds.forwarder);
    return `| ${label} | ${shown(own)} µs | ${shown(times)} | ${shown(cold.cpuMs)} ms | ${shown(cold.wallMs)} ms |`;
  });
  const table = figures.map((figure) => {
    const { name, value, unit, must, aim } = figure;
    const verdict = must === undefined ? 'reported' : keeps(figure, must) ? 'kept' : 'missed';
    const reached = aim === undefined ? '' : keeps(figure, aim) ? 'reached' : 'not yet';
    return `| ${name} | ${shown(value, unit)} | ${shown(must)} | ${verdict} | ${shown(aim)} | ${reached} |`;
  });
  return `# What a request costs

Written by \`npm run bench\`. The same query, 10 contracts with 3 lines each, is answered from the same stand-in
for the platform over the same HTTP client by each contender, as a Lambda handler in a process of its own.

![CPU time of a request](images/performance.svg)

| Contender | CPU a request | × forwarder | cold start, CPU | cold start, wall |
|---|---|---|---|---|
${rows.join('\n')}

The forwarder parses the body, posts it, parses the answer and writes it down: it checks nothing. Ours checks the
token (the MAC of one it has seen lately is remembered), the variables and what they may reach, rewrites ids and
writes its log line; its read of the table is measured apart, for no contender has one. Ids are rewritten in the text of
the answer where nothing else is to be done (decision 91), as for this query; where a proof or a field of our own stands
in the answer it is parsed, walked and written, which is the line "answer read". Cold start: a fresh process imports the
bundle and answers its first request; the AWS clients are on board everywhere.

| Figure | Value | Must | | Aim | |
|---|---|---|---|---|---|
${table.join('\n')}

## Repeating it

\`\`\`sh
npm run bench
\`\`\`

It takes a few minutes and ends with 1 if a figure is not what it must be. CPU time is measured, not requests a
second: 25,000 calls to warm up (V8 optimises late), then the median of 31 short rounds in which the contenders take
turns, so that what else the machine does meets them all alike; all processes
${isPinned ? 'pinned to one CPU' : 'unpinned'}. Other work on the machine moves the microseconds more than the ratios. \`npm run bench -- --quick\`
only shows that everything runs. This run: Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown'}.
`;
}

function chartOf(measured: Measured): string {
  const most = Math.max(...labels.map(([name]) => median(measured.rounds[name])));
  const bars = labels.map(([name, label], index) => {
    const own = median(measured.rounds[name]);
    const y = 20 + index * 44;
    const width = (own / most) * 380;
    const fill = name === 'ours' ? '#0b6e4f' : '#8a94a6';
    return `<text x="240" y="${y + 19}" text-anchor="end">${label}</text>
<rect x="252" y="${y}" width="${width.toFixed(1)}" height="28" rx="3" fill="${fill}"/>
<text x="${(260 + width).toFixed(1)}" y="${y + 19}">${shown(own)} µs</text>`;
  });
  const height = 30 + labels.length * 44;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 ${height}" role="img" aria-label="CPU time of a request, by contender" font-family="system-ui, sans-serif" font-size="14">
<rect width="740" height="${height}" fill="#ffffff"/>
<g fill="#1d2433">
${bars.join('\n')}
</g>
</svg>
`;
}
