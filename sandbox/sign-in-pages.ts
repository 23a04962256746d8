/**
 * Acts as the customer on the platform's sign-in pages: follows redirects, submits the forms like a browser, and stops
 * at the redirect to the app.
 */

/** The error when the pages do not lead to the app. The message names the last page. */
export class UnexpectedSignInPage extends Error {}

type SignInPagesInput = {
  /** The address at which the sign-in begins. */
  readonly authUrl: string;
  readonly email: string;
  /** Returns the code; called after it has been sent. */
  readonly readCode: () => Promise<string>;
  /** Called for each page and redirect. */
  readonly onPage: (method: string, url: string, status: number) => void;
};

const MAX_PAGES = 20;

/**
 * Returns the redirect address with the app's scheme.
 * @throws UnexpectedSignInPage when the pages do not lead to the app
 */
export async function completeSignInPages({
  authUrl,
  email,
  readCode,
  onPage,
}: SignInPagesInput): Promise<string> {
  const cookies = createCookieJar();
  let nextRequest: { url: string; form?: URLSearchParams } = { url: authUrl };
  for (let pageCount = 0; pageCount < MAX_PAGES; pageCount++) {
    const httpMethod = nextRequest.form === undefined ? 'GET' : 'POST';
    const pageResponse: Response = await fetch(nextRequest.url, {
      method: httpMethod,
      redirect: 'manual',
      headers: { cookie: cookies.for(nextRequest.url), 'user-agent': 'demo' },
      ...(nextRequest.form === undefined ? {} : { body: nextRequest.form }),
    });
    onPage(httpMethod, nextRequest.url, pageResponse.status);
    cookies.add(pageResponse.headers.getSetCookie());
    const redirectLocation = pageResponse.headers.get('location');
    if (redirectLocation !== null && !/^https?:|^\//.test(redirectLocation)) return redirectLocation;
    if (redirectLocation !== null) {
      nextRequest = { url: new URL(redirectLocation, nextRequest.url).href };
      continue;
    }
    nextRequest = parseFormWithFields(await pageResponse.text(), nextRequest.url);
    if (nextRequest.form?.has('email')) nextRequest.form.set('email', email);
    else if (nextRequest.form?.has('code')) nextRequest.form.set('code', await readCode());
    else throw new UnexpectedSignInPage('The sign-in page asks for neither an e-mail address nor a code.');
  }
  throw new UnexpectedSignInPage(`The sign-in did not end within ${MAX_PAGES} pages.`);
}

/** Returns the page's form with the current values of its fields. */
function parseFormWithFields(html: string, pageUrl: string): { url: string; form: URLSearchParams } {
  const formTag = /<form\b[^>]*>/i.exec(html)?.[0];
  if (formTag === undefined) throw new UnexpectedSignInPage('The sign-in page has no form.');
  const form = new URLSearchParams();
  for (const [inputTag] of html.matchAll(/<input\b[^>]*>/gi)) {
    const name = parseHtmlAttribute(inputTag, 'name');
    if (name !== undefined) form.set(name, parseHtmlAttribute(inputTag, 'value') ?? '');
  }
  return { url: new URL(parseHtmlAttribute(formTag, 'action') || pageUrl, pageUrl).href, form };
}

function parseHtmlAttribute(tag: string, name: string): string | undefined {
  const [, quotedValue, unquotedValue] =
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|([^\\s>]+))`, 'i').exec(tag) ?? [];
  return (quotedValue ?? unquotedValue)?.replaceAll('&amp;', '&');
}

/** Creates a cookie jar with the part of RFC 6265 that sign-in pages need: name, value, path, removal. */
function createCookieJar() {
  const cookieByName = new Map<string, { value: string; path: string }>();
  return {
    add(headers: readonly string[]): void {
      for (const header of headers) {
        const [pair = '', ...attributes] = header.split(/;\s*/);
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/';
        const expires = attributes.find((text) => /^expires=/i.test(text))?.slice(8);
        if (value === '' || (expires !== undefined && Date.parse(expires) < 1))
          cookieByName.delete(`${path} ${name}`);
        else cookieByName.set(`${path} ${name}`, { value, path });
      }
    },
    for(url: string): string {
      const { pathname } = new URL(url);
      return [...cookieByName]
        .filter(([, { path }]) => pathname.startsWith(path))
        .map(([key, { value }]) => `${key.split(' ')[1]}=${value}`)
        .join('; ');
    },
  };
}
