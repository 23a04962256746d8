/** The text of docs/performance.md, from one run. */
import { cpus } from 'node:os';
import { cold, middle, warmed } from './deployed-figures.ts';
import { displayed, type Figure, formatValue, isWithin } from './figures.ts';
import { isPinned } from './process.ts';
import { type Container, early } from './run-containers.ts';
import { CONTENDERS, type Contender, type Measured, median } from './run-contenders.ts';
import { type Deployed, SERVERS, type Server } from './run-deployed.ts';

const labels = Object.entries(CONTENDERS) as [Contender, string][];
const servers = Object.entries(SERVERS) as [Server, string][];

type Figures = { readonly deployed: readonly Figure[]; readonly alone: readonly Figure[] };

export type Run = {
  readonly measured: Measured;
  readonly figures: Figures;
  /** The measured commit, which can be checked out. */
  readonly commit: string;
};

/** The page of a run. */
export function performancePage({ measured, figures, commit }: Run): string {
  const rows = labels.map(([name, label]) => {
    const own = median(measured.rounds[name]);
    const times = own / median(measured.rounds.forwarder);
    return `| ${label} | ${displayed(own, 'µs')} | ${displayed(times)} | ${displayed(measured.coldMs[name], 'ms')} |`;
  });
  return `# What a request costs

Written by \`npm run bench\`. The same query, 10 contracts with 3 lines each, is answered from the same stand-in
for the platform by each contender, as a Lambda handler in a process of its own. All times are CPU times of that process, those of
V8's compiler and garbage collector included; nothing is a time on the clock. Two digits are shown, and the second is not sure.

## As deployed

How many requests a container serves depends on the traffic; where there is little, each is one of its first. So this table begins
with the start of a container. Each of a customer's requests has a read of the table, so every contender reads session and store
first: ours with its own client; the two others with AWS's SDK, as servers usually do, and once more with our client, so that nothing
but the server itself differs. Medians of ${measured.deployed.containers['customer-graphql'].length} containers, which take turns.
"After 16,000" is measured in processes that serve on${processesOf(measured.deployed)}

![CPU time of a request as deployed](images/performance.svg)

| Contender | import | first answer | requests 2–20 | 21–200 | 201–1,000 | after 16,000 |
|---|---|---|---|---|---|---|
${spansOf(measured.deployed).join('\n')}

The forwarder checks nothing: it parses the body, posts it, parses the answer and writes it down. Apollo Server has our
schema, and one resolver that does the same. Ours checks the token, the document, the variables and what they may reach. "Import" is the
CPU of loading the bundle into a Node that runs; [costs.md](costs.md) has that of a whole start.

**[costs.md](costs.md#what-a-request-takes) has four to nine times the CPU, and neither is a mistake.** Here only the handler is called,
and a query asks the platform once; there it is the whole process, which also fetches each event and posts each answer, a customer's query asks
the platform twice, a change has a key, and what counts are requests 2 to 21 of a process. So compare contenders here, and take sums from
there.

${tableOf(figures.deployed)}

${explained([...figures.deployed, ...figures.alone])}

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
only shows that everything runs. This run: ${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.versions.node}, ${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores.
`;
}

function spansOf(deployed: Deployed): string[] {
  const { containers } = deployed;
  return servers.map(([name, label]) => {
    const of = (read: (container: Container) => number) => middle(containers[name], read);
    const ms = [of(({ init }) => init), of(({ first }) => first)].map((us) => displayed(us / 1000, 'ms'));
    const spans = [of(({ to20 }) => to20), of(({ to200 }) => to200), of(({ to1000 }) => to1000)];
    const us = [...spans, warmed(deployed, name)].map((value) => displayed(value, 'µs'));
    return `| ${label} | ${[...ms, ...us].join(' | ')} |`;
  });
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, must, aim } = figure;
    const verdict = must === undefined ? 'reported' : isWithin(figure, must) ? 'kept' : 'missed';
    const reached = aim === undefined ? '' : isWithin(figure, aim) ? 'reached' : 'not yet';
    return `| ${name} | ${formatValue(figure)} | ${displayed(must)} | ${verdict} | ${displayed(aim)} | ${reached} |`;
  });
  return ['| Figure | Value | Must | Must is | Aim | Aim is |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

/** How the tables of figures are read, and what follows where one is missed. */
function explained(figures: readonly Figure[]): string {
  const missed = figures.filter((figure) => !isWithin(figure, figure.must)).map(({ name }) => `"${name}"`);
  return `**Must** is a bound: what it is, is at most so much, or at least, where more is better. A figure without one is *reported*: nothing is
judged by it. **Aim** is where work on speed is to lead, with or without a bound; one that is not reached yet is no fault. A value has
a third digit, or more, where two would look like its bound.

A ratio is the median of the turns' ratios: neighbours in time share what the machine did meanwhile. It is not the ratio of two medians
of a table, which may lie some per cent beside it; of the two, trust the figure. After the warm-up, and for the gateway alone, it is a ratio of medians.

${
  missed.length === 0
    ? 'This run keeps every bound. One that is *missed* is a fault, and stays on this page'
    : `**Missed in this run: ${missed.join('; ')}.** That is a fault, and stays on this page`
} until a run keeps it: the bound is not moved, and the bench
ends with 1. Nobody is promised it, and it stops neither tests nor a deploy. What it costs is in [costs.md](costs.md); it is mended before
anything else is added to the same path.`;
}

function processesOf({ warm }: Deployed): string {
  const counts = servers.map(([name, label]) => [label, warm[name].length] as const);
  const [largest] = counts.map(([, count]) => count).sort((one, other) => other - one);
  const several = counts.filter(([, count]) => count === largest && count > 1).map(([label]) => `"${label}"`);
  if (several.length === 0) return ', one of each contender.';
  return `. The ratio of ${several.join(' and ')} is judged. V8 makes one process up to 5 % faster
than the next, so these two have ${largest} processes each, and the middle one of them is shown. Every other contender has one process.`;
}

function changesOf({ changes }: Deployed): string {
  if (changes === undefined)
    return 'The clone did not reach back to the commit before, so changes are not compared.';
  const rows = (['skip', 'refresh'] as const).flatMap((work) =>
    (['before', 'now'] as const).map((when) => {
      const of = (read: (container: Container) => number) => middle(changes[work][when], read);
      return `| ${work}, ${when} | ${displayed(of(cold) / 1000, 'ms')} | ${displayed(of(early), 'µs')} |`;
    }),
  );
  return `A change and a refresh on a local stack, beside the last commit in which the GraphQL functions used the SDK. Their figures above are, as
all ratios from the start on, the median of the turns' ratios:

| | cold start | requests 2–200 |
|---|---|---|
${rows.join('\n')}`;
}
