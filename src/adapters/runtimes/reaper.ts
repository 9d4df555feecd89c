// Ends what agents leave when this process is killed and can end nothing itself (SPEC section 4, DESIGN invariant 8).
// One small shell for all agents, in a session of its own; it learns groups on its input and acts when that ends.
import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Log } from '../../core/ports.ts';
import { programOf } from '../../core/runtime.ts';
import { markVariable, type Environment } from './environment.ts';
import { gentleNames, type Leader, type Marked, type StopTimes } from './leader.ts';
import { sweeper } from './sweeper.ts';

/**
 * Lines in: `+ GROUP MARK START [PROGRAM NAME MARK]` and `- GROUP`. At the end of input the agents' inputs have ended too, so the
 * same waits and signals follow as in stopping.ts. A group whose leader's number went to a process with another start is not ours.
 * The last three words say where a group runs something inside a container or sandbox, which is ended by a shell of its own there.
 */
const script = `
trap '' HUP INT
input_ms=$1 term_ms=$2 gentle=$5
groups=' ' known=' ' insides=

while read -r sign group mark start inside; do
  kept=' '
  for one in $groups; do
    case $one in "$group":*) ;; *) kept="$kept$one " ;; esac
  done
  groups=$kept
  insides=$(echo "$insides" | while read -r other rest; do
    if [ "$other" != "$group" ]; then echo "$other $rest"; fi
  done)
  if [ "$sign" = + ]; then groups="$groups$group:$mark:$start "; fi
  if [ "$inside" ]; then insides="$insides
$group $inside"; fi
done

echo "$insides" | while read -r group program name mark; do
  if [ "$mark" ]; then
    "$program" exec -d "$name" sh -c "$SIDEKICKS_SWEEPER" sidekicks-sweeper "$mark" "$3" "$4" "$gentle" </dev/null >/dev/null 2>&1 &
  fi
done

# A line for each live process: number, parent, group, session, start.
processes() {
  if [ -r /proc/self/stat ]; then
    for file in /proc/[0-9]*/stat; do
      line=
      { read -r line <"$file"; } 2>/dev/null
      pid=\${line%% *}
      set -- \${line##*) }
      [ "\${1:-Z}" = Z ] || echo "$pid $2 $3 $4 \${20}"
    done
  else
    LC_ALL=C ps -A -o pid= -o ppid= -o pgid= -o stat= -o lstart= | while read -r pid parent group state start; do
      set -- $start
      case $state in Z*) ;; *) echo "$pid $parent $group 0 $1-$2-$3-$4-$5" ;; esac
    done
  fi
}

# Leaders whose number now belongs to another process are dropped.
check_leaders() {
  leaders=' '
  for one in $groups; do
    start=\${one#*:*:}
    while read -r pid parent group session now; do
      if [ "$pid" = "\${one%%:*}" ] && [ "$start" != '?' ] && [ "$start" != "$now" ]; then continue 2; fi
    done <<END
$table
END
    leaders="$leaders\${one%%:*} "
  done
}

# Those that carry a mark: they may have left the group and lost the parent that tells whose they are.
marked() {
  set --
  for one in $groups; do
    mark=\${one#*:}
    set -- "$@" -e "${markVariable}=\${mark%%:*}"
  done
  grep -ls "$@" /proc/[0-9]*/environ 2>/dev/null | while read -r file; do
    pid=\${file#/proc/}
    echo "\${pid%/environ}"
  done
}

# Sets ours: the groups and sessions of the leaders, what descends from them, and what was known before.
look() {
  table=$(processes)
  check_leaders
  carriers=" $(marked | tr '\\n' ' ')"
  ours=' ' grown=yes
  while [ "$grown" ]; do
    grown=
    while read -r pid parent group session start; do
      case $ours in *" $pid "*) continue ;; esac
      case "$leaders$ours" in *" $parent "* | *" $group "* | *" $session "*) ;; *)
        case "$known$carriers" in *" $pid:$start "* | *" $pid "*) ;; *) continue ;; esac ;;
      esac
      ours="$ours$pid " known="$known$pid:$start " grown=yes
    done <<END
$table
END
  done
}

signal() {
  for pid in $ours; do kill -s "$1" "$pid" 2>/dev/null; done
}

# Hundredths of a second by the clock of the system, or else by counting the waits.
clock=0
now() {
  if { read -r up idle </proc/uptime; } 2>/dev/null; then clock=\${up%.*}\${up#*.}; else clock=$((clock + 10)); fi
}

# True when all of ours ended within that many milliseconds.
gone() {
  now
  end=$((clock + $1 / 10))
  while :; do
    alive=
    for pid in $ours; do
      if kill -0 "$pid" 2>/dev/null; then alive=yes; break; fi
    done
    if [ -z "$alive" ]; then
      look
      if [ "$ours" = ' ' ]; then return 0; fi
    fi
    now
    if [ "$clock" -ge "$end" ]; then return 1; fi
    sleep 0.1 2>/dev/null || { sleep 1; clock=$((clock + 90)); }
  done
}

if [ "$groups" = ' ' ]; then exit 0; fi
look
if gone "$input_ms"; then exit 0; fi
look
for name in $gentle; do signal "$name"; done
if gone "$term_ms"; then exit 0; fi
for try in 1 2 3 4 5; do
  look
  signal KILL
  if gone 200; then exit 0; fi
done
`;

