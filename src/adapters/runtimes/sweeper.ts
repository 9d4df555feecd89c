// The shell that ends what carries a mark inside a container or sandbox, in the sequence of SPEC section 4. All of it happens
// inside, so that it goes on when nobody here waits for it any more. Pure: runs nothing.
import { markVariable } from './environment.ts';
import { gentleNames, type StopTimes } from './leader.ts';

/**
 * For any shell, with or without `grep`: of the environment of a process, `read` drops what stands between the variables.
 * Its arguments: the mark, tenths of a second until SIGTERM and from there to SIGKILL, and what is sent in the place of SIGTERM.
 */
export const sweeper = `
mark=${markVariable}=$1 input=$2 term=$3 gentle=$4
carries() {
  if command -v grep >/dev/null; then grep -qs -e "$mark" "$1"; return; fi
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in *"$mark"*) return 0 ;; esac
  done 2>/dev/null <"$1"
  return 1
}
look() {
  ours=
  for folder in /proc/[0-9]*; do
    pid=\${folder#/proc/}
    if [ "$pid" != $$ ] && carries "$folder/environ"; then ours="$ours $pid"; fi
  done
}
gone() {
  left=$1
  while look; [ -n "$ours" ]; do
    if [ "$left" -le 0 ]; then return 1; fi
    if sleep 0.2 2>/dev/null; then left=$((left - 2)); else sleep 1; left=$((left - 10)); fi
  done
}
if gone "$input"; then exit 0; fi
for name in $gentle; do kill -s "$name" $ours 2>/dev/null; done
if gone "$term"; then exit 0; fi
for try in 1 2 3 4 5; do
  kill -s KILL $ours 2>/dev/null
  if gone 10; then exit 0; fi
done
exit 1
`;

const tenths = (ms: number): string => String(Math.ceil(ms / 100));

/** The words that the shell inside runs. */
export const sweepWords = (mark: string, times: StopTimes): readonly string[] => [
  ...['sh', '-c', sweeper, 'sidekicks-sweeper', mark],
  ...[tenths(times.inputMs), tenths(times.termMs), gentleNames(times)],
];
