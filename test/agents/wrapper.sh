#!/bin/sh
# Owns: a launcher that stays between the client and the agent, as npx and the like do. Must not: change the agent.
#   wrapper.sh [--pids FILE] COMMAND [ARGUMENT...]
# Writes "wrapper PID" to FILE. The command after the agent keeps the shell from replacing itself by it.
if [ "$1" = --pids ]; then
  echo "wrapper $$" >>"$2"
  shift 2
fi
"$@"
status=$?
exit "$status"
