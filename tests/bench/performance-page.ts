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

This page is for developers who work on the speed of the service, or compare it with other servers. It is written by \`npm run bench\`. Each contender is a
Lambda handler in a separate process. It responds to the same query, 10 contracts with 3 lines each, with data of the same emulated platform. All times
are CPU times of that process, with V8's compiler and garbage collector; none is elapsed time. The page shows two digits; the second is not certain.

## As deployed

The traffic decides how many requests a container serves; with little traffic, each request is one of its first. So this table begins
with the start of a container. Each of a customer's requests reads the table, so every contender reads session and store
first. This service uses its own client. The two others use AWS's SDK, as servers usually do, and in two further rows this service's client, so that only
the server differs. The values are medians of ${measured.deployed.containers['customer-graphql'].length} containers, which run in turns.
"After 16,000" is measured in processes that continue to serve${processesOf(measured.deployed)}

![CPU time of a request as deployed](images/performance.svg)

| Contender | import | first answer | requests 2–20 | 21–200 | 201–1,000 | after 16,000 |
|---|---|---|---|---|---|---|
${spansOf(measured.deployed).join('\n')}

The forwarder checks nothing: it parses the body, posts it, parses the response and writes it. Apollo Server has this service's
schema, and one resolver that does the same. This service checks the token, the document, the variables and the access to objects. "Import" is the
CPU time of loading the bundle into a running Node; [costs.md](costs.md) has that of a whole start.

**[costs.md](costs.md#what-a-request-takes) has four to nine times the CPU, and neither is a mistake.** This page measures only the handler,
and a query sends one request to the platform. That page measures the whole process, which also fetches each event and posts each response. There a
customer's query sends two requests to the platform, a change has a key, and requests 2 to 21 of a process count. So compare contenders here, and
use that page for totals.

${tableOf(figures.deployed)}

${explained([...figures.deployed, ...figures.alone])}

${changesOf(measured.deployed)}

## The gateway alone

This table has the cost of GraphQL itself: without the read of the table, after 25,000 calls, over the same HTTP client.

| Contender | CPU a request | × forwarder | cold start |
|---|---|---|---|
${rows.join('\n')}

If nothing else has to change, the service rewrites ids in the text of the response (decision 91), as for this query. If the response has an
ownership check or a field of the service, the service parses, walks and writes it: that is the line "response parsed".
Cold start: a new process imports the bundle and responds to its first request. Here only this service loads an AWS client, so the
bound on the cold start is in the table above.

${tableOf(figures.alone)}

## Repeat the benchmark

\`\`\`sh
npm run bench
\`\`\`

It takes a few minutes and exits with 1 if a figure misses its bound. It measures CPU time, not requests a
second. After 25,000 calls of warm-up (V8 optimises late) it uses the median of 31 short rounds. In each round the contenders run
in turns, so that other work on the machine affects them equally. All processes are
${isPinned ? 'pinned to one CPU' : 'unpinned'}. Other work on the machine changes the microseconds more than the ratios. \`npm run bench -- --quick\`
only checks that everything runs. This run: ${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.versions.node}, ${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores.
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
  return `**Must** is a bound: a maximum, or a minimum if more is better. A figure without a bound is only *reported*. **Aim** is the target of work on speed,
with or without a bound; it is no fault if it is not reached yet. A value has three digits or more if two would look like its bound.

A ratio is the median of the turns' ratios, because the runs of one turn have the same load on the machine. It can differ by some per cent from the
ratio of two medians of a table; the figure is more reliable. After the warm-up, and for the gateway alone, it is a ratio of medians.

${
  missed.length === 0
    ? 'This run keeps every bound. A *missed* bound is a fault, and stays on this page'
    : `**Missed in this run: ${missed.join('; ')}.** That is a fault, and stays on this page`
} until a run keeps it: the bound does not change, and the bench
exits with 1. No user has a promise about it, and it stops neither tests nor a deployment. [costs.md](costs.md) has its cost. It is fixed before
anything else is added to the same path.`;
}

function processesOf({ warm }: Deployed): string {
  const counts = servers.map(([name, label]) => [label, warm[name].length] as const);
  const [largest] = counts.map(([, count]) => count).sort((one, other) => other - one);
  const several = counts.filter(([, count]) => count === largest && count > 1).map(([label]) => `"${label}"`);
  if (several.length === 0) return ', one of each contender.';
  return `. The ratio of ${several.join(' and ')} has a bound. V8 makes one process up to 5 % faster
than the next, so these two have ${largest} processes each, and the middle one is shown. Every other contender has one process.`;
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
  return `This table compares a change and a refresh on a local stack with the last commit in which the GraphQL functions used the SDK. Their figures above are, like
all ratios from the start on, medians of the turns' ratios:

| | cold start | requests 2–200 |
|---|---|---|
${rows.join('\n')}`;
}
