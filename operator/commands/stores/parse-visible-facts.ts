/** Parses the store facts that customers see, for `store install` and `store update`. */

import { type CommandOptions, findTextOption } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';
import { parseAddressOption } from '../../parse-address-option.ts';

/** Returns the options. `defaultText` completes each description with the value that an omitted option has. */
export function createVisibleFactOptions(defaultText: string): Readonly<Record<string, string>> {
  return {
    '--name <name>': `name shown to people${defaultText}`,
    '--storefront-url <url>': `address of the store's pages${defaultText}`,
    '--portal-page-id <id>': "page of the store's customer accounts that shows subscriptions",
  };
}

const MAX_NAME_CHARACTERS = 255;

/** @throws INVALID_COMMAND for a value that cannot be displayed */
export function parseVisibleFacts(options: CommandOptions) {
  const portalPageId = findTextOption(options, 'portalPageId');
  if (portalPageId !== undefined && !/^[\w-]+$/.test(portalPageId))
    throw new OperatorError('--portal-page-id may contain only letters, digits, - and _.', 2);
  return {
    displayName: parseDisplayName(options),
    storefrontUrl: parseAddressOption(options, '--storefront-url'),
    portalPageId,
  };
}

function parseDisplayName(options: CommandOptions): string | undefined {
  const name = findTextOption(options, 'name');
  const isAcceptedName =
    name === undefined || (name.trim() !== '' && name.length <= MAX_NAME_CHARACTERS && !/\p{Cc}/u.test(name));
  if (isAcceptedName) return name;
  throw new OperatorError(`--name must have 1 to ${MAX_NAME_CHARACTERS} characters, on one line.`, 2);
}
