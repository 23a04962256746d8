/**
 * Checks the options when a client is created. Otherwise a wrong option would only fail the first call, after all its
 * attempts.
 */

/** The app's name and version, for the service's log. */
export type AppInfo = {
  /** At most 40 characters. */
  readonly name: string;
  /** At most 20 characters. */
  readonly version: string;
};

type CheckedOptions = {
  readonly serviceUrl: string;
  readonly appInfo?: AppInfo;
  readonly shop?: string;
  readonly storage?: object;
};

/**
 * Checks the URL, and the store's domain, the storage and the app's name and version if they are given. `names` are the
 * options that must have a value.
 * @throws TypeError when an option is invalid or missing
 */
export function checkOptions<Given extends CheckedOptions>(
  options: Given,
  ...names: readonly (keyof Given & string)[]
): void {
  const { serviceUrl, appInfo, shop, storage } = options;
  const isUrl = /^https?:/i.test(serviceUrl);
  const missingOption = isUrl ? names.find((name) => !options[name]) : 'serviceUrl with http(s)://';
  if (missingOption) throw new TypeError(`There is no ${missingOption}.`);
  if (shop && !/^[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)+$/i.test(shop))
    throw new TypeError(`shop is ${shop}: give the store's domain, such as harbor-coffee.myshopify.com.`);
  const storageFunctions = storage as Readonly<Record<string, unknown>> | undefined;
  const missingFunction =
    storageFunctions && ['get', 'set', 'remove'].find((name) => typeof storageFunctions[name] !== 'function');
  if (missingFunction) throw new TypeError(`storage has no function ${missingFunction}.`);
  if (appInfo && !/^[\w.+-]{1,40}\/[\w.+-]{1,20}$/.test(`${appInfo.name}/${appInfo.version ?? ''}`))
    throw new TypeError(
      'appInfo has a name of at most 40 and a version of at most 20 letters, digits, . _ - +.',
    );
}
