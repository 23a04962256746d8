/** A store's grant and client id, from standard input or a file: never from an argument, which others can see. */
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { describeIssue } from '../infra/definition/describe-issue.ts';
import type { PlatformGrant } from '../lib/platform/grants/platform-grant.ts';
import type { AppClient } from '../lib/platform/grants/request-access-token.ts';
import { rejectUnrenewableGrant } from '../lib/stores/reject-unrenewable-grant.ts';
import { OperatorError } from './operator-error.ts';
import type { Terminal } from './terminal.ts';

export type OperatorCredentials = {
  readonly grant: PlatformGrant | undefined;
  /** The app's own client, for which the platform gives a grant. */
  readonly app: AppClient | undefined;
  /** The client of the customers' sign-in. */
  readonly clientId: string | undefined;
};

const wordSchema = z.string().regex(/^\S+$/, 'must be one word');
const grantSchema = z.strictObject({
  accessToken: wordSchema,
  scopes: z.array(wordSchema).default([]),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'must be an instant like 2026-07-01T09:30:00Z' })
    .optional(),
  refreshToken: wordSchema.optional(),
  clientId: wordSchema.optional(),
  clientSecret: wordSchema.optional(),
});
const appSchema = z.strictObject({ clientId: wordSchema, clientSecret: wordSchema });
const credentialsSchema = z.strictObject({
  grant: grantSchema.optional(),
  app: appSchema.optional(),
  clientId: wordSchema.optional(),
});

const CREDENTIALS_FORM_TEXT =
  '{"grant": {"accessToken": "…"}, "clientId": "…"}, or "app": {"clientId": "…", "clientSecret": "…"} instead of the grant, or only the access token';

/**
 * Reads the credentials from `source`: a file, or `-` for standard input.
 * @throws OperatorError without any part of the credentials
 */
export async function readCredentials(source: string, terminal: Terminal): Promise<OperatorCredentials> {
  const credentialsText = (source === '-' ? await terminal.readInput() : readCredentialsFile(source)).trim();
  if (credentialsText === '')
    throw new OperatorError(`There are no credentials in ${describeSource(source)}: it is empty.`, 2);
  if (/^[A-Za-z0-9_-]+$/.test(credentialsText))
    return { grant: { accessToken: credentialsText, scopes: [] }, app: undefined, clientId: undefined };
  const parseResult = credentialsSchema.safeParse(parseJson(credentialsText, source), {
    error: describeProblem,
  });
  if (!parseResult.success) {
    const issueTexts = parseResult.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'it'} ${message}`,
    );
    throw new OperatorError(
      `The credentials in ${describeSource(source)} cannot be used. ${issueTexts.join('; ')}.`,
      2,
    );
  }
  const { grant, app, clientId } = parseResult.data;
  if (grant?.refreshToken && !(grant.clientId && grant.clientSecret && grant.expiresAt))
    throw new OperatorError('A grant with a refreshToken needs expiresAt, clientId and clientSecret too.', 2);
  if (grant) rejectUnrenewableGrant(grant as PlatformGrant);
  return { grant: grant as PlatformGrant | undefined, app, clientId };
}

/** Does not repeat the name of an unknown field, because it may be a misplaced secret. */
function describeProblem(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'unrecognized_keys' ? 'has an unknown field' : describeIssue(issue);
}

/**
 * Reads a single secret from a file, or from standard input.
 * @throws OperatorError without any part of the secret
 */
export async function readSecretText(source: string, terminal: Terminal): Promise<string> {
  const text = (
    source === '-' ? await terminal.readInput() : readCredentialsFile(source, '--client-secret')
  ).trim();
  if (text === '')
    throw new OperatorError(`There is no secret in ${describeSource(source)}: it is empty.`, 2);
  return text;
}

function readCredentialsFile(path: string, option = '--credentials'): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Credentials that were given in place of a file must not be found in a log.
    if (/[{}"\s]|^shp[a-z]+_|^[0-9a-f]{32,}$/.test(path) && !existsSync(path))
      throw new OperatorError(
        `The file was not found. ${option} takes the name of a file, or - for standard input.`,
        2,
      );
    throw new OperatorError(`${path} cannot be read.`, 2);
  }
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A parser's error quotes what it read.
    throw new OperatorError(`${describeSource(source)} must contain ${CREDENTIALS_FORM_TEXT}.`, 2);
  }
}

function describeSource(source: string): string {
  return source === '-' ? 'standard input' : source;
}
