/** How the journey looks in the terminal: aligned, and coloured only where a person is watching. */

import { styleText } from 'node:util';
import type { Answer, Request } from './send-request.ts';
import { shortenSecret, shortenValue } from './shorten.ts';

export type Show = {
  readonly chapter: (title: string) => void;
  readonly step: (title: string) => void;
  readonly call: (request: Request, answer: Answer) => void;
  /** A page of the sign-in on the way; its content is for people. */
  readonly page: (method: string, url: string, status: number) => void;
  readonly note: (text: string) => void;
  readonly ok: (text: string) => void;
  readonly failed: (text: string) => void;
};

type Style = Parameters<typeof styleText>[0];

const CALL_WIDTH = 76;
const BODY_WIDTH = 240;

/** `write` takes one line; `colour` is whether it may hold escape sequences. */
export function createShow(write: (line: string) => void, colour: boolean): Show {
  let number = 0;
  const paint = (style: Style, text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const requestLine = (method: string, url: string, status: number) =>
    `    ${`${method.padEnd(6)} ${pathWithoutSecrets(url)}`.padEnd(CALL_WIDTH)} ${paint(statusStyle(status), `${status}`)}`;
  return {
    chapter: (title) => write(`\n${paint('bold', title)}\n${'─'.repeat(title.length)}`),
    step: (title) => {
      number += 1;
      write(`\n${paint('bold', `${`${number}`.padStart(2)}  ${title}`)}`);
    },
    call: (request, answer) => {
      const { headers = {}, body } = request;
      write(requestLine(request.method, request.url, answer.status));
      for (const [name, value] of Object.entries(headers))
        write(paint('dim', `      ${name}: ${name === 'authorization' ? shortenSecret(value) : value}`));
      if (body !== undefined) write(paint('dim', `      → ${bodyText(body)}`));
      write(`      ← ${bodyText(answer.body)}`);
    },
    page: (method, url, status) => write(requestLine(method, url, status)),
    note: (text) => write(`      ← ${text}`),
    ok: (text) => write(`\n${paint('green', '✓')} ${text}`),
    failed: (text) => write(`\n${paint('red', '✗')} ${text}`),
  };
}

function statusStyle(status: number): Style {
  return status < 400 ? 'green' : 'yellow';
}

function bodyText(body: unknown): string {
  const text = JSON.stringify(shortenValue(body));
  return text.length > BODY_WIDTH ? `${text.slice(0, BODY_WIDTH)}…` : text;
}

/** Path alone: the query of a sign-in address holds its state, and a long segment names a sign-in. */
function pathWithoutSecrets(url: string): string {
  const { pathname, search } = new URL(url);
  const path = pathname.replace(/[^/]{24,}/g, (segment) => `${segment.slice(0, 4)}…`);
  return search === '' ? path : `${path}?…`;
}
