/** Writes docs/performance.md and its chart, from one run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../tools/build/build-functions.ts';
import { performanceChart } from './performance-chart.ts';
import { performancePage, type Run } from './performance-page.ts';

/** Writes both files. */
export function writeReport(run: Run): void {
  const docs = join(PROJECT_ROOT, 'docs');
  mkdirSync(join(docs, 'images'), { recursive: true });
  writeFileSync(join(docs, 'images/performance.svg'), performanceChart(run.measured.deployed));
  writeFileSync(join(docs, 'performance.md'), performancePage(run));
}
