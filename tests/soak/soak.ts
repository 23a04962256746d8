/** `npm run soak`: 300 customers, 60 refreshes each, under faults. Three zeros at the end, or exit code 1. */
import { parseArgs } from 'node:util';
import { createProgressBar } from './progress-bar.ts';
import { report } from './report.ts';
import { runSoak } from './run-soak.ts';

const usage = `npm run soak -- [flags]

  --seed N        what happens to whom; a run says its seed, and repeats with it (random)
  --customers N   how many sessions there are at a time (300)
  --rounds N      how many refreshes each makes at least (60)`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    customers: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '60' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(usage);
else {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
  const [customers, rounds] = [Number(values.customers), Number(values.rounds)];
  if (![seed, customers, rounds].every((number) => Number.isSafeInteger(number) && number >= 0)) {
    console.error(usage);
    process.exit(2);
  }
  console.log(`Soak with seed ${seed}: ${customers} customers, ${rounds} rounds`);
  const bar = createProgressBar(rounds);
  const result = await runSoak({ seed, customers, rounds, progress: bar.show });
  bar.end();
  const { lines, passed } = report(result, { customers, rounds });
  console.log(lines.join('\n'));
  process.exit(passed ? 0 : 1);
}
