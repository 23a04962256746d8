/**
 * docs/bruno: a collection for Bruno with every request of README.md and docs/operations.md, and the sign-in. It is made
 * for the store of `npm start`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cardId } from '../../../emulators/platform/state/seed/seed-store.ts';
import type { GeneratedFile } from '../../generated-file.ts';
import { operations } from '../openapi/operations.ts';
import { type BruRequest, bruText, pairs } from './bru-text.ts';
import { operationRequests, readmeRequests } from './page-requests.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FOLDER = 'docs/bruno';
/** The demo store's customer who owns what the pages name. */
const ADA = 7_001_001;
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const SESSION = { shop: '{{shop}}', customerId: '{{customer}}', refreshToken: '{{refreshToken}}' };
const TOKENS = { accessToken: 'res.body.accessToken', refreshToken: 'res.body.refreshToken' };

type SignIn = Pick<BruRequest, 'json' | 'keeps' | 'about'>;
/** What each route of the document is sent, and what is kept of its answer. */
const SIGN_IN: Readonly<Record<string, SignIn>> = {
  health: {},
  start: {
    json: { shop: '{{shop}}' },
    keeps: { verifier: 'res.body.verifier', nonce: 'res.body.nonce', authUrl: 'res.body.authUrl' },
    about:
      'Open `authUrl` in a browser and sign in; on your own machine the code is on the mailbox page of `npm start`. The browser ends at an address that it cannot open: put its `code` into the variable of that name, and go on.',
  },
  exchange: {
    json: { shop: '{{shop}}', code: '{{code}}', verifier: '{{verifier}}', nonce: '{{nonce}}' },
    keeps: { ...TOKENS, customer: 'res.body.customerId' },
  },
  refresh: { json: SESSION, keeps: TOKENS },
  storefrontToken: { json: { shop: '{{shop}}' } },
};
/** Sent last: afterwards nothing of the customer answers. */
const SIGN_OUT: Readonly<Record<string, SignIn>> = { revoke: { json: SESSION } };

function routes(sent: Readonly<Record<string, SignIn>>): BruRequest[] {
  return Object.entries(sent).map(([id, request]) => {
    const operation = operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`The document has no operation ${id}.`);
    const { method, path, summary } = operation;
    return { name: summary, method, url: path, ...request };
  });
}

/** The collection, a file for each request. */
export function brunoFiles(): GeneratedFile[] {
  const { queries, mutations } = operationRequests(read('docs/operations.md'));
  const folders: readonly (readonly [name: string, requests: readonly BruRequest[]])[] = [
    ['Sign in', routes(SIGN_IN)],
    ['Journey of the README', readmeRequests(read('README.md'))],
    ['All queries', queries],
    ['All changes', mutations],
    ['Sign out', routes(SIGN_OUT)],
  ];
  return [
    file(
      'bruno.json',
      `${JSON.stringify({ version: '1', name: 'Subscriptions', type: 'collection' }, null, 2)}\n`,
    ),
    file('environments/npm-start.bru', environment()),
    ...folders.flatMap(([name, requests], place) => [
      file(`${fileName(name)}/folder.bru`, pairs('meta', { name, seq: `${place + 1}` })),
      ...requests.map((each, index) =>
        file(`${fileName(name)}/${fileName(each.name)}.bru`, bruText(each, index + 1)),
      ),
    ]),
  ];
}

/** The demo store's own values. What `adminKey` is stands in `.local/stack.json` while it runs; Bruno keeps it to itself. */
function environment(): string {
  const shop = 'harbor-coffee.myshopify.com';
  const paymentMethod = `gid://platform/CustomerPaymentMethod/${cardId({ shop }, ADA)}`;
  const values = pairs('vars', { baseUrl: 'http://localhost:3000', shop, paymentMethod });
  return `${values}vars:secret [\n  adminKey\n]\n`;
}

function file(name: string, text: string): GeneratedFile {
  return { file: `${FOLDER}/${name}`, text };
}

/** Names of fields stay as they are, so that they can be searched for. */
function fileName(name: string): string {
  return name.includes(' ') ? name.toLowerCase().replace(/[^a-z0-9]+/g, '-') : name;
}
