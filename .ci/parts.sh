# Parts of .ci/nightly, which sources this file. The function part_NAME runs the steps of the part NAME; about prints
# what a part checks. Each part ends within two hours on two cores and does not depend on other parts.

parts=(race fuzz faults clusters results playground planted)
for paper in experiments/*/; do parts+=("$(basename "$paper")"); done

about() { # NAME
	case $1 in
	race) echo 'the race detector, all packages' ;;
	fuzz) echo 'each fuzz target for a minute' ;;
	faults) echo 'command line with a process for each command; faults, as often as in docs/FAULTS.md; CONTRIBUTING.md' ;;
	clusters) echo 'Slurm whose nodes and controller fail and whose jobs time out; the image; jobs for Kubernetes' ;;
	results) echo 'the gate within tolerances, claims about the kept results, their page, all exercises' ;;
	playground) echo 'the playground in a browser, whose rows are those of the program, bit for bit' ;;
	planted) echo 'all planted bugs' ;;
	*) echo "the experiments of $1 at quick scale on real data" ;;
	esac
}

# built builds the program once.
built() {
	[[ -x $work/gaplab ]] || step 'build' 600 go build -o "$work/gaplab" ./cmd/gaplab
}

part_race() {
	if race; then
		step 'go test -race -short, all packages' 3600 go test -race -short -timeout 60m ./...
		step 'go test -race, packages that start goroutines' 3600 go test -race -timeout 60m ./harness ./harness/schedule \
			./harness/record ./harness/cluster ./harness/store ./report ./models ./models/internal/sequence ./kernel/...
		step 'go test -race, the conformance suites of all solvers and models' 3600 go test -race -timeout 60m ./catalogue \
			-run 'TestConformance|TestModels'
	else
		skip 'go test -race' "$why"
	fi
}

# fuzz PACKAGE TARGET fuzzes one target for a minute. Go before 1.27 sometimes fails at the end of the minute with
# "context deadline exceeded" although no input failed (https://go.dev/issue/75804). Only this outcome is accepted.
# A failing input is always reported with the file to which Go writes it.
fuzz() {
	local log
	log=$(mktemp)
	# go test may try only once to minimize a new input, so that time is left for finding others.
	if go test "./$1" -run '^$' -fuzz "^$2\$" -fuzztime 60s -fuzzminimizetime 1x | tee "$log"; then
		rm "$log"
		return 0
	fi
	if grep -qx '    context deadline exceeded' "$log" && ! grep -qE 'Failing input|panic' "$log"; then
		rm "$log"
		echo 'no input failed; the deadline is Go issue 75804'
		return 0
	fi
	rm "$log"
	return 1
}
export -f fuzz

part_fuzz() {
	# go test fuzzes one target at a time.
	local package target
	while read -r package target; do
		# shellcheck disable=SC2016 # the inner shell expands it
		step "fuzzing $target of $package" 300 bash -o pipefail -c 'fuzz "$@"' fuzz "$package" "$target"
	done < <(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sed -E 's|^\./(.*)/[^/]*:func (.*)$|\1 \2|' | sort)
}

part_faults() {
	step 'command line, with a process for each command' 120 go test -count=1 ./cmd/gaplab -run TestScripts -args -fresh
	step 'false alarms over seeds, as many as in docs/GATE.md; all scales of all experiments' 300 go test -count=1 ./harness \
		-run 'TestFalseAlarmsOfSeeds|TestForeseeListed' -args -full
	step 'faults, as often as in docs/FAULTS.md' 900 go test -count=1 ./internal/faults -full -timeout 15m
	step 'CONTRIBUTING.md, followed in a copy of the checkout, then all tests' 2400 go test -count=1 -timeout 40m ./docs \
		-run TestExamplesOfContributing -args -contributing -full
}

part_clusters() {
	local clusters='a Slurm whose nodes and controller fail and whose jobs time out; all experiments on it; an image'
	if install sbatch slurm-wlm && install munge munge; then
		install buildah buildah || echo "buildah: $why; the test of the image is skipped"
		step "$clusters" 3600 go test -count=1 -timeout 60m ./cmd/gaplab -run 'TestSlurm|TestImage' -args -clusters
	else
		skip "$clusters" "$why"
	fi
	step 'jobs for Kubernetes, decoded into its own types' 300 go -C tools test ./...
}

part_results() {
	built
	step 'convergence gate, within tolerances' 900 "$work/gaplab" check
	# shellcheck disable=SC2016 # the inner shell expands it
	step 'claims about the kept results' 600 bash -c '
		for paper in experiments/*/; do
			code=0
			"$1" claims "$(basename "$paper")" --scale paper --format json >/dev/null || code=$?
			((code <= 1)) || exit "$code"
		done' claims "$work/gaplab"
	step 'the page of all kept results; all exercises, with right and wrong answers' 600 go test -count=1 ./report \
		./kernel ./notebooks/show -run 'TestSizeOfAll|TestExercises' -args -full
	if install jupyter-nbconvert jupyter-nbconvert; then
		step 'exercise sheets' 600 "$work/gaplab" notebook run notebooks/exercises/*.ipynb
	else
		skip 'exercise sheets' "$why"
	fi
}

part_playground() {
	# Compiles the solvers to WebAssembly and, for the comparison of rows, the program for 386.
	if install chromium chromium; then
		step 'the playground in a browser; its rows, bit for bit' 1200 go test -count=1 -timeout 20m ./site \
			-run TestPlayground -args -full
	else
		skip 'the playground in a browser' "$why"
	fi
}

part_planted() {
	# Results are kept between nights. The next night begins with the bugs for which the budget did not suffice.
	local cache=${XDG_CACHE_HOME:-$HOME/.cache}/gaplab-planted
	step 'all planted bugs are caught' 6900 go -C tools/mutation run . -renew -budget 110m -copy "$cache/tree" \
		-results "$cache/results.jsonl" -page ''
}

# part_paper NAME runs the experiments of a paper.
part_paper() {
	if [[ -z $data ]]; then
		skip "$1 on real data at quick scale" 'GAPLAB_DATA is not set'
		return
	fi
	install liblinear-train liblinear-tools || echo "liblinear-tools: $why; its runs fail"
	built
	GAPLAB_DATA=$data study "$1 on real data at quick scale" 6600 "$work/gaplab" run "$1" --scale quick -j 2 \
		--out "$work/quick"
}
