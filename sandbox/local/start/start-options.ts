/** The options of `npm start`: flags and variables, checked before anything is started. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BROWSER_ORIGIN_RULE, isBrowserOrigin } from '../../../lib/config/browser-origin.ts';
import { parseWebRedirectUri, WEB_REDIRECT_URI_RULE } from '../../../lib/domain/sign-in/web-redirect-uri.ts';
import { DEFAULT_STACK_FILE } from '../../default-stack-file.ts';
import { APP_FORMS, type AppForm } from '../../platform/grants/app-grants.ts';
import { StartError } from './start-error.ts';

export type StartOptions = {
  readonly ports: RequestedPorts;
  /** The folder that stores table, secrets, platform and clock. */
  readonly dataDir: string | undefined;
  /**
   * The file in which the running stack describes itself (URLs, keys, customers) for the demo and the operator's command
   * line. It is removed when the stack stops.
   */
  readonly stackFile: string;
  readonly jsonLogs: boolean;
  readonly logFile: string | undefined;
  /** Whether the gateway emulates the edge before the API. */
  readonly edge: boolean;
  /** Whether the platform sends webhooks. */
  readonly webhooks: boolean;
  /** Whether the functions are built with crash points, for tests. */
  readonly faultPoints: boolean;
  /** Whether each function with routes serves all its requests at once, for tests. */
  readonly concurrent: boolean;
  /** The number of contracts of the first store's customer who has the most, for tests; 250 by default. */
  readonly contracts: number | undefined;
  /** The lifetime of the platform's access tokens; an hour by default. */
  readonly platformTokenSeconds: number | undefined;
  /** How the app gets its access to the demo stores; by default it has tokens that do not expire. */
  readonly appForm: AppForm | undefined;
  /** Further origins, besides the phone's, whose pages may call the service. */
  readonly allowOrigins: readonly string[];
  /** Further web pages that sign the first store's customers in. */
  readonly pages: readonly string[];
};
/** The requested ports; 0 picks a free one. */
export type RequestedPorts = { readonly service: number; readonly platform: number; readonly phone: number };

export const USAGE_TEXT = `npm start -- [flags]

  --data DIR       keep table, secrets, platform and clock in DIR; without it everything is in memory
  --json-logs      log lines as in production, one JSON object each
  --log-file FILE  append the log lines to FILE as well, as JSON
  --platform-token-seconds N
                   how long the emulated platform's access tokens live (3600)
  --app-form FORM  how the service gets its access to the demo stores: own-store (client credentials), custom or public
                   (an authorization code); without it, it has tokens that do not end
  --allow-origin ORIGIN
                   let a web page or an app's web view call the service, such as capacitor://localhost or
                   http://localhost:5173; may come several times
  --page ADDRESS   let a web page sign in the customers of the first store, such as http://localhost:5173/account, and
                   let its origin call the service; may come several times, at most nine
  --edge           play the edge before the API: limits by the last address of X-Forwarded-For, 30 s late as on AWS
  --no-webhooks    the platform sends no webhooks, and nobody acts on them
  --state FILE     where the state of the run is written (.local/stack.json)
  --help           this text

Variables: PORT (3000), PLATFORM_PORT (4000), PHONE_PORT (5000); 0 picks a free one.`;

/**
 * Reads the options of a command line, or returns 'help' for the usage.
 * @throws StartError when an option or variable is unknown
 */
export function parseStartOptions(args: string[], variables: NodeJS.ProcessEnv): StartOptions | 'help' {
  const parsedFlags = parseFlags(args);
  if (parsedFlags.help === true) return 'help';
  const resolvePath = (path: string | undefined) => (path === undefined ? undefined : resolve(path));
  return {
    ports: {
      service: parsePort(variables, 'PORT', 3000),
      platform: parsePort(variables, 'PLATFORM_PORT', 4000),
      phone: parsePort(variables, 'PHONE_PORT', 5000),
    },
    dataDir: resolvePath(parsedFlags.data),
    stackFile: resolvePath(parsedFlags.state) ?? DEFAULT_STACK_FILE,
    jsonLogs: parsedFlags['json-logs'] === true,
    logFile: resolvePath(parsedFlags['log-file']),
    edge: parsedFlags.edge === true,
    webhooks: parsedFlags['no-webhooks'] !== true,
    faultPoints: parsedFlags['fault-points'] === true,
    concurrent: parsedFlags.concurrent === true,
    contracts: parsedFlags.contracts === undefined ? undefined : Number(parsedFlags.contracts),
    platformTokenSeconds: parseSeconds(parsedFlags['platform-token-seconds']),
    appForm: parseAppForm(parsedFlags['app-form']),
    allowOrigins: parseOrigins(parsedFlags['allow-origin']),
    pages: parsePages(parsedFlags.page),
  };
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        data: { type: 'string' },
        'json-logs': { type: 'boolean' },
        'log-file': { type: 'string' },
        state: { type: 'string' },
        'platform-token-seconds': { type: 'string' },
        'app-form': { type: 'string' },
        'allow-origin': { type: 'string', multiple: true },
        page: { type: 'string', multiple: true },
        edge: { type: 'boolean' },
        'no-webhooks': { type: 'boolean' },
        'fault-points': { type: 'boolean' },
        concurrent: { type: 'boolean' },
        contracts: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    const [firstSentence] = (error as Error).message.split(/\.\s/);
    throw new StartError(`${firstSentence}; npm start -- --help lists the flags.`);
  }
}

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new StartError('--platform-token-seconds takes a whole number of seconds.');
}

function parseAppForm(text: string | undefined): AppForm | undefined {
  const form = APP_FORMS.find((each) => each === text);
  if (form !== undefined || text === undefined) return form;
  throw new StartError(`--app-form takes one of: ${APP_FORMS.join(', ')}.`);
}

function parseOrigins(texts: readonly string[] = []): readonly string[] {
  const invalidOrigin = texts.find((text) => !isBrowserOrigin(text));
  if (invalidOrigin === undefined) return texts;
  throw new StartError(`--allow-origin ${invalidOrigin}: it ${BROWSER_ORIGIN_RULE}.`);
}

/** A store has ten pages, of which the phone page is one. */
const MAX_EXTRA_PAGES = 9;

function parsePages(texts: readonly string[] = []): readonly string[] {
  const invalidPageUri = texts.find(
    (text) => parseWebRedirectUri(text, { allowsLoopback: true }) === undefined,
  );
  if (invalidPageUri !== undefined)
    throw new StartError(`--page ${invalidPageUri}: it ${WEB_REDIRECT_URI_RULE}.`);
  if (texts.length > MAX_EXTRA_PAGES) throw new StartError(`--page can be given ${MAX_EXTRA_PAGES} times.`);
  return texts;
}

function parsePort(variables: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const variableText = variables[name];
  if (variableText === undefined || variableText === '') return fallback;
  const port = Number(variableText);
  if (/^\d+$/.test(variableText) && port <= 65_535) return port;
  throw new StartError(
    `${name} is "${variableText}": set it to a number from 0 to 65535, where 0 picks a free port.`,
  );
}
