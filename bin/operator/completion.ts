/** The command that prints the script with which a shell completes `npm run admin`, `doctor` and `smoke`. */
import { join } from 'node:path';
import { toJson } from '../../clients/cli/src/terminal/clean.ts';
import { commandsWith } from '../../clients/cli/src/terminal/command.ts';
import { UsageError } from '../../clients/cli/src/terminal/exit.ts';
import { deploymentOptions } from './deployment-options.ts';

/**
 * Each asks the program itself (`--get-yargs-completions`), whose lines have no descriptions where SHELL is bash. Other words
 * behind `npm` are left to the completion of npm, where the shell has one.
 */
const scripts: Readonly<Record<string, (node: string, folder: string) => string>> = {
  bash: (node, folder) => `_parley_npm() {
  local at=\${COMP_CWORD} name=\${COMP_WORDS[2]}
  if [[ \${COMP_WORDS[1]} == run && $name =~ ^(admin|doctor|smoke)$ && \${COMP_WORDS[3]} == -- && $at -gt 3 ]]; then
    local found
    found=$(SHELL=bash ${node} ${folder}/$name.ts --get-yargs-completions "$name" "\${COMP_WORDS[@]:4:at-3}" 2>/dev/null)
    mapfile -t COMPREPLY < <(compgen -W "$found" -- "\${COMP_WORDS[at]}")
  elif declare -F _npm_completion >/dev/null; then
    _npm_completion "$@"
  fi
}
complete -o default -F _parley_npm npm`,
  zsh: (node, folder) => `_parley_npm() {
  if [[ $words[2] == run && $words[3] == (admin|doctor|smoke) && $words[4] == -- && $CURRENT -gt 4 ]]; then
    local -a found
    found=("\${(@f)$(SHELL=bash ${node} ${folder}/$words[3].ts --get-yargs-completions $words[3] "\${(@)words[5,CURRENT]}" 2>/dev/null)}")
    compadd -a found
  else
    autoload -Uz _npm && _npm "$@"
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _parley_npm npm`,
  fish: (node, folder) => `function __parley_is_operator
  set -l words (commandline -opc)
  test (count $words) -ge 4; and test "$words[2]" = run -a "$words[4]" = --
  and contains -- $words[3] admin doctor smoke
end
function __parley_complete
  set -l words (commandline -opc)
  env SHELL=bash ${node} ${folder}/$words[3].ts --get-yargs-completions $words[3] $words[5..-1] (commandline -ct) 2>/dev/null
end
complete -c npm -n __parley_is_operator -f -a '(__parley_complete)'`,
};

const shells = Object.keys(scripts).join(', ');

export const completionCommand = commandsWith({ json: deploymentOptions.json })({
  name: 'completion',
  summary: 'Prints a script that completes npm run admin, doctor and smoke in a shell.',
  details:
    'In bash and zsh: source <(npm run admin --silent -- completion bash). In fish: npm run admin --silent -- completion fish | source. ' +
    'What follows "--" is completed: commands, options and their values.',
  positionals: { shell: { demandOption: true, describe: `one of ${shells}` } },
  examples: [['completion bash', 'the script for bash']],
  run: async ({ shell, json }, { terminal }) => {
    const script = Object.hasOwn(scripts, String(shell)) ? scripts[String(shell)] : undefined;
    if (!script) throw new UsageError(`<shell> is one of ${shells}.`);
    const text = script(quoted(process.execPath), quoted(join(import.meta.dirname, '..')));
    terminal.print(json ? toJson({ shell, script: text }) : text);
  },
});

/** One word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
