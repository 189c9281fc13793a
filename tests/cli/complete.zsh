# complete.zsh LINE...: prints each line as an interactive zsh, with functions/ in its fpath, completes it after a tab.
zmodload zsh/zpty
zpty shell zsh -f -i
# A widget writes the completed line, because a terminal shows more than that.
zpty -w shell 'fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep list_ambiguous
show() { print -r -- "$BUFFER" >>line; BUFFER= }; zle -N show; bindkey "^I" complete-word "^X" show
: >line; : >ready'
typeset -i waited n
until [[ -e ready ]] || ((waited++ > 500)); do sleep 0.02; done
for line in "$@"; do
  zpty -w -n shell "$line"$'\t\x18'
  n+=1
  waited=0
  until (($(wc -l <line) >= n)) || ((waited++ > 500)); do
    sleep 0.02
    while zpty -r -t shell said; do :; done
  done
done
zpty -d shell
cat line
