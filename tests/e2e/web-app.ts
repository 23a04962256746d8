/** Controls the app of examples/web on a phone: its screens as a person sees them, and the ways to lose a response. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  devices,
  type Page,
  type Request,
} from 'playwright-core';
import { signIn as signInOverHttp } from '../contract/world/service-client.ts';
import { startTestStack, type TestStack } from '../stack.ts';
import { MANY_POINTS } from '../stack-control.ts';
import { launchBrowser } from './browser.ts';

/** The parts of a running stack that the phone uses. */
export type PhoneStack = Pick<TestStack, 'phoneUrl' | 'control'>;

/** Long enough for a busy machine; what is missing then is named, which a test's own time-out does not do. */
const MAX_WAIT_MS = 20_000;
const HOUR_MS = 3_600_000;

const PHONE: BrowserContextOptions = {
  ...devices['iPhone 13'],
  viewport: { width: 390, height: 844 },
  // A ninth of the pixels, because the processor draws them and the tests do not read them.
  deviceScaleFactor: 1,
  locale: 'en-US',
  reducedMotion: 'reduce',
};

/** A stack and a browser, started side by side; if one of them cannot start, the other does not stay behind. */
export async function startStackAndBrowser(): Promise<{
  readonly stack: TestStack;
  readonly browser: Browser;
  readonly stop: () => Promise<void>;
}> {
  const [stack, browser] = await Promise.allSettled([startTestStack(), launchBrowser()]);
  const stop = async () => {
    if (browser.status === 'fulfilled') await browser.value.close();
    if (stack.status === 'fulfilled') await stack.value.stop();
  };
  if (stack.status === 'fulfilled' && browser.status === 'fulfilled') {
    await stack.value.control.throttle(stack.value.shop, MANY_POINTS);
    return { stack: stack.value, browser: browser.value, stop };
  }
  await stop();
  throw [stack, browser].find((one) => one.status === 'rejected')?.reason;
}

/** Opens the app in a fresh phone: no cookies, nothing stored. */
export async function openPhone(
  browser: Browser,
  stack: PhoneStack,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await newPhone(browser, options);
  await page.goto(stack.phoneUrl);
  return page;
}

async function newPhone(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...PHONE, ...options });
  context.setDefaultTimeout(MAX_WAIT_MS);
  return await context.newPage();
}

type Session = Readonly<Record<string, unknown>>;

/** Sessions that no phone has now, by e-mail address: a sign-in costs more than most of what is done with it. */
const idle = new Map<string, Session>();
const signedIn = new WeakMap<BrowserContext, { readonly email: string; readonly stack: TestStack }>();

/** The client's storage key of the session in the stack's store. */
export function sessionKey({ shop }: Pick<TestStack, 'shop'>): string {
  return `subscriptions.${shop}.session`;
}

/** Returns the text that the client stores for a session. A page whose clock was moved thinks that a token is short-lived. */
export function sessionText(session: Session): string {
  return JSON.stringify({ ...session, receivedAtMs: Date.now(), lifeMs: HOUR_MS });
}

/** Opens the app with the stored session of an earlier sign-in, without its pages. */
export async function openSignedInPhone(
  browser: Browser,
  stack: TestStack,
  email: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const stored = idle.get(email) ?? { ...(await signInOverHttp(stack, email)), state: 'none' };
  idle.delete(email);
  const [key, text] = [sessionKey(stack), sessionText(stored)].map((one) => JSON.stringify(one));
  const page = await newPhone(browser, options);
  // Anything of the app's origin that is no page. Playwright's own way to store something opens a page for it.
  await page.goto(`${stack.phoneUrl}/icon.svg`);
  await page.evaluate(`localStorage.setItem(${key}, ${text})`);
  await page.goto(stack.phoneUrl);
  signedIn.set(page.context(), { email, stack });
  return page;
}

/** Closes a phone; if its customer is still signed in, the next phone continues with that session. */
export async function closePhone(context: BrowserContext): Promise<void> {
  const known = signedIn.get(context);
  const page = context.pages().at(-1);
  if (known !== undefined && page !== undefined) {
    const key = JSON.stringify(sessionKey(known.stack));
    const stored = await page.evaluate<string | null>(`localStorage.getItem(${key})`);
    // What remains after a sign-out is no session.
    if (stored?.includes('refreshToken')) idle.set(known.email, JSON.parse(stored) as Session);
  }
  await context.close();
}

/** Signs in on the platform's own pages, from the welcome screen to the list. */
export async function signIn(page: Page, stack: PhoneStack, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await passSignInPages(page, stack, email);
  await page.getByRole('heading', { name: 'Your subscriptions' }).waitFor();
}

/** The platform's pages: e-mail, then the code that was sent. */
export async function passSignInPages(page: Page, stack: PhoneStack, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=email]').press('Enter');
  await page.locator('input[name=code]').waitFor();
  await page.locator('input[name=code]').fill(await stack.control.oneTimeCode(email));
  await page.locator('input[name=code]').press('Enter');
}

/** A request of the app: an address's end, and for GraphQL the operation's name. */
export type RequestSelector = { readonly path: string; readonly operation?: string };

export const GRAPHQL = '/api/storefront/unstable/graphql.json';

/** The service receives and answers the next matching request, but its response does not reach the phone. */
export async function loseNextAnswer(page: Page, selector: RequestSelector): Promise<{ bodies: unknown[] }> {
  const bodies: unknown[] = [];
  await page.route(patternOf(selector), async (route) => {
    if (!isOne(route.request(), selector)) return await route.fallback();
    bodies.push(route.request().postDataJSON());
    if (bodies.length > 1) return await route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  return { bodies };
}

/** Answers every such request in the service's place. `times`: only so often. */
export async function answerInstead(
  page: Page,
  selector: RequestSelector & { readonly status: number; readonly body: unknown; readonly times?: number },
): Promise<void> {
  const { status, body, times } = selector;
  const answer = {
    status,
    contentType: 'application/json',
    body: JSON.stringify(body),
    headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' },
  };
  // Counted here: `times` of Playwright counts a preflight, too.
  let left = times ?? Number.POSITIVE_INFINITY;
  await page.route(patternOf(selector), (route) => {
    if (!isOne(route.request(), selector) || left <= 0) return route.fallback();
    left -= 1;
    return route.fulfill(answer);
  });
}

/** Records the app's requests of one kind from now on. */
export function recordRequests(page: Page, selector: RequestSelector): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === selector.path && isOne(request, selector)) requests.push(request);
  });
  return requests;
}

/** A page names its store in the query. */
export const patternOf = ({ path }: RequestSelector) => `**${path}?*`;

function isOne(request: Request, { operation }: RequestSelector): boolean {
  if (request.method() === 'OPTIONS') return false;
  return operation === undefined || `${request.postData()}`.includes(operation);
}
