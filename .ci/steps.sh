# Functions for the steps of .ci/run and .ci/nightly, which source this file. A step that cannot run here is SKIPPED
# with the reason. A step that fails does not stop the others. Each step has a time limit, and all steps must end before
# $ends, in seconds since the start. At the end a summary lists the outcome of each step and of the tests of each
# package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
summary=() failed=0 skipped=0 child='' code=0 took=0 why=''
data=${GAPLAB_DATA:-}
if [[ -z $data && -d ../shared/datasets ]]; then data=$(cd ../shared/datasets && pwd); fi
unset GAPLAB_DATA GAPLAB_SCALE # steps run as on a machine without data, unless they set these
# With -trimpath all copies of the checkout share the build cache. Without information for debuggers (-w), linking takes
# a quarter less CPU time.
export GOFLAGS="${GOFLAGS:+$GOFLAGS }-trimpath -ldflags=-w"

finish() {
	local code=$?
	trap - EXIT INT TERM
	if [[ -n $child ]] && kill "$child" 2>/dev/null; then wait "$child" || true; fi
	echo
	echo "=== Steps, $SECONDS s in all"
	((${#summary[@]} == 0)) || printf '%s\n' "${summary[@]}"
	if [[ -s $work/test.log ]]; then
		echo
		echo '=== go test ./...'
		grep -E '^(ok|FAIL|---|panic:|\?)' "$work/test.log" || true
	fi
	rm -rf "$work"
	if ((code != 0)); then exit "$code"; fi
	if ((failed)); then exit 1; fi
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

note() { # STATUS SECONDS NAME [WHY]
	summary+=("$(printf '%-8s %4s s  %s%s' "$1" "$2" "$3" "${4:+: $4}")")
	echo ">>> $1 $3${4:+: $4} ($2 s)"
}

# run LIMIT COMMAND... runs a command without standard input. It stops the command after LIMIT seconds or at $ends, and
# then returns 124.
run() {
	local limit=$1 left=$((ends - SECONDS)) code=0
	shift
	if ((left < limit)); then limit=$left; fi
	if ((limit < 1)); then return 124; fi
	timeout --signal=INT --kill-after=15 "$limit" "$@" </dev/null &
	child=$!
	wait "$child" || code=$?
	child=''
	return "$code"
}

# attempt NAME LIMIT COMMAND... announces and runs one step. It sets $code to the exit code and $took to its seconds.
attempt() {
	local name=$1 limit=$2 start=$SECONDS
	shift 2
	printf '\n=== %s (at most %s s)\n$ %s\n' "$name" "$limit" "$*"
	code=0
	run "$limit" "$@" || code=$?
	took=$((SECONDS - start))
}

# step NAME LIMIT COMMAND... runs one step. If a step fails, the other steps run and the script then ends with code 1.
step() {
	attempt "$@"
	case $code in
	0) note passed "$took" "$1" ;;
	124 | 137) note FAILED "$took" "$1" 'out of time' ;;
	*) note FAILED "$took" "$1" "exit $code" ;;
	esac
	if ((code)); then failed=1; fi
}

# study NAME LIMIT COMMAND... runs experiments. If claims are not reproduced (exit code 1), the step still passes: this
# is a finding about the paper. Errors of the code are found by go test and by gaplab check.
study() {
	attempt "$@"
	case $code in
	0) note passed "$took" "$1" ;;
	1) note passed "$took" "$1" 'with claims that are not reproduced, listed above' ;;
	124 | 137) failed=1 && note FAILED "$took" "$1" 'out of time' ;;
	*) failed=1 && note FAILED "$took" "$1" "exit $code" ;;
	esac
}

skip() { # NAME WHY
	printf '\n=== %s\n' "$1"
	note SKIPPED 0 "$1" "$2"
	skipped=$((skipped + 1))
}

# install COMMAND PACKAGE installs PACKAGE if COMMAND does not exist. On failure $why holds the reason.
install() { install_unless "command -v $1" "$2"; }

# install_unless CHECK PACKAGE installs PACKAGE if the command CHECK fails. On failure $why holds the reason.
install_unless() {
	if eval "$1" >/dev/null 2>&1; then return 0; fi
	if ! command -v apt-get >/dev/null; then
		why="$2 is missing, and there is no apt-get to install it with"
		return 1
	fi
	local as=()
	if ((EUID != 0)); then
		if ! sudo -n true 2>/dev/null; then
			why="$2 is missing, and only root may install it"
			return 1
		fi
		as=(sudo -n)
	fi
	printf '\n=== Installing %s with apt-get\n' "$2"
	if [[ ! -e $work/apt.updated ]]; then
		run 120 "${as[@]}" apt-get update -q >"$work/apt.log" 2>&1 || true
		touch "$work/apt.updated"
	fi
	if run 240 "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$2" \
		>"$work/apt.log" 2>&1 && eval "$1" >/dev/null 2>&1; then
		return 0
	fi
	why="apt-get cannot install $2: $(tail -n 1 "$work/apt.log")"
	return 1
}

# race returns 0 if the race detector can run here; otherwise $why holds the reason.
race() {
	if [[ $(go env CGO_ENABLED) == 1 ]] && command -v "$(go env CC)" >/dev/null; then return 0; fi
	why='the race detector needs cgo and a C compiler'
	return 1
}

if ! command -v go >/dev/null; then
	echo "Go is missing; install $(grep '^go ' go.mod) or later" >&2
	exit 1
fi
echo "$(go version), $(nproc 2>/dev/null || echo '?') cores; real data: ${data:-none}"
