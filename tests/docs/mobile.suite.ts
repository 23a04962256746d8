/** docs/mobile.md: its TypeScript is what stands in docs/examples/mobile, and that works against the service. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ask } from '../../docs/examples/mobile/ask.ts';
import { createTurns, type Device, readStored } from '../../docs/examples/mobile/device.ts';
import { type Session, storeSession } from '../../docs/examples/mobile/session.ts';
import { finishExchange, signIn } from '../../docs/examples/mobile/sign-in.ts';
import { signOut } from '../../docs/examples/mobile/sign-out.ts';
import { playSignInPages } from '../../infra/local/demo/sign-in-pages.ts';
import type { TestStack } from '../stack.ts';

const FOLDER = 'docs/examples/mobile';
const EMAIL = 'ada@example.com';
const NAME = 'query Name($id: ID!) { customer(id: $id) { firstName } }';

type Phone = Device & { readonly waits: number[]; readonly kept: Map<string, string> };

/** A device whose waits pass at once. Each of `addresses` in turn stands for the service; the last one stays. */
function createPhone(stack: TestStack, ...addresses: readonly string[]): Phone {
  const kept = new Map<string, string>();
  const waits: number[] = [];
  const left = [...addresses];
  return {
    get serviceUrl() {
      return left.shift() ?? stack.baseUrl;
    },
    shop: stack.shop,
    storage: {
      read: async (key) => kept.get(key) ?? null,
      write: async (key, text) => void kept.set(key, text),
      remove: async (key) => void kept.delete(key),
    },
    inTurn: createTurns(),
    openBrowser: (authUrl) =>
      playSignInPages({
        authUrl,
        email: EMAIL,
        readCode: () => stack.control.oneTimeCode(EMAIL),
        seen: () => undefined,
      }),
    now: Date.now,
    wait: async (seconds) => void waits.push(seconds),
    waits,
    kept,
  };
}

const sessionOf = async (phone: Phone) => (await readStored<Session>(phone, 'session')) as Session;

/** For a file of tests that has a stack. */
export function mobileSuite(stack: () => TestStack): void {
  describe('docs/mobile.md', () => {
    test('shows the files of docs/examples/mobile as they are', () => {
      const page = readFileSync('docs/mobile.md', 'utf8');
      const shown = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
      const files = readdirSync(FOLDER).map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8'));
      expect(shown.toSorted()).toEqual(files.toSorted());
    });

    test('links to places that are there', () => {
      const page = readFileSync('docs/mobile.md', 'utf8');
      const links = [...page.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(2);
      expect(links.filter((link) => !existsSync(`docs/${link}`))).toEqual([]);
    });

    test('signs in, asks, refreshes once for many, signs out', async () => {
      const phone = createPhone(stack());
      await signIn(phone);
      const first = await sessionOf(phone);
      const id = `gid://platform/Customer/${first.customerId}`;
      expect(await ask(phone, NAME, { id })).toEqual({ customer: { firstName: 'Ada' } });
      await storeSession({ ...phone, now: () => 0 }, { ...first, expiresAt: new Date().toISOString() });
      const answers = await Promise.all([1, 2, 3].map(() => ask(phone, NAME, { id })));
      expect(answers).toHaveLength(3);
      expect((await sessionOf(phone)).refreshToken).not.toBe(first.refreshToken);
      await storeSession(phone, { ...(await sessionOf(phone)), accessToken: 'SVC_CT_refused' });
      expect(await ask(phone, NAME, { id })).toEqual(answers[0]);
      await signOut(phone);
      expect([...phone.kept]).toEqual([]);
      await expect(ask(phone, NAME, { id })).rejects.toMatchObject({ code: 'SIGNED_OUT' });
      expect(phone.waits).toEqual([]);
    });

    test('takes no code from another address or with another state', async () => {
      const phone = createPhone(stack());
      for (const callback of ['shop.1.evil://callback?code=c&state=s', 'HERE?code=c&state=s']) {
        const openBrowser = async (_: string, here: string) => callback.replace('HERE', here);
        await expect(signIn({ ...phone, openBrowser })).rejects.toMatchObject({ code: 'FOREIGN_REDIRECT' });
      }
      expect([...phone.kept]).toEqual([]);
    });

    test('a service out of reach costs nothing: the exchange, the tokens and the sign-out are kept', async () => {
      const nowhere = 'http://127.0.0.1:1';
      const phone = createPhone(stack(), stack().baseUrl, ...Array(5).fill(nowhere));
      await expect(signIn(phone)).rejects.toMatchObject({ code: 'NETWORK' });
      expect([...phone.kept.keys()]).toEqual(['pending-exchange']);
      expect(phone.waits).toHaveLength(4);
      await finishExchange(phone);
      const session = await sessionOf(phone);
      const away = { ...createPhone(stack(), ...Array(99).fill(nowhere)), storage: phone.storage };
      await expect(ask(away, NAME)).rejects.toMatchObject({ code: 'NETWORK' });
      expect(await sessionOf(phone)).toEqual(session);
      await signOut(away);
      expect([...phone.kept.keys()]).toEqual(['pending-revocation']);
      await signOut(phone);
      expect([...phone.kept.keys()]).toEqual([]);
    });
  });
}
