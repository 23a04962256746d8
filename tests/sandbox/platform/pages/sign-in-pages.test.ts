/** The customer's pages: the message of every mistake, and the pages' content. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBrowser, type Page } from '../browser.ts';
import {
  authorizationUrl,
  codeOf,
  currentCode,
  startTestPlatform,
  type TestPlatform,
} from '../running-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.close());

async function openSignIn(changes: Record<string, string> = {}) {
  const browser = createBrowser();
  const page = await browser.open(authorizationUrl(platform, changes).url);
  return { browser, page };
}

async function askForCode(email: string) {
  const { browser, page } = await openSignIn();
  return { browser, page: await browser.submit(page, 'email', { email }) };
}

function alertOf(page: Page): string | undefined {
  return /role="alert">([^<]*)</.exec(page.text)?.[1];
}

function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

describe('the e-mail step', () => {
  test.each(['', 'ada', 'ada@', '@example.com', 'a b@example.com', `${'a'.repeat(260)}@example.com`])(
    'refuses "%s"',
    async (email) => {
      const { page } = await askForCode(email);
      expect(page.status).toBe(422);
      expect(alertOf(page)).toBe('Enter an email address, such as name@example.com.');
      expect(page.text).toContain('aria-invalid="true" aria-describedby="error"');
    },
  );

  test('what was entered comes back as text, never as markup', async () => {
    const { page } = await askForCode('"><script>alert(1)</script>');
    expect(page.text).not.toContain('<script>alert');
  });

  test('is filled in from login_hint', async () => {
    const { page } = await openSignIn({ login_hint: 'carla@example.com' });
    expect(page.text).toContain('value="carla@example.com"');
  });

  test('takes an address in capitals and with blanks', async () => {
    const { browser, page } = await askForCode('  ADA@Example.com ');
    codeOf(await browser.submit(page, 'code', { code: await currentCode(platform, 'ada@example.com') }));
  });

  test('somebody who is no customer gets a code, and then a clear sentence', async () => {
    const email = 'nobody@example.com';
    const { browser, page } = await askForCode(email);
    const refused = await browser.submit(page, 'code', { code: await currentCode(platform, email) });
    expect(alertOf(refused)).toBe(
      'Harbor Coffee has no customer with the email address nobody@example.com. Use another one.',
    );
    const again = await browser.submit(refused, 'email', { email: 'dan@example.com' });
    codeOf(await browser.submit(again, 'code', { code: await currentCode(platform, 'dan@example.com') }));
  });
});

describe('the code step', () => {
  test.each(['', '12345', '1234567', 'abcdef'])('refuses "%s" without counting it', async (code) => {
    const { browser, page } = await askForCode('ada@example.com');
    const refused = await browser.submit(page, 'code', { code });
    expect(alertOf(refused)).toBe('Enter the six digits of the code.');
    codeOf(await browser.submit(refused, 'code', { code: await currentCode(platform, 'ada@example.com') }));
  });

  test('takes the code with blanks in it', async () => {
    const { browser, page } = await askForCode('ada@example.com');
    const code = await currentCode(platform, 'ada@example.com');
    codeOf(await browser.submit(page, 'code', { code: ` ${code.slice(0, 3)} ${code.slice(3)}` }));
  });

  test('five wrong codes void it, the right one too; a new one works', async () => {
    const email = 'carla@example.com';
    let { browser, page } = await askForCode(email);
    const code = await currentCode(platform, email);
    const alerts: unknown[] = [];
    for (let count = 0; count < 5; count += 1) {
      page = await browser.submit(page, 'code', { code: otherThan(code) });
      alerts.push(alertOf(page));
    }
    expect(alerts[0]).toContain('That is not the code');
    expect(alerts[0]).toContain('You have 4 tries left.');
    expect(alerts[3]).toContain('You have one try left.');
    const codeExpired = 'This code is no longer valid. Send a new one.';
    expect(alerts[4]).toBe(codeExpired);
    page = await browser.submit(page, 'code', { code });
    expect(alertOf(page)).toBe(codeExpired);
    page = await browser.submit(page, 'again');
    codeOf(await browser.submit(page, 'code', { code: await currentCode(platform, email) }));
  });

  test('a code is good for ten minutes', async () => {
    const { browser, page } = await askForCode('ada@example.com');
    const code = await currentCode(platform, 'ada@example.com');
    await platform.control('POST', 'clock', { advance: 601 });
    expect(alertOf(await browser.submit(page, 'code', { code }))).toContain('no longer valid');
    const answer = await platform.control('GET', 'one-time-code?email=ada@example.com');
    expect(answer).toEqual({
      status: 400,
      json: { error: 'No code is waiting for ada@example.com: ask for one first.' },
    });
  });

  test('the code of one sign-in does not open another', async () => {
    const first = await askForCode('ada@example.com');
    const code = await currentCode(platform, 'ada@example.com');
    const second = await askForCode('ben@example.com');
    const currentMailCode = await currentCode(platform, 'ben@example.com');
    // One in a million: both sign-ins were given the same digits.
    if (currentMailCode !== code) {
      expect(alertOf(await second.browser.submit(second.page, 'code', { code }))).toContain('not the code');
    }
    codeOf(await first.browser.submit(first.page, 'code', { code }));
  });

  test('is announced in the terminal', async () => {
    await askForCode('ada@example.com');
    const code = await currentCode(platform, 'ada@example.com');
    expect(platform.lines.at(-1)).toBe(`Sign-in code for ada@example.com at Harbor Coffee: ${code}`);
  });
});

test('cancelling goes back to the app as access_denied', async () => {
  const { browser, page } = await openSignIn();
  const back = await browser.submit(page, 'cancel');
  expect(new URL(back.url).searchParams.get('error')).toBe('access_denied');
});

test('a sign-in cannot go on in another browser', async () => {
  const { page } = await openSignIn();
  const otherBrowser = await createBrowser().open(page.url);
  expect(otherBrowser.status).toBe(400);
  expect(alertOf(otherBrowser)).toContain('has expired, or was started in another browser');
});

test('an unknown step and a wrong method are refused', async () => {
  const { browser, page } = await openSignIn();
  expect((await browser.open(`${page.url}/nothing`)).status).toBe(404);
  expect((await browser.open(`${page.url}/email`)).status).toBe(405);
});

describe('what the pages are made of', () => {
  test('nothing runs on them, nothing comes from outside, nobody frames them', async () => {
    const { page } = await openSignIn();
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' shop.81234567001.app:");
    expect(page.text).not.toMatch(/<script|style=|https?:/);
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  test('every address on them is a path, so they work under another origin', async () => {
    const { page } = await askForCode('ada@example.com');
    const addresses = [...page.text.matchAll(/(?:href|action|src)="([^"]+)"/g)].map((match) =>
      String(match[1]),
    );
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(address).toMatch(/^\/(authentication|_assets)\/|^data:,$/);
  });

  test('fields have labels, the first one the focus', async () => {
    const { page } = await openSignIn();
    expect(page.text).toMatch(/<label for="email">/);
    expect(page.text).toMatch(/<input id="email" name="email"[^>]* autofocus/);
    const { page: second } = await askForCode('ada@example.com');
    expect(second.text).toMatch(/<label for="code">/);
    expect(second.text).toMatch(
      /<input id="code" name="code"[^>]* autocomplete="one-time-code"[^>]* autofocus/,
    );
  });

  test('style sheet, script and pictures are served, and nothing beside them', async () => {
    const get = (name: string) => fetch(`${platform.url}/_assets/${name}`);
    expect((await get('pages.css')).headers.get('content-type')).toContain('text/css');
    expect((await get('mailbox.js')).headers.get('content-type')).toContain('text/javascript');
    for (const name of ['page.ts', '..%2fplatform.ts', 'nothing.svg', ''])
      expect((await get(name)).status).toBe(404);
  });
});

describe('the mailbox', () => {
  test('shows the newest mail first, at its own address and below the sign-in', async () => {
    await askForCode('ada@example.com');
    await askForCode('ben@example.com');
    const code = await currentCode(platform, 'ben@example.com');
    for (const url of [`${platform.url}/_mailbox`, `${platform.issuer}/_mailbox`]) {
      const page = await createBrowser().open(url);
      const subjects = [...page.text.matchAll(/<h2>([^<]+)<\/h2>/g)].map((match) => match[1]);
      expect(subjects[0]).toBe(`${code} is your sign-in code for Harbor Coffee`);
      expect(subjects.length).toBeGreaterThan(1);
      expect((await createBrowser().open(`${url}/list`)).text).toContain(code);
    }
  });

  test('the first page of the platform leads there', async () => {
    expect((await createBrowser().open(`${platform.url}/`)).text).toContain('href="/_mailbox"');
  });
});
