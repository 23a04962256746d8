import { type CommandRun, requireArgument } from '../../command.ts';
import { OperatorError } from '../../operator-error.ts';

/**
 * Reads the second argument, a key's id.
 *
 * @throws INVALID_COMMAND for a text that is no id of a key
 */
export function parseKeyIdArgument(run: CommandRun): string {
  const keyId = requireArgument(run, 1);
  if (/^key_[0-9a-f]{12}$/.test(keyId)) return keyId;
  throw new OperatorError(`${keyId} is not a key id. See key list.`, 2);
}
