/** The terminal in a process of its own: a question does not keep the command line from ending. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const TERMINAL = pathToFileURL('infra/operator/terminal.ts').href;

/** Runs `call` of a terminal on an input that stays open, as a person's does; what it gave. */
async function answering(call: string, line: string): Promise<unknown> {
  const code = `import { openTerminal } from ${JSON.stringify(TERMINAL)};
console.log(JSON.stringify(await openTerminal().${call}));`;
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env });
  child.stdin.write(line);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const out = await text(child.stdout);
  await ended;
  return JSON.parse(out);
}

test.each([
  ["ask('The address: ')", 'https://service.example/back?code=1\n', 'https://service.example/back?code=1'],
  ["confirm('Sure?')", 'y\n', true],
  ["confirm('Sure?')", 'no\n', false],
])('%s is answered by one line, and the process ends', async (call, line, given) => {
  expect(await answering(call, line)).toBe(given);
});
