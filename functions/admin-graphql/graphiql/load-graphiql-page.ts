/**
 * Builds the page of GraphiQL as one document. GraphiQL's script and style are files next to the function's bundle. The
 * first request reads and compresses them.
 */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { buildHtmlPage, cspHashesOf } from '../../../lib/http/html-page.ts';
import { graphiqlScript } from './graphiql-script.ts';

type GraphiqlPage = {
  readonly html: string;
  /** The page compressed with gzip, as base64. */
  readonly gzipped: string;
  readonly policy: string;
};

let pagePromise: Promise<GraphiqlPage> | undefined;

/**
 * Returns the page with its content security policy, which allows the inline scripts and styles by their hashes, and
 * requests to the page's own origin.
 */
export function loadGraphiqlPage(): Promise<GraphiqlPage> {
  pagePromise ??= composeGraphiqlPage();
  return pagePromise;
}

async function composeGraphiqlPage(): Promise<GraphiqlPage> {
  const [scriptText, styleText] = await Promise.all(['graphiql.js', 'graphiql.css'].map(readAsset));
  const pageStyle = 'html, body, #graphiql { height: 100%; margin: 0; }';
  const scripts = [scriptText ?? '', graphiqlScript];
  const styles = [styleText ?? '', pageStyle];
  const html = buildHtmlPage({ title: 'Admin API', body: '<div id="graphiql"></div>', styles, scripts });
  const gzipped = (await promisify(gzip)(html)).toString('base64');
  return { html, gzipped, policy: buildContentSecurityPolicy(scripts, styles) };
}

function readAsset(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}

function buildContentSecurityPolicy(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${cspHashesOf(scripts)}`,
    `style-src ${cspHashesOf(styles)}`,
    "connect-src 'self'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
