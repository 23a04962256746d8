/** The two small pages of the browser session itself: it found the app's redirect, or it cannot go on. */
import type { ServerResponse } from 'node:http';

type Callback = { readonly callbackUrl: string; readonly setCookie: string[] | undefined };

/** The app reads the address from the page and closes the sheet; nothing on it runs. */
export function callbackPage(response: ServerResponse, { callbackUrl, setCookie }: Callback): void {
  if (setCookie !== undefined) response.setHeader('set-cookie', setCookie);
  answer(response, {
    status: 200,
    head: `<meta name="callback-url" content="${escapeHtml(callbackUrl)}">`,
    text: 'Signed in. Returning to the app…',
  });
}

/** Explains why the session cannot continue. */
export function messagePage(response: ServerResponse, text: string): void {
  answer(response, { status: 502, head: '', text });
}

type Page = { readonly status: number; readonly head: string; readonly text: string };

function answer(response: ServerResponse, { status, head, text }: Page): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">` +
      `<meta name="viewport" content="width=device-width, initial-scale=1">${head}` +
      `<title>Sign-in</title></head><body><p role="status">${escapeHtml(text)}</p></body></html>`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
