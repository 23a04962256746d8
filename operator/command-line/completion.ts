import { OperatorError } from '../operator-error.ts';
import { commandDefinitions, commandGroups } from './all-commands.ts';

/** Returns a script for the completion of the shell, for an alias or function named `operator`. */
export function writeCompletionScript(shell: string): string {
  if (shell !== 'bash' && shell !== 'zsh') throw new OperatorError('Completion supports bash and zsh.', 2);
  const groupCases = Object.keys(commandGroups).map((group) => {
    const commandNames = commandDefinitions
      .filter((definition) => definition.group === group)
      .map(({ usage }) => usage.split(' ')[0]);
    return `    ${group}) words="${commandNames.join(' ')}" ;;`;
  });
  const bashScript = `_operator() {
  local words
  case "\${COMP_WORDS[1]}" in
${groupCases.join('\n')}
    *) words="${Object.keys(commandGroups).join(' ')}" ;;
  esac
  [ "$COMP_CWORD" -gt 2 ] && words="--env --json --dry-run --yes --help"
  [ "$COMP_CWORD" -eq 1 ] && words="${Object.keys(commandGroups).join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _operator operator`;
  return shell === 'bash' ? bashScript : `autoload -U +X bashcompinit && bashcompinit\n${bashScript}`;
}
