#!/usr/bin/env bash
# Runs the gate: annotations on stdout, the reports in a folder, its exit code in the output "code". Exits 0, so that the
# steps behind it run whatever the verdict; the last of them ends with that code.
#   RANKGATE_CONFIG      the config; empty where it is found by itself
#   RANKGATE_ARGS        further arguments, one a line; no --format
#   RANKGATE_REPORT_DIR  where the reports go
set -uo pipefail

rankgate=$RUNNER_TEMP/rankgate/bin/rankgate
[[ -x $rankgate ]] || rankgate=$RUNNER_TEMP/rankgate/Scripts/rankgate.exe

arguments=(check --format github)
for report in json:rankgate.json markdown:rankgate.md junit:rankgate.xml html:rankgate.html; do
  arguments+=(--output "${report%%:*}:$RANKGATE_REPORT_DIR/${report#*:}")
done
[[ -z $RANKGATE_CONFIG ]] || arguments+=("--config=$RANKGATE_CONFIG")
while IFS= read -r line; do
  line=${line%$'\r'}
  if [[ $line == --format || $line == --format=* ]]; then
    # Annotations and outputs are of that format alone.
    echo "::error title=rankgate::args: --format is the action's own; a further report is --output=FORMAT:PATH"
    echo "code=2" >> "$GITHUB_OUTPUT"
    exit
  fi
  [[ -z $line ]] || arguments+=("$line")
done <<< "$RANKGATE_ARGS"

"$rankgate" "${arguments[@]}"
echo "code=$?" >> "$GITHUB_OUTPUT"
