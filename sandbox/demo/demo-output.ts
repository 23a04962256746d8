/** Prints the demo's lines: aligned, and in colour only at a terminal. */

import { styleText } from 'node:util';
import type { DemoRequest, DemoResponse } from './send-request.ts';
import { shortenSecret, shortenValue } from './shorten.ts';

export type DemoOutput = {
  readonly chapter: (title: string) => void;
  readonly step: (title: string) => void;
  readonly call: (request: DemoRequest, response: DemoResponse) => void;
  /** Prints a page or a redirect of the sign-in, without its content. */
  readonly page: (method: string, url: string, status: number) => void;
  readonly note: (text: string) => void;
  readonly ok: (text: string) => void;
  readonly failed: (text: string) => void;
};

type TextStyle = Parameters<typeof styleText>[0];

const CALL_WIDTH = 76;
const BODY_WIDTH = 240;

/** Creates the output. `write` prints one line; with `usesColour` the lines contain escape sequences. */
export function createDemoOutput(write: (line: string) => void, usesColour: boolean): DemoOutput {
  let stepNumber = 0;
  const paintText = (style: TextStyle, text: string) =>
    usesColour ? styleText(style, text, { validateStream: false }) : text;
  const requestLine = (method: string, url: string, status: number) =>
    `    ${`${method.padEnd(6)} ${formatPathWithoutSecrets(url)}`.padEnd(CALL_WIDTH)} ${paintText(chooseStatusStyle(status), `${status}`)}`;
  return {
    chapter: (title) => write(`\n${paintText('bold', title)}\n${'─'.repeat(title.length)}`),
    step: (title) => {
      stepNumber += 1;
      write(`\n${paintText('bold', `${`${stepNumber}`.padStart(2)}  ${title}`)}`);
    },
    call: (request, response) => {
      const { headers = {}, body } = request;
      write(requestLine(request.method, request.url, response.status));
      for (const [name, value] of Object.entries(headers))
        write(paintText('dim', `      ${name}: ${name === 'authorization' ? shortenSecret(value) : value}`));
      if (body !== undefined) write(paintText('dim', `      → ${formatBody(body)}`));
      write(`      ← ${formatBody(response.body)}`);
    },
    page: (method, url, status) => write(requestLine(method, url, status)),
    note: (text) => write(`      ← ${text}`),
    ok: (text) => write(`\n${paintText('green', '✓')} ${text}`),
    failed: (text) => write(`\n${paintText('red', '✗')} ${text}`),
  };
}

function chooseStatusStyle(status: number): TextStyle {
  return status < 400 ? 'green' : 'yellow';
}

function formatBody(body: unknown): string {
  const text = JSON.stringify(shortenValue(body));
  return text.length > BODY_WIDTH ? `${text.slice(0, BODY_WIDTH)}…` : text;
}

/** Returns the path only, without long segments: the query has the sign-in's state, a long segment is a sign-in's id. */
function formatPathWithoutSecrets(url: string): string {
  const { pathname, search } = new URL(url);
  const path = pathname.replace(/[^/]{24,}/g, (segment) => `${segment.slice(0, 4)}…`);
  return search === '' ? path : `${path}?…`;
}
