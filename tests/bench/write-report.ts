/** docs/performance.md and its chart, from one run. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { cold, middle } from './deployed-figures.ts';
import { type Figure, keeps, shown } from './figures.ts';
import { isPinned } from './process.ts';
import { type Container, early } from './run-containers.ts';
import { CONTENDERS, type Contender, type Measured, median } from './run-contenders.ts';
import { type Deployed, SERVERS, type Server } from './run-deployed.ts';

const docs = join(import.meta.dirname, '../../docs');
const labels = Object.entries(CONTENDERS) as [Contender, string][];
const servers = Object.entries(SERVERS) as [Server, string][];

type Figures = { readonly deployed: readonly Figure[]; readonly alone: readonly Figure[] };

/** Writes both files. */
export function writeReport(measured: Measured, figures: Figures): void {
  mkdirSync(join(docs, 'images'), { recursive: true });
  writeFileSync(join(docs, 'images/performance.svg'), chartOf(measured.deployed));
  writeFileSync(join(docs, 'performance.md'), pageOf(measured, figures));
}

function pageOf(measured: Measured, figures: Figures): string {
  const rows = labels.map(([name, label]) => {
    const own = median(measured.rounds[name]);
    const times = own / median(measured.rounds.forwarder);
    return `| ${label} | ${shown(own, 'µs')} | ${shown(times)} | ${shown(measured.coldMs[name], 'ms')} |`;
  });
  return `# What a request costs

Written by \`npm run bench\`. The same query, 10 contracts with 3 lines each, is answered from the same stand-in
for the platform by each contender, as a Lambda handler in a process of its own. All times are CPU times of that process, those of
V8's compiler and garbage collector included; nothing is a time on the clock. Two digits are shown, and the second is not sure.

## As deployed

How many requests a container serves depends on the traffic; where there is little, each is one of its first. So this table begins
with the start of a container. Each of a customer's requests has a read of the table, so every contender reads session and store
first: ours with its own client; the two others with AWS's SDK, as servers usually do, and once more with our client, so that nothing
but the server itself differs. Medians of ${measured.deployed.containers['customer-graphql'].length} containers, which take turns;
a ratio is the median of the turns' ratios, for neighbours in time share what the machine did meanwhile.

![CPU time of a request as deployed](images/performance.svg)

| Contender | import | first answer | requests 2–20 | 21–200 | 201–1,000 | after 16,000 |
|---|---|---|---|---|---|---|
${spansOf(measured.deployed).join('\n')}

The forwarder checks nothing: it parses the body, posts it, parses the answer and writes it down. Apollo Server has our
schema, and one resolver that does the same. Ours checks the token, the document, the variables and what they may reach. "Import" is the
CPU of loading the bundle into a Node that runs; [costs.md](costs.md) has the time on the clock from the start of the process.

${tableOf(figures.deployed)}

${changesOf(measured.deployed)}

## The gateway alone

Without the read of the table, after 25,000 calls, over the same HTTP client: what GraphQL itself costs.

| Contender | CPU a request | × forwarder | cold start |
|---|---|---|---|
${rows.join('\n')}

Ids are rewritten in the text of the answer where nothing else is to be done (decision 91), as for this query; where a
proof or a field of our own stands in the answer it is parsed, walked and written, which is the line "answer read".
Cold start: a fresh process imports the bundle and answers its first request; here only ours has a client of AWS to load, so the
bound on the cold start is that of the table above.

${tableOf(figures.alone)}

## Repeating it

\`\`\`sh
npm run bench
\`\`\`

It takes a few minutes and ends with 1 if a figure is not what it must be. CPU time is measured, not requests a
second: 25,000 calls to warm up (V8 optimises late), then the median of 31 short rounds in which the contenders take
turns, so that what else the machine does meets them all alike; all processes
${isPinned ? 'pinned to one CPU' : 'unpinned'}. Other work on the machine moves the microseconds more than the ratios. \`npm run bench -- --quick\`
only shows that everything runs. This run: ${new Date().toISOString().slice(0, 10)}, commit ${commit()}, Node ${process.versions.node}, ${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores.
`;
}

/** What the files were when it was measured. */
function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: docs, encoding: 'utf8' }).trim();
}

function spansOf({ containers, warm }: Deployed): string[] {
  return servers.map(([name, label]) => {
    const of = (read: (container: Container) => number) => middle(containers[name], read);
    const ms = [of(({ init }) => init), of(({ first }) => first)].map((us) => shown(us / 1000, 'ms'));
    const spans = [of(({ to20 }) => to20), of(({ to200 }) => to200), of(({ to1000 }) => to1000)];
    const us = [...spans, median(warm[name])].map((value) => shown(value, 'µs'));
    return `| ${label} | ${[...ms, ...us].join(' | ')} |`;
  });
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, value, unit, must, aim } = figure;
    const verdict = must === undefined ? 'reported' : keeps(figure, must) ? 'kept' : 'missed';
    const reached = aim === undefined ? '' : keeps(figure, aim) ? 'reached' : 'not yet';
    return `| ${name} | ${shown(value, unit)} | ${shown(must)} | ${verdict} | ${shown(aim)} | ${reached} |`;
  });
  return ['| Figure | Value | Must | | Aim | |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

function changesOf({ changes }: Deployed): string {
  if (changes === undefined)
    return 'The clone did not reach back to the commit before, so changes are not compared.';
  const rows = (['skip', 'refresh'] as const).flatMap((work) =>
    (['before', 'now'] as const).map((when) => {
      const of = (read: (container: Container) => number) => middle(changes[work][when], read);
      return `| ${work}, ${when} | ${shown(of(cold) / 1000, 'ms')} | ${shown(of(early), 'µs')} |`;
    }),
  );
  return `A change and a refresh on a local stack, beside the last commit in which the GraphQL functions used the SDK:

| | cold start | requests 2–200 |
|---|---|---|
${rows.join('\n')}`;
}

/** Two groups of bars: a young container, and one that has served for long. */
function chartOf({ containers, warm }: Deployed): string {
  const drawnServers = servers.filter(([name]) => !name.endsWith('small-client'));
  const groups = [
    ['requests 2–200', (name: Server) => middle(containers[name], early)],
    ['after 16,000', (name: Server) => median(warm[name])],
  ] as const;
  const bars = groups.flatMap(([when, read]) =>
    drawnServers.map(([name, label]) => ({ name, label: `${label}, ${when}`, us: read(name) })),
  );
  const most = Math.max(...bars.map(({ us }) => us));
  const drawn = bars.map(({ name, label, us }, index) => {
    const y = 20 + index * 44 + (index >= drawnServers.length ? 20 : 0);
    const width = (us / most) * 330;
    const fill = name === 'customer-graphql' ? '#0b6e4f' : '#8a94a6';
    return `<text x="290" y="${y + 19}" text-anchor="end">${label}</text>
<rect x="302" y="${y}" width="${width.toFixed(1)}" height="28" rx="3" fill="${fill}"/>
<text x="${(310 + width).toFixed(1)}" y="${y + 19}">${shown(us)} µs</text>`;
  });
  const height = 50 + bars.length * 44;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 ${height}" role="img" aria-label="CPU time of a request as deployed, by contender" font-family="system-ui, sans-serif" font-size="14">
<rect width="740" height="${height}" fill="#ffffff"/>
<g fill="#1d2433">
${drawn.join('\n')}
</g>
</svg>
`;
}
