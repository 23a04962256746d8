/** Shows how far a soak is: a bar on a terminal, a line every tenth elsewhere. */
import type { SoakWorld } from './soak-world.ts';

const WIDTH = 30;

export function createProgressBar(rounds: number) {
  const startedAt = performance.now();
  const isTerminal = process.stdout.isTTY === true;
  return {
    show({ round, world: { ledger } }: { readonly round: number; readonly world: SoakWorld }): void {
      const filled = Math.round((WIDTH * round) / rounds);
      const seconds = (performance.now() - startedAt) / 1000;
      const left = Math.round((seconds / round) * (rounds - round));
      const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
      const text = `${bar} ${round}/${rounds}  ${ledger.of('refreshes')} refreshes  lost ${ledger.of('sessions lost')}  ${left} s left`;
      if (isTerminal) process.stdout.write(`\r${text}  `);
      else if (round % Math.ceil(rounds / 10) === 0) console.log(text);
    },
    end: () => void (isTerminal && process.stdout.write('\n')),
  };
}