export class Reaper {
  readonly #times: StopTimes;
  readonly #log: Log;
  readonly #environment: Environment;
  readonly #groups = new Map<number, Leader>();
  readonly #expected = new Map<string, Marked | undefined>();
  #shell: ChildProcess | undefined;
  #usable = true;

  constructor(times: StopTimes, log: Log, environment: Environment) {
    this.#times = times;
    this.#log = log;
    this.#environment = environment;
  }

  watch(leader: Leader): void {
    this.#groups.set(leader.pid, leader);
    if (this.#shell) this.#tellOf(leader);
    else this.#start();
  }

  /** Of what another process starts nothing but the mark is known; `settled` when its number is, or when it never came. */
  expect(mark: string, inside?: Marked): void {
    this.#expected.set(mark, inside);
    if (this.#shell) this.#tellOfMark(mark, inside);
    else this.#start();
  }

  settled(mark: string): void {
    if (this.#expected.delete(mark)) this.#tell(`- ${mark}`);
  }

  forget(group: number): void {
    this.#groups.delete(group);
    this.#tell(`- ${String(group)}`);
  }

  /** Lets the shell end; with nothing to watch it does so at once. */
  dispose(): void {
    this.#usable = false;
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #start(): void {
    if (!this.#usable) return;
    const { inputMs, termMs } = this.#times;
    const tenths = [inputMs / 100, termMs / 100].map(Math.ceil);
    const times = [...[inputMs, termMs, ...tenths].map(String), gentleNames(this.#times)];
    // Standard output of the host is a wire: nothing of it is inherited (CASES B28). The script goes by the environment,
    // so that a list of processes shows one short line.
    const shell = spawn('sh', ['-c', 'eval "$SIDEKICKS_REAPER"', 'sidekicks-reaper', ...times], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Command line programs of containers find their engine by variables of their own.
      env: { ...this.#environment, [markVariable]: undefined, SIDEKICKS_REAPER: script, SIDEKICKS_SWEEPER: sweeper },
      detached: true,
      cwd: '/',
    });
    this.#shell = shell;
    shell.on('error', (cause) => this.#lost(shell, cause));
    shell.on('exit', () => this.#lost(shell));
    shell.stdin.on('error', (cause) => this.#lost(shell, cause));
    // Neither the shell nor the pipe to it keeps this process alive.
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    for (const leader of this.#groups.values()) this.#tellOf(leader);
    for (const [mark, inside] of this.#expected) this.#tellOfMark(mark, inside);
  }

  /** In the place of a group: no number of a process is written like a mark. */
  #tellOfMark(mark: string, inside: Marked | undefined): void {
    this.#tell(['+', mark, mark, '?', ...placeWords(inside)].join(' '));
  }

  #tellOf({ pid, mark, started, inside }: Leader): void {
    this.#tell(['+', String(pid), mark, started || '?', ...placeWords(inside)].join(' '));
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }

  /** The next agent starts another one. */
  #lost(shell: ChildProcess, cause?: unknown): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    this.#log.write('the reaper ended before its time', cause);
  }
}

const placeWords = (inside: Marked | undefined): readonly string[] =>
  inside ? [programOf(inside.inside), inside.inside.name, inside.mark] : [];
