// The programs for `sh` that touch files inside a container or sandbox: POSIX, with the tools busybox has. Names come to them
// as arguments and are never part of a program. Runs nothing.

/** How a program ends that could not do its work; anything else is the word of the shell or of what runs it. */
export const ends = {
  noFolder: 70,
  missing: 71,
  outside: 72,
  notFolder: 73,
  denied: 74,
  isFolder: 75,
  notRegular: 76,
  tooLarge: 77,
  failed: 78,
  isOther: 79,
  exists: 80,
} as const;

/**
 * `$1` is the folder of the workspace, `$2` a path in it. The line feed that ends what `readlink` prints is taken off with
 * care: a name may end with one.
 */
const paths = `
for tool in find readlink sha256sum stat; do
  command -v $tool > /dev/null || { echo "$tool: not found" >&2; exit 127; }
done
nl='
'
resolve() {
  resolved=$(readlink -f "$1" && printf x) || return 1
  resolved=\${resolved%"\${nl}x"}
}
[ -d "$1" ] && resolve "$1" || exit ${ends.noFolder}
root=$resolved
within() {
  case "$1" in
    "$root" | "\${root%/}"/*) ;;
    *) exit ${ends.outside} ;;
  esac
}
existing() {
  [ -e "$root/$1" ] && resolve "$root/$1" || exit ${ends.missing}
  real=$resolved
  within "$real"
}
parent_of() {
  above="$root/$1"
  existing_folder "\${above%/*}"
}
existing_folder() {
  [ -d "$1" ] && resolve "$1" || exit ${ends.missing}
  real=$resolved
  within "$real"
}
digest() {
  sum=$(sha256sum < "$1") && sum=\${sum%% *}
}
`;

const named = (names: readonly string[]): string => names.map((name) => `-name ${name}`).join(' -o ');

export const check = paths;

/**
 * For each entry `/size/time/mode/./name` and a line feed. A name holds no slash, so that whatever else it holds cannot be
 * taken for the next entry. Links come twice, at last as what they lead to.
 */
export const list = `${paths}
existing "$2"
[ -d "$real" ] || exit ${ends.notFolder}
[ -r "$real" ] && cd "$real" || exit ${ends.denied}
find . -mindepth 1 -maxdepth 1 -exec stat -c '/%s/%Y/%f/%n' {} +
find . -mindepth 1 -maxdepth 1 -type l -exec stat -L -c '/%s/%Y/%f/%n' {} + 2>/dev/null
exit 0
`;

/** Each path ends with NUL. */
export const files = (without: readonly string[]): string => `${paths}
cd "$root" || exit ${ends.denied}
git ls-files -z --cached --others --exclude-standard 2> /dev/null && exit 0
find . -type d \\( ${named(without)} \\) -prune -o -type f -print0
exit 0
`;

/** `$3`: the most bytes it may have. */
export const read = `${paths}
existing "$2"
[ -d "$real" ] && exit ${ends.isFolder}
[ -f "$real" ] || exit ${ends.notRegular}
[ -r "$real" ] || exit ${ends.denied}
[ "$(stat -c %s "$real")" -le "$3" ] || exit ${ends.tooLarge}
cat "$real"
`;

/** Takes standard input into a new file beside, and has it whole (its digest is `$1`) or not at all. */
const receive = `
receive() {
  [ -w "$folder" ] || exit ${ends.denied}
  trap 'rm -f "$beside"' EXIT
  trap 'exit ${ends.failed}' HUP INT TERM
  (set -C; cat > "$beside") || exit ${ends.failed}
  digest "$beside"
  [ "$sum" = "$1" ] || exit ${ends.failed}
}
`;

/**
 * `$3`: the version it must have, `$4`: the digest of what comes, `$5`: a name nobody has. A file with several names, or of
 * somebody whom the new one cannot be given to, stays in its place and is written over.
 */
export const save = `${paths}${receive}
if [ -e "$root/$2" ]; then
  existing "$2"
  [ -d "$real" ] && exit ${ends.isFolder}
  [ -f "$real" ] || exit ${ends.notRegular}
  mode=000$(stat -c %a "$real")
  case "\${mode#"\${mode%???}"}" in
    *[2367]*) [ -w "$real" ] || exit ${ends.denied} ;;
    *) exit ${ends.denied} ;;
  esac
else
  [ -L "$root/$2" ] && exit ${ends.missing}
  [ -z "$3" ] || exit ${ends.isOther}
  parent_of "$2"
  real="\${real%/}/\${2##*/}"
fi
folder=\${real%/*}
folder=\${folder:-/}
beside="\${folder%/}/$5"
receive "$4"
if [ -n "$3" ]; then
  digest "$real"
  [ "$sum" = "$3" ] || exit ${ends.isOther}
fi
if [ -e "$real" ]; then
  owner=$(stat -c %u:%g "$real")
  [ "$(stat -c %u:%g "$beside")" = "$owner" ] || chown "$owner" "$beside" 2>/dev/null
  if [ "$(stat -c %h "$real")" != 1 ] || [ "$(stat -c %u:%g "$beside")" != "$owner" ]; then
    cp -p "$real" "$beside.old" || { rm -f "$beside.old"; exit ${ends.failed}; }
    if cat "$beside" > "$real"; then
      rm -f "$beside.old"
      exit 0
    fi
    cat "$beside.old" > "$real" && rm -f "$beside.old"
    exit ${ends.failed}
  fi
  chmod "$(stat -c %a "$real")" "$beside" || exit ${ends.failed}
fi
mv -f "$beside" "$real" || exit ${ends.failed}
`;

/** `$3`: its name. */
export const create = `${paths}
existing "$2"
[ -d "$real" ] || exit ${ends.notFolder}
[ -e "$real/$3" ] || [ -L "$real/$3" ] && exit ${ends.exists}
[ -w "$real" ] || exit ${ends.denied}
(set -C; : > "$real/$3") || exit ${ends.failed}
`;

export const remove = `${paths}
parent_of "$2"
entry="\${real%/}/\${2##*/}"
[ -e "$entry" ] || [ -L "$entry" ] || exit ${ends.missing}
rm -rf "$entry" || exit ${ends.failed}
`;

/** Prints nothing; ends well where the file is there with the digest `$3`. */
export const isSame = `${paths}
existing "$2"
[ -f "$real" ] && digest "$real" || exit ${ends.missing}
[ "$sum" = "$3" ] || exit ${ends.isOther}
`;

/** `$2`: the folder, made if missing; `$3`, `$4`: the name before and from its ending on; then as for `save`. Prints the name. */
export const copyIn = `${paths}${receive}
[ -e "$root/$2" ] || [ -L "$root/$2" ] || mkdir "$root/$2" || exit ${ends.failed}
existing "$2"
[ -d "$real" ] || exit ${ends.notFolder}
folder=$real
beside="\${folder%/}/$6"
receive "$5"
count=1
name="$3$4"
until [ ! -e "$folder/$name" ] && [ ! -L "$folder/$name" ] && (set -C; : > "$folder/$name"); do
  count=$((count + 1))
  name="$3-$count$4"
done 2>/dev/null
mv -f "$beside" "$folder/$name" || exit ${ends.failed}
printf %s "$name"
`;

/** One word for all times, sizes and names there. */
export const state = (without: readonly string[]): string => `${paths}
cd "$root" || exit ${ends.denied}
find . -type d \\( ${named(without)} \\) -prune -o -exec stat -c '%s %y %f %n' {} + 2>/dev/null | sha256sum
`;
