/** `parley completion`: the script that completes commands and options in a shell. */
import { command } from '../output.ts';

/** The program says what may follow the words so far. */
const scripts = {
  bash: `_parley() {
  local words=("\${COMP_WORDS[@]:0:COMP_CWORD+1}")
  mapfile -t COMPREPLY < <(compgen -W "$(parley --get-yargs-completions "\${words[@]}" 2>/dev/null)" -- "\${words[-1]}")
}
complete -o default -F _parley parley`,
  zsh: `#compdef parley
_parley() {
  local replies
  replies=("\${(@f)$(parley --get-yargs-completions "\${words[@]:0:$CURRENT}" 2>/dev/null)}")
  _describe 'parley' replies || _files
}
compdef _parley parley`,
  fish: `complete -c parley -f -a '(parley --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null)'`,
} as const;

export const completion = command({
  name: 'completion',
  summary: 'Prints the script that completes commands and options in your shell.',
  positionals: { shell: { demandOption: true, choices: ['bash', 'zsh', 'fish'], describe: 'your shell' } },
  examples: [
    ['completion bash >> ~/.bashrc', 'for bash'],
    ['completion zsh >> ~/.zshrc', 'for zsh, below compinit'],
    ['completion fish > ~/.config/fish/completions/parley.fish', 'for fish'],
  ],
  run: async ({ shell }, { terminal }) => terminal.print(scripts[shell]),
});
