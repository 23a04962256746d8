/** The picture of docs/performance.md. */
import { middle, warmed } from './deployed-figures.ts';
import { displayed } from './figures.ts';
import { early } from './run-containers.ts';
import { type Deployed, SERVERS, type Server } from './run-deployed.ts';

const servers = Object.entries(SERVERS) as [Server, string][];
const ROW = 34;

function fillOf(name: Server): string {
  if (name === 'customer-graphql') return '#0b6e4f';
  return name.endsWith('small-client') ? '#5b7fa6' : '#8a94a6';
}

/** Two groups of bars, every contender in each: a young container, and a process that has served for long. */
export function performanceChart(deployed: Deployed): string {
  const groups = [
    ['requests 2–200', (name: Server) => middle(deployed.containers[name], early)],
    ['after 16,000', (name: Server) => warmed(deployed, name)],
  ] as const;
  const maximum = Math.max(...groups.flatMap(([, read]) => servers.map(([name]) => read(name))));
  const height = (servers.length + 1) * ROW + 16;
  const drawn = groups.map(([title, read], group) => {
    const top = 10 + group * height;
    const bars = servers.map(([name, label], index) => {
      const y = top + (index + 1) * ROW;
      const width = (read(name) / maximum) * 330;
      return `<text x="290" y="${y + 17}" text-anchor="end">${label}</text>
<rect x="302" y="${y}" width="${width.toFixed(1)}" height="24" rx="3" fill="${fillOf(name)}"/>
<text x="${(310 + width).toFixed(1)}" y="${y + 17}">${displayed(read(name))} µs</text>`;
    });
    return [`<text x="302" y="${top + 22}" font-weight="bold">${title}</text>`, ...bars].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 ${10 + groups.length * height}" role="img" aria-label="CPU time of a request as deployed, by contender" font-family="system-ui, sans-serif" font-size="14">
<rect width="740" height="${10 + groups.length * height}" fill="#ffffff"/>
<g fill="#1d2433">
${drawn.join('\n')}
</g>
</svg>
`;
}
